// What a viewer has done with runs as files and with backups, told in words. Files are on the machine that Coppice runs on.

import { isAbsolute } from "node:path";
import type { CareCommand } from "../../shared/contract/care.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { StorePort } from "../engine/ports/store.ts";
import type { History } from "./history.ts";

export type HistoryCommand = Extract<CareCommand, { readonly type: "backUp" | "exportRun" | "importRun" }>;

interface Parts {
  readonly store: StorePort;
  readonly history: History;
}

/** Codes: those of `History`, `RUN_NOT_FOUND`, and `BAD_USAGE` for a path that is not absolute. */
export async function keepHistory({ store, history }: Parts, command: HistoryCommand): Promise<Result<string>> {
  if (command.type === "backUp") {
    const made = await history.backUp();
    return made.ok
      ? succeed(`Backed up as ${made.value.name}: ${made.value.runs} runs, ${made.value.events} events, proved whole.`)
      : made;
  }
  const { file } = command;
  if (!isAbsolute(file)) return fail({ code: "BAD_USAGE", message: `${file} is not a whole path; begin it with /.` });
  if (command.type === "importRun") {
    const imported = await history.importRun(file);
    return imported.ok ? succeed(`${imported.value.run} is imported; it can be looked at and replayed.`) : imported;
  }
  const found = await store.findRun(command.run);
  if (!found.ok) return found;
  const written = await history.exportRun(found.value, file);
  if (!written.ok) return written;
  const { manifest, withoutCommits } = written.value;
  const lack = withoutCommits === null ? "" : ` It holds no commits: ${withoutCommits}.`;
  return succeed(`${found.value.run} is in ${file}: ${manifest.events} events.${lack}`);
}
