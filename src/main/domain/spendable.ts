// What of a run's budget is still to be given out. A call of the lead's that waits for a person is charged when they
// answer, so it is held until then: what is handed out meanwhile must leave room for it. Pure.

import type { Budget } from "./budget.ts";
import type { RunState } from "./state.ts";

/** The run's budget, with a tool call reserved for each call that a person has still to answer, but for `call`. */
export function spendable({ budget, approvals }: RunState, call?: string): Budget {
  const asked = approvals.filter(
    (one) => one.status === "open" && (one.kind === "question" || one.kind === "plan") && one.call !== null,
  );
  const held = asked.filter((one) => one.call !== call).length;
  return { ...budget, reserved: { ...budget.reserved, toolCalls: budget.reserved.toolCalls + held } };
}
