// Commands that make something of a run's history.

import {
  backUp,
  exportRun,
  type ForkOptions,
  forkRun,
  importRun,
  listBackups,
  restoreStore,
} from "../historyCommands.ts";
import { count, oneOf, usageError } from "../usage.ts";
import type { CommonFlags, Grammar } from "./grammar.ts";

export function defineHistoryCommands({ command, carryOut, carryOutChecked, carryOutClosed }: Grammar): void {
  command("fork <run>", "a new run that goes on from one moment of this one")
    .requiredOption("--at <n>", "the ordinal of its journal to go on from")
    .option("--base <commit>", "line: where the run stood then; target: where its branch stands now", "line")
    .action((run: string, flags: CommonFlags & { readonly at: string; readonly base: string }) =>
      carryOutChecked(flags, () => {
        const options: ForkOptions = {
          at: count("--at", flags.at) ?? 1,
          base: oneOf("--base", flags.base, ["line", "target"]),
        };
        return (invocation) => forkRun(invocation, run, options);
      }),
    );
  command("export <run>", "a run as one file that another Coppice can import")
    .requiredOption("-o, --output <file>", "the file, such as run.coppice; one that is there is replaced")
    .action((run: string, flags: CommonFlags & { readonly output: string }) =>
      carryOut(flags, (invocation) => exportRun(invocation, run, flags.output)),
    );
  command("import <file>", "a run from such a file, to look at and replay")
    .option("--repo <folder>", "a copy of its repository, to take its commits in")
    .action((file: string, flags: CommonFlags & { readonly repo?: string }) =>
      carryOut(flags, (invocation) => importRun(invocation, file, flags.repo)),
    );
  command("backup", "back up all runs, proved whole; the last three are kept")
    .option("--list", "those there are, newest first")
    .option("--restore [name]", "put one in the journal's place (default: the newest); what stands there is kept")
    .action((flags: CommonFlags & { readonly list?: boolean; readonly restore?: string | true }) => {
      const { list, restore } = flags;
      if (restore !== undefined)
        return carryOutClosed(flags, (output, home) => {
          if (list === true) throw usageError("Give either --list or --restore, not both.");
          return restoreStore(output, home, restore === true ? null : restore);
        });
      return carryOut(flags, list === true ? listBackups : backUp);
    });
}
