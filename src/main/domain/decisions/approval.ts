// Questions that block, and their decisions: one-shot, durable before they act, attributable to whoever decided.

import type { Command, Facts } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import { type Accepted, checkAmendments, checkResolutions, checkSelection } from "../selection.ts";
import {
  type ApprovalState,
  type ChangeSetState,
  findApproval,
  findChangeSet,
  findNode,
  type NodeState,
  requireAgent,
  requireNode,
  type RunState,
} from "../state.ts";
import { mayAct } from "./agent.ts";
import { anotherRound } from "./anotherRound.ts";
import { answerAsker } from "./answer.ts";
import { accept, type Decider, type Decision, reject } from "./decision.ts";
import { recordOf, wakeAsker } from "./decided.ts";
import { answerEffect } from "./effect.ts";
import { nextApproval } from "./nextApproval.ts";
import { answerPlan } from "./planApproval.ts";
import { answerRaise } from "./raise.ts";
import { answerConflict } from "./reconcile.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;
type Decide = CommandOf<"approval.decide">;

export const requestApproval: Decider<CommandOf<"approval.request">> = (state, command) => {
  const { agent, kind, summary, why, call, command: line } = command;
  if (
    state.approvals.some(
      (one) => one.call !== null && one.call === call && one.agent === agent && one.status !== "withdrawn",
    )
  )
    return accept();
  if (!mayAct(state, agent) || requireAgent(state, agent).request !== null)
    return reject("NOT_ACTIVE", `${agent} is not at work, or is thinking.`);
  const node = agent === "lead" ? null : requireNode(state, agent);
  const approval = nextApproval(state);
  const requested: DraftEvent = {
    agent,
    type: "approval.requested",
    data: {
      approval,
      kind,
      agent,
      summary,
      ...(why === undefined ? {} : { why }),
      ...(call === undefined ? {} : { call }),
      ...(line === undefined ? {} : { command: line }),
    },
  };
  return accept(
    requested,
    ...(node === null
      ? []
      : [{ agent: node.id, type: "subagent.waiting", data: { for: "person", approval } } as const]),
  );
};

/** One-shot and durable before it acts: the same decision again changes nothing, another one is refused. */
export const decideApproval: Decider<Decide> = (state, command, facts) => {
  const approval = findApproval(state, command.approval);
  if (!approval)
    return reject("APPROVAL_NOT_FOUND", `There is no approval ${command.approval}; see coppice approvals.`);
  if (approval.status === "withdrawn")
    return reject("ALREADY_DECIDED", `${approval.id} was withdrawn; there is nothing to decide any more.`);
  const misplaced = misplacedPart(approval, command);
  if (misplaced !== null) return reject("BAD_USAGE", misplaced);
  if (approval.status === "decided") return decideAgain(state, approval, command, facts);
  switch (approval.kind) {
    case "changeset":
      return decideChangeSet(state, approval, command, facts);
    case "effect":
      return answerEffect(state, approval, command);
    case "budget":
      return answerRaise(state, approval, command);
    case "plan":
      return answerPlan(state, approval, command);
    case "reconcile":
      return answerConflict(approval, command);
    default:
      return decidePermission(state, approval, command);
  }
};

/** What a person may still say about a change set: while it is open, and again while its landing is held. */
function decideChangeSet(state: RunState, approval: ApprovalState, command: Decide, facts: Facts): Decision {
  const set = findChangeSet(state, approval.changeset);
  const node = approval.agent === "lead" ? null : findNode(state, approval.agent);
  if (!set || (node !== null && node?.status !== "awaiting_review"))
    return reject("NOT_ALLOWED_NOW", `${approval.agent} is not awaiting a review.`);
  const { hunks = "all", amendments = [], resolutions = [] } = command;
  const accepted: Accepted = { hunks, amendments, resolutions };
  const decided: DraftEvent = {
    agent: approval.agent,
    type: "approval.decided",
    data: {
      approval: approval.id,
      decision: command.decision,
      by: command.by,
      scope: "once",
      ...(command.decision === "approved" ? acceptedFacts(accepted) : {}),
      ...(command.comment === undefined ? {} : { comment: command.comment }),
      ...(command.message === undefined ? {} : { message: command.message }),
      ...(command.decision === "sent_back" && command.bringsTarget === true ? { bringsTarget: true } : {}),
    },
  };
  switch (command.decision) {
    case "approved": {
      const problem =
        checkSelection(set.files, hunks) ??
        checkAmendments(set.files, accepted) ??
        checkResolutions(set.files, accepted);
      if (problem !== null) return reject("UNKNOWN_HUNK", problem);
      return accept(
        decided,
        approve(set, accepted, command.by, command.message === undefined ? [] : [command.message]),
      );
    }
    case "rejected":
      return accept(decided, ...drop(set, node ?? null, command));
    case "sent_back":
      if (node) return sendBack(state, node, command, decided, facts);
      return set.isLine
        ? reject("BAD_USAGE", `${set.id} is the run's whole branch; send back the change sets it is made of.`)
        : sendBackToLead(command, decided);
    case "answered":
      return reject("BAD_USAGE", `${approval.id} is a change set: approve it, reject it or send it back.`);
  }
}

function drop(set: ChangeSetState, node: NodeState | null, command: Decide): readonly DraftEvent[] {
  const dropped: DraftEvent = {
    agent: "lead",
    type: "changeset.dropped",
    data: { changeset: set.id, reason: command.comment ?? "Rejected." },
  };
  if (node === null) return [dropped];
  return [
    dropped,
    {
      agent: node.id,
      type: "subagent.stopped",
      data: { status: "failed", code: "REJECTED", sentence: command.comment ?? `Rejected by ${command.by}.` },
    },
  ];
}

/** The same worktree and base, a new slice of half the role's ceiling, and the comments as its next message. */
function sendBack(state: RunState, node: NodeState, command: Decide, decided: DraftEvent, facts: Facts): Decision {
  if (command.comment === undefined || command.comment.trim() === "")
    return reject("BAD_USAGE", "Say with --comment what is to be changed.");
  const again = anotherRound(state, node, command.comment, facts);
  if ("short" in again)
    return reject(
      "BUDGET_EXHAUSTED",
      `The run's budget has no ${again.short.join(", ")} left for another round; approve or reject it.`,
    );
  return accept(decided, ...again.events);
}

/** Its worktree is as it was; the comments are its next message. */
function sendBackToLead(command: Decide, decided: DraftEvent): Decision {
  const { comment, by } = command;
  if (comment === undefined || comment.trim() === "")
    return reject("BAD_USAGE", "Say with --comment what is to be changed.");
  return accept(decided, { agent: "lead", type: "input.received", data: { text: comment, from: by, to: "lead" } });
}

/** A command, a permission, a question: the agent that asked goes on with the answer. */
function decidePermission(state: RunState, approval: ApprovalState, command: Decide): Decision {
  const problem = misfit(approval, command);
  if (problem !== null) return reject("BAD_USAGE", problem);
  return accept(
    recordOf(approval, command),
    ...wakeAsker(state, approval),
    // A question is a call of the lead's: what the person says is its answer.
    ...(approval.kind === "question" ? answerAsker(state, approval, { answer: command.comment ?? "" }) : []),
  );
}

/** What was said of an approval that only another kind can take. */
function misplacedPart({ id, kind }: ApprovalState, command: Decide): string | null {
  const { hunks, amendments, resolutions, scope = "once" } = command;
  if (kind !== "changeset" && (hunks ?? amendments ?? resolutions) !== undefined)
    return `Only a change set has hunks to choose from; ${id} is of the kind ${kind}.`;
  return scope === "once" || kind === "command" || kind === "budget"
    ? null
    : `Only the approval of a command, or of more budget, can reach beyond this once; ${id} is of the kind ${kind}.`;
}

function misfit(approval: ApprovalState, command: Decide): string | null {
  if (approval.kind === "question")
    return command.decision === "answered"
      ? null
      : `${approval.id} is a question; answer it with coppice answer ${approval.id} TEXT.`;
  if (command.decision === "sent_back")
    return `${approval.id} asks for a ${approval.kind}; only a change set can be sent back.`;
  return command.decision === "answered" ? `${approval.id} asks for a ${approval.kind}: approve or reject it.` : null;
}

function decideAgain(state: RunState, approval: ApprovalState, command: Decide, facts: Facts): Decision {
  const set = findChangeSet(state, approval.changeset);
  // Held: nothing has moved, so the question is open again. The same approval tries the landing once more.
  if (set?.status === "held")
    return decideChangeSet(
      state,
      approval,
      command.hunks === undefined && set.selection !== null ? { ...acceptedBefore(set), ...command } : command,
      facts,
    );
  const isSame =
    approval.decision === command.decision &&
    isSameAcceptance(approval, set, command) &&
    (approval.scope ?? "once") === (command.scope ?? "once") &&
    isSameSaying(approval, command);
  return isSame ? accept() : reject("ALREADY_DECIDED", `${approval.id} was ${wordOf(approval)} by ${approval.by}.`);
}

/** What was accepted before the landing was held. What was chosen in conflicts that are others now is not chosen any more. */
function acceptedBefore({ selection, amendments, resolutions, held }: ChangeSetState): Accepted {
  const isOutdated = held?.code === "RESOLUTION_OUTDATED";
  return { hunks: selection ?? "all", amendments, resolutions: isOutdated ? [] : resolutions };
}

/** Which hunks, and how they stand: an approval that names none is of all of them. */
function isSameAcceptance(approval: ApprovalState, set: ChangeSetState | undefined, command: Decide): boolean {
  if (command.decision !== "approved" || set === undefined) return true;
  const { hunks = "all", amendments = [], resolutions = [] } = command;
  const isSame = (asked: unknown, known: unknown) => JSON.stringify(asked) === JSON.stringify(known);
  return (
    isSame(hunks, approval.hunks ?? "all") && isSame(amendments, set.amendments) && isSame(resolutions, set.resolutions)
  );
}

/** What an answer and a sending back say is what they do; elsewhere a comment only goes along. */
function isSameSaying(approval: ApprovalState, { decision, comment, bringsTarget = false }: Decide): boolean {
  if (decision !== "answered" && decision !== "sent_back") return true;
  return approval.comment === comment && approval.bringsTarget === bringsTarget;
}

function wordOf(approval: ApprovalState): string {
  return approval.decision === "sent_back" ? "sent back" : (approval.decision ?? "decided");
}

/** The event that lets a change set land. */
export function approve(set: ChangeSetState, accepted: Accepted, by: string, comments: readonly string[]): DraftEvent {
  return {
    agent: "lead",
    type: "changeset.reviewed",
    data: { changeset: set.id, ...acceptedFacts(accepted), comments, by },
  };
}

/** What an event says of it; amendments and resolutions only where there are some. */
function acceptedFacts({ hunks, amendments, resolutions }: Accepted) {
  return {
    hunks,
    ...(amendments.length === 0 ? {} : { amendments }),
    ...(resolutions.length === 0 ? {} : { resolutions }),
  };
}
