// What happens before a run that was not driven goes on: leftovers ended, lost requests marked, cut calls judged by
// their effect class. Every step is keyed by the journal, so that a crash in here repeats nothing.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { EffectClass, ToolOutcome } from "../domain/events.ts";
import type { CallState, RunState } from "../domain/state.ts";
import { takeSeat } from "./seat.ts";
import type { WorkRoom } from "./room.ts";

/** Readies a run whose lease this process has just taken, for the effect worker to go on with. */
export async function recoverRun(room: WorkRoom): Promise<void> {
  const { dispatcher } = room;
  // Look only after quiescence: processes that an earlier holder left must not change what is looked at.
  await room.commands.sweep(dispatcher.run);
  await dispatcher.dispatch({ type: "run.recover", epoch: dispatcher.epoch() });
  for (const { agent, call } of cutCalls(dispatcher.state())) await settleCut(room, agent, call);
}

function cutCalls(state: RunState): readonly { readonly agent: AgentId; readonly call: CallState }[] {
  return [state.lead, ...state.nodes].flatMap((agent) =>
    agent.calls.filter((call) => call.status === "dispatched").map((call) => ({ agent: agent.id, call })),
  );
}

async function settleCut(room: WorkRoom, agent: AgentId, call: CallState): Promise<void> {
  const { outcome, output } = await judge(room, agent, call);
  await room.dispatcher.dispatch({
    type: "agent.settle",
    agent,
    call: call.id,
    outcome,
    durationMs: 0,
    output,
    resultHash: `cut:${call.id}`,
    changedState: outcome !== "not_applied",
  });
}

/** The rule for each class of effect when the process died between its dispatch and its settlement. */
async function judge(
  room: WorkRoom,
  agent: AgentId,
  call: CallState,
): Promise<{ readonly outcome: ToolOutcome; readonly output: string }> {
  const effectClass: EffectClass = call.class ?? "opaque";
  switch (effectClass) {
    case "pure":
      return {
        outcome: "not_applied",
        output: "Not carried out: Coppice was interrupted. Ask again if you still need it.",
      };
    case "verifiable": {
      const verdict = await room.agents.verify(takeSeat(room, agent, new AbortController().signal), call);
      if (verdict === "applied")
        return {
          outcome: "reconciled",
          output: "Carried out: Coppice was interrupted right after it, looked, and found it done.",
        };
      if (verdict === "not_applied")
        return {
          outcome: "not_applied",
          output: "Not carried out: Coppice was interrupted before it. Nothing was changed.",
        };
      return {
        outcome: "unknown",
        output:
          "Coppice was interrupted during this, and the files are neither as before nor as wanted. Read them before you go on.",
      };
    }
    case "rerunnable":
      return {
        outcome: "cancelled",
        output:
          "Cut off: Coppice was interrupted while this ran. Files may have changed; it counts as no evidence. Run it again if you need it.",
      };
    case "opaque":
      return {
        outcome: "unknown",
        output:
          "Coppice was interrupted while this ran, and whether it took effect is not known. Look before you do it again.",
      };
  }
}
