// Commands that decide: approvals, landings, and taking them back.

import type { ApprovalId } from "../../../../shared/contract/ids.ts";
import { decide, type DecideFlags, landRun, undoLanding } from "../decideCommands.ts";
import { readHunks, readScope } from "../usage.ts";
import { collect, type CommonFlags, type Grammar, withModel } from "./grammar.ts";

export function defineDecideCommands(grammar: Grammar): void {
  const { command, carryOut, carryOutChecked } = grammar;
  withModel(command("approve <id>", "approve what an agent asks for, or its change"))
    .option("--hunks <file:numbers>", "only these hunks, such as src/a.js:1,3; repeatable", collect, [])
    .option("--scope <reach>", "of a command: once, run, project", "once")
    .option("--message <text>", "the commit's message")
    .option("--resume", "then drive the run on")
    .option("--quiet", "with --resume: only the run's answer")
    .action(
      (
        id: string,
        flags: CommonFlags &
          DecideFlags & { readonly hunks: readonly string[]; readonly scope: string; readonly message?: string },
      ) =>
        carryOutChecked(flags, () => {
          const hunks = readHunks(flags.hunks);
          const decision = {
            approval: id as ApprovalId,
            decision: "approved",
            scope: readScope(flags.scope),
            ...(hunks === undefined ? {} : { hunks }),
            ...(flags.message === undefined ? {} : { message: flags.message }),
          } as const;
          return (invocation) => decide(invocation, decision, flags);
        }),
    );
  withModel(command("reject <id>", "reject it"))
    .option("--comment <text>", "why")
    .option("--resume", "then drive the run on")
    .option("--quiet", "with --resume: only the run's answer")
    .action((id: string, flags: CommonFlags & DecideFlags & { readonly comment?: string }) =>
      carryOut(flags, (invocation) =>
        decide(
          invocation,
          {
            approval: id as ApprovalId,
            decision: "rejected",
            ...(flags.comment === undefined ? {} : { comment: flags.comment }),
          },
          flags,
        ),
      ),
    );
  defineSendBack(grammar);
  withModel(
    command(
      "answer <id> <value>",
      "answer a question, say what became of an effect, or which of opposite verdicts holds",
    ),
  )
    .option("--resume", "then drive the run on")
    .option("--quiet", "with --resume: only the run's answer")
    .action((id: string, value: string, flags: CommonFlags & DecideFlags) =>
      carryOut(flags, (invocation) =>
        decide(invocation, { approval: id as ApprovalId, decision: "answered", comment: value }, flags),
      ),
    );
  command("land <run>", "put a stopped run's branch to one review onto your branch").action(
    (run: string, flags: CommonFlags) => carryOut(flags, (invocation) => landRun(invocation, run)),
  );
  command("undo <landing>", "take a landing back").action((landing: string, flags: CommonFlags) =>
    carryOut(flags, (invocation) => undoLanding(invocation, landing)),
  );
}

function defineSendBack({ command, carryOut }: Grammar): void {
  withModel(command("send-back <id>", "send a change set back to its executor"))
    .requiredOption("--comment <text>", "what is to be changed")
    .option("--with-target", "bring the branch that it lands on into its worktree, to be resolved there")
    .option("--resume", "then drive the run on")
    .option("--quiet", "with --resume: only the run's answer")
    .action(
      (id: string, flags: CommonFlags & DecideFlags & { readonly comment: string; readonly withTarget?: boolean }) =>
        carryOut(flags, (invocation) =>
          decide(
            invocation,
            {
              approval: id as ApprovalId,
              decision: "sent_back",
              comment: flags.comment,
              ...(flags.withTarget === true ? { bringsTarget: true } : {}),
            },
            flags,
          ),
        ),
    );
}
