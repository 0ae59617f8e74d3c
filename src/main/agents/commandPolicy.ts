// May this command run? Under `ask` a person decides, once for each call; the agent waits without a slot meanwhile.

import type { CallState } from "../domain/state.ts";
import type { Seat } from "../engine/ports/agent.ts";
import type { Bench } from "./bench.ts";
import type { Tool } from "./tools/tool.ts";

/** `waiting`: asked, and the agent has been set to wait; its loop comes back to the call when somebody has decided. */
export type Permission = "allowed" | "waiting" | { readonly code: string; readonly message: string };

/** Only execution is asked about: reading and editing stay in the agent's own folder. */
export async function askToRun(seat: Seat, bench: Bench, call: CallState, tool: Tool, input: unknown): Promise<Permission> {
  if (tool.effect !== "execute") return "allowed";
  const { commands } = seat.state().options;
  if (commands === "deny") return { code: "COMMANDS_DENIED", message: "This run allows no commands (--commands deny)." };
  if (commands === "allow" && (bench.sandbox.isWhole || bench.trustsCommands)) return "allowed";
  const approval = seat.state().approvals.findLast((one) => one.agent === seat.agent && one.call === call.id);
  if (approval?.status === "decided") {
    if (approval.decision === "approved") return "allowed";
    return { code: "COMMAND_REJECTED", message: approval.comment ?? "A person decided that this command does not run." };
  }
  if (approval === undefined) await request(seat, bench, call, input);
  return "waiting";
}

async function request(seat: Seat, bench: Bench, call: CallState, input: unknown): Promise<void> {
  const command = typeof input === "object" && input !== null && "command" in input ? String(input.command) : "";
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
