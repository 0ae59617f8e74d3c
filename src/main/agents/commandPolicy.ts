// May this command run? Under `ask` a person decides: once, for the run, or for the project; the agent waits without a
// slot meanwhile. An agent's words never count as a decision.

import { isMatched, judgeCommand, ruleFor } from "../domain/commandRule.ts";
import type { CallState, RunState } from "../domain/state.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { Bench } from "./bench.ts";
import type { Tool } from "./tools/tool.ts";

/** `waiting`: asked, and the agent has been set to wait; its loop comes back to the call when somebody has decided. */
export type Permission = "allowed" | "waiting" | { readonly code: string; readonly message: string };

/** Only execution is asked about: reading and editing stay in the agent's own folder. */
export async function askToRun(
  seat: Seat,
  bench: Bench,
  call: CallState,
  tool: Tool,
  input: unknown,
): Promise<Permission> {
  if (tool.effect !== "execute") return "allowed";
  const isConfined = bench.sandbox.isWhole || bench.trustsCommands;
  const judge = (isAllowedBefore: boolean) =>
    judgeCommand({ mode: seat.state().options.commands, isConfined, isAllowedBefore });
  if (judge(false) === "refused")
    return { code: "COMMANDS_DENIED", message: "This run allows no commands (--commands deny)." };
  if (judge(false) === "runs") return "allowed";
  const line = commandOf(input);
  const approval = seat
    .state()
    .approvals.findLast((one) => one.kind === "command" && one.agent === seat.agent && one.call === call.id);
  if (approval?.status === "decided") {
    if (approval.decision !== "approved")
      return {
        code: "COMMAND_REJECTED",
        message: approval.comment ?? "A person decided that this command does not run.",
      };
    // Kept by whoever carries the call out, so that the decision stands before it acts; a second time changes nothing.
    if (approval.scope === "project") await bench.rules.allow(seat.state().repo, line);
    return "allowed";
  }
  if (approval === undefined) {
    if (judge(isAllowedBefore(seat.state(), line) || bench.rules.matches(seat.state().repo, line)) === "runs")
      return "allowed";
    await request(seat, bench, call, line);
  }
  return "waiting";
}

/** Whether a person has allowed this command for the rest of the run, or for more. */
function isAllowedBefore(state: RunState, line: string): boolean {
  return state.approvals.some(
    ({ kind, decision, scope, command }) =>
      kind === "command" &&
      decision === "approved" &&
      (scope === "run" || scope === "project") &&
      command !== null &&
      isMatched(ruleFor(command), line),
  );
}

function commandOf(input: unknown): string {
  return typeof input === "object" && input !== null && "command" in input ? String(input.command) : "";
}

async function request(seat: Seat, bench: Bench, call: CallState, command: string): Promise<void> {
  const why = bench.sandbox.isWhole ? undefined : `The sandbox is not whole here: ${bench.sandbox.missing.join(" ")}`;
  await seat.dispatch({
    type: "approval.request",
    agent: seat.agent,
    kind: "command",
    summary: command,
    call: call.id,
    command,
    ...(why === undefined ? {} : { why }),
  });
}
