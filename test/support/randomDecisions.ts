// Chooses what people decide, for property tests of the core: an answer of the kind that the question takes, whatever it is.

import type { ApprovalId } from "../../src/shared/contract/ids.ts";
import type { Command } from "../../src/main/domain/commands.ts";
import type { ApprovalDecision, ApprovalKind } from "../../src/main/domain/records.ts";
import type { RunState } from "../../src/main/domain/state.ts";
import { oneOf, type Pick } from "./pick.ts";

/** What a person may say while anything is asked. */
export function approvalCommands(state: RunState): readonly ((pick: Pick) => Command)[] {
  return state.approvals.some((approval) => approval.status === "open") ? [(pick) => decideCommand(state, pick)] : [];
}

/** A decision on one of the open questions, mostly one that it takes. */
export function decideCommand(state: RunState, pick: Pick): Command {
  const open = state.approvals.filter((approval) => approval.status === "open");
  const asked = open[pick(Math.max(1, open.length))];
  const approval = asked?.id ?? ("r1-a1" as ApprovalId);
  const said = oneOf(pick, answersTo(asked?.kind));
  const comment = pick(2) === 1 || said !== anyWords ? { comment: said } : {};
  const decision = decisionOn(asked?.kind, pick);
  return {
    type: "approval.decide",
    approval,
    decision,
    by: "a person",
    ...comment,
    ...(decision === "sent_back" && pick(2) === 1 ? { bringsTarget: true } : {}),
    commandId: `decide-${approval}-${pick(3)}`,
  };
}

const anyWords = "Mind the cents.";

function answersTo(kind: ApprovalKind | undefined): readonly [string, ...string[]] {
  if (kind === "effect") return ["applied", "not_applied", "unknown"];
  return kind === "reconcile" ? ["mine", "theirs", "subagent-1"] : [anyWords];
}

function decisionOn(kind: ApprovalKind | undefined, pick: Pick): ApprovalDecision {
  if (kind === "question" || kind === "effect") return "answered";
  if (kind === "reconcile") return oneOf(pick, ["answered", "answered", "answered", "rejected"]);
  return oneOf(pick, ["approved", "rejected", "sent_back", "approved", "sent_back", "answered"]);
}
