// The one loop that drives lead and subagents alike. It holds nothing of its own: what comes next is read from the
// state each time, so a loop that was killed goes on as if it had not been.

import { findNode, requireNode } from "../domain/state.ts";
import { nextTurnOf, type Turn } from "../domain/turn.ts";
import type { AgentPort, Seat } from "../engine/ports/agent.ts";
import type { CommandPort } from "../engine/ports/command.ts";
import type { GitPort } from "../engine/ports/git.ts";
import type { RulePort } from "../engine/ports/rules.ts";
import { askModel } from "./askModel.ts";
import { type Bench, setUpBench } from "./bench.ts";
import { runCalls } from "./callRunner.ts";
import { Conversation } from "./conversation.ts";
import type { ModelDesk } from "./modelRequest.ts";
import { proseResult } from "./result.ts";

export interface AgentDeps extends ModelDesk {
  readonly git: GitPort;
  readonly commands: CommandPort;
  /** The commands of this run are known and harmless (the bundled demo), so they run even where the sandbox is not whole. */
  readonly trustsCommands: boolean;
  /** What people have allowed for good. */
  readonly rules: RulePort;
}

/** Agents that are driven by our own loop over a model server. */
export function createAgents(deps: AgentDeps): AgentPort {
  return {
    async drive(seat) {
      const bench = setUpBench(seat, deps, await deps.commands.report());
      const conversation = new Conversation(seat.agent);
      while (!seat.signal.aborted) {
        const turn = nextTurnOf(seat.state(), seat.agent);
        if (turn.kind === "idle") return;
        const { n } = seat.state();
        await takeTurn(seat, bench, conversation, deps, turn);
        // A turn that left no trace (the state moved on meanwhile) must not spin.
        if (seat.state().n === n && !seat.signal.aborted) return;
      }
    },

    async verify(seat, call) {
      const bench = setUpBench(seat, deps, await deps.commands.report());
      const tool = bench.findTool(call.tool);
      const place = await seat.place();
      if (!tool?.verify || !place.ok) return "third_state";
      return tool.verify(
        call.input,
        bench.contextFor(place.value, seat.signal, () => undefined),
      );
    },
  };
}

async function takeTurn(
  seat: Seat,
  bench: Bench,
  conversation: Conversation,
  deps: AgentDeps,
  turn: Exclude<Turn, { kind: "idle" }>,
): Promise<void> {
  const { agent } = seat;
  switch (turn.kind) {
    case "calls":
      return runCalls(seat, bench, turn.calls, deps.clock);
    case "request": {
      if (!(await hasPlace(seat))) return;
      return askModel(seat, bench, deps, conversation);
    }
    case "keepProse":
      if (agent === "lead") return;
      await seat.dispatch({
        type: "agent.submit",
        agent: requireNode(seat.state(), agent).id,
        call: null,
        result: proseResult(turn.text),
        schema: "unstructured",
        marks: [],
      });
      return;
    case "fail":
      await seat.dispatch({ type: "agent.fail", agent, code: turn.code, sentence: turn.sentence });
      return;
    case "abandonChildren":
      await seat.dispatch({ type: "lead.abandonChildren" });
  }
}

/** A subagent whose place cannot be made fails with git's words before it costs anything. */
async function hasPlace(seat: Seat): Promise<boolean> {
  const node = findNode(seat.state(), seat.agent);
  if (!node || node.requestCount > 0) return true;
  const place = await seat.place();
  if (!place.ok && !seat.signal.aborted)
    await seat.dispatch({
      type: "agent.fail",
      agent: seat.agent,
      code: place.error.code,
      sentence: place.error.message,
    });
  return place.ok;
}
