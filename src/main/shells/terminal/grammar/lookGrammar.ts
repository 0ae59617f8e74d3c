// Commands that look: runs, one run then and now, its journal and notepad, its changes, what waits, this machine.

import { keepNotes, type NoteFlags, readNoteOrder } from "../noteCommands.ts";
import { examine, listApprovals, listRuns, showDiff, showLog, showRun, watchRun } from "../queryCommands.ts";
import { replayRun } from "../replayCommand.ts";
import { verifyReplay } from "../verifyReplayCommand.ts";
import type { CommonFlags, Grammar } from "./grammar.ts";

export function defineLookCommands({ command, carryOut, carryOutChecked }: Grammar): void {
  command("runs", "list runs, newest first").action((flags: CommonFlags) => carryOut(flags, listRuns));
  command("show <run>", "one run as it stands, or stood")
    .option("--at <n>", "as of this ordinal of its journal")
    .action((run: string, flags: CommonFlags & { readonly at?: string }) =>
      carryOut(flags, (invocation) => showRun(invocation, run, flags.at)),
    );
  command("log <run>", "its merged journal")
    .option("--from <n>", "from this ordinal")
    .action((run: string, flags: CommonFlags & { readonly from?: string }) =>
      carryOut(flags, (invocation) => showLog(invocation, run, flags.from)),
    );
  command("watch <run>", "follow a run that another process drives").action((run: string, flags: CommonFlags) =>
    carryOut(flags, (invocation) => watchRun(invocation, run)),
  );
  command("replay <run>", "its timeline once more, at its own pace or faster")
    .option("--speed <n>", "times its own pace", "1")
    .option(
      "--verify",
      "show nothing, but decide it once more by the rules of this build, and say what would be otherwise",
    )
    .action((run: string, flags: CommonFlags & { readonly speed: string; readonly verify?: boolean }) =>
      carryOut(flags, (invocation) =>
        flags.verify === true ? verifyReplay(invocation, run) : replayRun(invocation, run, flags.speed),
      ),
    );
  command("note <run> [text]", "its notepad, which every subagent is given; with a text, add to it")
    .option("--kind <word>", "of a new note: learning, decision, issue, problem (default: decision)")
    .option("--retract <n>", "take back the note with this number")
    .action((run: string, text: string | undefined, flags: CommonFlags & NoteFlags) =>
      carryOutChecked(flags, () => {
        const order = readNoteOrder(text, flags);
        return (invocation) => keepNotes(invocation, run, order);
      }),
    );
  command("approvals [run]", "what waits for you, oldest first").action((run: string | undefined, flags: CommonFlags) =>
    carryOut(flags, (invocation) => listApprovals(invocation, run)),
  );
  command("diff <run> [agent]", "an agent's change, or all that the run has landed").action(
    (run: string, subagent: string | undefined, flags: CommonFlags) =>
      carryOut(flags, (invocation) => showDiff(invocation, run, subagent)),
  );
  command("doctor", "check the journal and this machine, one line each")
    .option("--repair", "first mend what can be mended without losing anything")
    .action((flags: CommonFlags & { readonly repair?: boolean }) =>
      carryOut(flags, (invocation) => examine(invocation, flags.repair === true)),
    );
}
