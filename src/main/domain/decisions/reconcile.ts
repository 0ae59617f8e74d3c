// Opposite verdicts on one tree: put on record, asked about, and settled by a person. Other work goes on meanwhile. Where
// nobody can be asked, or nobody will choose, the lead sums up and the run stops unreconciled.

import {
  chosenVerdict,
  newConflicts,
  openConflicts,
  questionAbout,
  sideSentences,
  sideWords,
  whyMoot,
} from "../verdictConflicts.ts";
import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import type { VerdictConflict } from "../records.ts";
import type { ApprovalState, RunState } from "../state.ts";
import { isEverythingSettled, nextLeadTurn } from "../turn.ts";
import { recordOf, withdraw } from "./decided.ts";
import { accept, type Decision, reject } from "./decision.ts";
import { hasNobodyToAsk, nextApproval } from "./nextApproval.ts";

type Decide = Extract<Command, { type: "approval.decide" }>;

/** The first conflict that is not on record, or that stands and of which nobody has been asked; none while there is none. */
export function reconcileNext(state: RunState): readonly DraftEvent[] {
  if (state.ending !== null || (state.status !== "running" && state.status !== "waiting")) return [];
  const [found] = newConflicts(state);
  if (found !== undefined) return [{ agent: "lead", type: "merge.conflicted", data: found }];
  if (state.lead.limitReached !== null) return [];
  const unasked = openConflicts(state).find((conflict) => questionAbout(state, conflict)?.status !== "open");
  if (unasked === undefined) return [];
  // Only a person's words reopen a run that gave up on it, so there is somebody now.
  const wasGivenUp = questionAbout(state, unasked)?.decision === "rejected";
  if (wasGivenUp || !hasNobodyToAsk(state)) return [questionOf(state, unasked)];
  return isLeadAtItsEnd(state) ? giveUp(state, unasked) : [];
}

/** Opposite verdicts that do not both stand any more are no question. */
export function withdrawMoot(state: RunState): readonly DraftEvent[] {
  const asked = state.approvals.filter(({ kind, status }) => kind === "reconcile" && status === "open");
  if (asked.length === 0) return [];
  const open = openConflicts(state);
  return asked
    .filter((one) => !open.some((conflict) => questionAbout(state, conflict)?.id === one.id))
    .map((one) => withdraw(one, whyMoot(state, one)));
}

/** A side is chosen by its word or by the subagent that took it; no leaves the conflict as it is, and ends the run's work. */
export function answerConflict(approval: ApprovalState, command: Decide): Decision {
  const { conflict, id } = approval;
  if (command.decision === "rejected") return accept(recordOf(approval, command));
  const said = (command.comment ?? "").trim();
  if (conflict === null || command.decision !== "answered" || chosenVerdict(conflict, said) === null)
    return reject(
      "BAD_USAGE",
      `${id} asks which of opposite verdicts holds: coppice answer ${id} ${answersTo(conflict).join("|")}, or reject it.`,
    );
  return accept(recordOf(approval, { ...command, comment: said }));
}

/** Whether the lead has said what it has to say: nobody is at work, and it waits for nothing. */
function isLeadAtItsEnd(state: RunState): boolean {
  return state.lead.spoke !== null && isEverythingSettled(state) && nextLeadTurn(state).kind === "idle";
}

/** On record as any other question, with the answer that the policy gives in nobody's place. */
function giveUp(state: RunState, conflict: VerdictConflict): readonly DraftEvent[] {
  const asked = questionOf(state, conflict);
  if (asked.type !== "approval.requested") return [];
  const { approval } = asked.data;
  const by = `policy ${state.options.approve}`;
  return [
    asked,
    {
      agent: "lead",
      type: "approval.decided",
      data: { approval, decision: "rejected", by, scope: "once", comment: "Nobody is there to be asked." },
    },
  ];
}

function questionOf(state: RunState, { criterion, tree, steps, sides }: VerdictConflict): DraftEvent {
  const conflict = { criterion, tree, steps, sides };
  const blocked =
    steps.length === 0 ? "" : ` Until one holds, ${steps.join(" and ")} cannot be done; other work goes on.`;
  return {
    agent: "lead",
    type: "approval.requested",
    data: {
      approval: nextApproval(state),
      kind: "reconcile",
      agent: "lead",
      summary: `Which verdict on “${criterion}” holds? ${sideSentences(conflict).join(", ")}.`,
      why: `They looked at the same tree, ${tree.slice(0, 10)}.${blocked} The answer is mine for ${sideWords.mine}, theirs for ${sideWords.theirs}, or whose verdict holds.`,
      choices: answersTo(conflict),
      conflict,
    },
  };
}

function answersTo(conflict: VerdictConflict | null): readonly string[] {
  return [...Object.keys(sideWords), ...(conflict?.sides ?? []).map(({ by }) => by)];
}
