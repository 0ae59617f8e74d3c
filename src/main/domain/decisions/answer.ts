// What a call of a control tool is told: an event of its own, committed with whatever the call has brought about.

import type { Json } from "../../../shared/lib/json.ts";
import type { AgentId } from "../../../shared/contract/ids.ts";
import type { DraftEvent } from "../events.ts";
import { type ApprovalState, requireAgent, type RunState } from "../state.ts";

/** The answer of one call, which its agent reads as JSON. */
export function answer(agent: AgentId, call: string, tool: string, output: Json): DraftEvent {
  return { agent, type: "tool.answered", data: { call, tool, output: JSON.stringify(output) } };
}

/** What went wrong, as an answer says it. */
export function problem(code: string, message: string): Json {
  return { error: { code, message } };
}

/** Whether an answer, as it stands in its event, says what went wrong. */
export function isProblem(output: string): boolean {
  return output.startsWith('{"error":');
}

/** The answer of the call that waits for a decision; none where no call does any more. */
export function answerAsker(state: RunState, asked: ApprovalState, output: Json): readonly DraftEvent[] {
  const call = requireAgent(state, asked.agent).calls.find(({ id, status }) => id === asked.call && status === "open");
  return call === undefined ? [] : [answer(asked.agent, call.id, call.tool, output)];
}
