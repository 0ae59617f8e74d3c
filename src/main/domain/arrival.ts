// When a subagent has something for whoever waits for it: its end, a proposal, or a question that only the lead can answer.

import type { WaitArguments } from "./commands.ts";
import { isTerminal } from "./lifecycle.ts";
import type { NodeState } from "./state.ts";

/** Whether it has asked the lead something and does nothing before the answer. */
export function isAskingLead({ status, waitsFor }: NodeState): boolean {
  return status === "waiting" && waitsFor === "context";
}

/** What a wait waits for: an end, a question, or (unless told otherwise) a proposal. */
export function hasArrived(node: NodeState, until: WaitArguments["until"] = "proposed"): boolean {
  if (isTerminal(node.status) || isAskingLead(node)) return true;
  return until !== "completed" && (node.status === "awaiting_review" || node.status === "landing");
}
