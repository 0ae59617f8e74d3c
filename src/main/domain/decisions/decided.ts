// What becomes of a question whatever was asked: the record of its decision, that the agent which waits for it goes on, and
// that it is withdrawn.

import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import { type ApprovalState, findNode, type RunState } from "../state.ts";

type Decide = Extract<Command, { type: "approval.decide" }>;

/** The decision as it was taken. */
export function recordOf({ agent, id: approval }: ApprovalState, command: Decide): DraftEvent {
  const { decision, by, scope = "once", comment } = command;
  const data = { approval, decision, by, scope, ...(comment === undefined ? {} : { comment }) };
  return { agent, type: "approval.decided", data };
}

/** Nobody is asked any more, for the reason given. */
export function withdraw({ agent, id: approval }: Pick<ApprovalState, "agent" | "id">, reason: string): DraftEvent {
  return { agent, type: "approval.withdrawn", data: { approval, reason } };
}

/** A subagent that waits for this very decision is ready again. */
export function wakeAsker(state: RunState, approval: ApprovalState): readonly DraftEvent[] {
  const node = findNode(state, approval.agent);
  if (node?.status !== "waiting" || node.waitsOn !== approval.id) return [];
  return [{ agent: node.id, type: "subagent.queued", data: { code: "READY", sentence: "A person decided." } }];
}
