// What was decided in all runs since a moment, each with the run that it is of. The store finds; here it is told for whom.

import type { CareBodies, CareQueries } from "../../shared/contract/care.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { excerptOf } from "../pages/fit.ts";

/** Rows that one page has. */
const maxRows = 100;
/** Characters of what was asked that are shown: a command may be as long as a file. */
const longest = 400;

export async function decidedPage(store: StorePort, { since }: CareQueries["decided"]): Promise<CareBodies["decided"]> {
  const [{ rows, total }, runs] = await Promise.all([store.listDecided(since, maxRows), store.listRuns()]);
  const titles = new Map(runs.map(({ run, title }) => [run, title]));
  return {
    decided: rows.map((row) => ({
      ...row,
      summary: excerptOf(row.summary, longest),
      runTitle: titles.get(row.run) ?? "",
    })),
    total,
  };
}
