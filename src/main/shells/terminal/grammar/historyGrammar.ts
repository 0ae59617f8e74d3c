// Commands that make something of a run's history.

import { type ForkOptions, forkRun } from "../historyCommands.ts";
import { count, oneOf } from "../usage.ts";
import type { CommonFlags, Grammar } from "./grammar.ts";

export function defineHistoryCommands({ command, carryOutChecked }: Grammar): void {
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
}
