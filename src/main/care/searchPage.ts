// What was found in all runs, each with the run that it is of. The store finds; here it is told for whom.

import type { CareQueries, SearchPage } from "../../shared/contract/care.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import type { StorePort } from "../engine/ports/store.ts";

export async function searchPage(
  store: StorePort,
  { text, limit }: CareQueries["search"],
): Promise<Result<SearchPage>> {
  const [found, rows] = await Promise.all([store.search(text, limit), store.listRuns()]);
  const runs = new Map(rows.map((row) => [row.run, row]));
  const hits = found.texts.flatMap((one) => {
    const row = runs.get(one.run);
    // Deleted between the two looks.
    return row === undefined ? [] : [{ ...one, runTitle: row.title, repo: row.repo }];
  });
  return succeed({ hits, isCut: found.isCut, behindCount: found.behindCount });
}
