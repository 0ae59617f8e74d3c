// Watches the nodes that run: a check each interval, and a ceiling that always fires. Verdicts are events.

import type { SubagentId } from "../../shared/contract/ids.ts";
import { judgeLiveness } from "../domain/liveness.ts";
import type { NodeState } from "../domain/state.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { InFlightTable } from "./inFlight.ts";
import type { Clock } from "./ports/clock.ts";

interface Watch {
  readonly since: number;
  readonly ranBefore: number;
  callOff: () => void;
  checkedAt: number;
  lastN: number;
}

/** Starts watching; returns the way to stop. */
export function watchLiveness(dispatcher: Dispatcher, inFlight: InFlightTable, clock: Clock): () => void {
  const watches = new Map<SubagentId, Watch>();

  const forget = (id: SubagentId) => {
    watches.get(id)?.callOff();
    watches.delete(id);
  };

  const plan = (node: NodeState, watch: Watch) => {
    const { checkIntervalMs } = dispatcher.state().limits;
    const left = node.packet.timeoutMs - ranMs(watch, clock);
    watch.callOff = clock.after(Math.max(1, Math.min(checkIntervalMs, left)), () => check(node.id));
  };

  const check = (id: SubagentId) => {
    const node = dispatcher.state().nodes.find((one) => one.id === id);
    const watch = watches.get(id);
    if (node?.status !== "running" || !watch) return forget(id);
    const hasProgressed = node.lastN > watch.lastN || inFlight.touchedAt(id) > watch.checkedAt;
    const verdict = judgeLiveness({
      hasProgressed,
      inFlight: inFlight.of(id),
      ranMs: ranMs(watch, clock),
      ceilingMs: node.packet.timeoutMs,
    });
    const isFirstCheckOfNothing =
      verdict.verdict === "stalled" &&
      watch.checkedAt === watch.since &&
      !isDue(watch, dispatcher.state().limits.checkIntervalMs, clock);
    if (isFirstCheckOfNothing) return plan(node, watch);
    watch.checkedAt = clock.monotonic();
    const recorded = dispatcher.dispatch({
      type: "agent.check",
      agent: id,
      verdict: verdict.verdict,
      reason: verdict.reason,
      ...("code" in verdict ? { code: verdict.code } : {}),
    });
    void recorded.then((receipt) => {
      const now = dispatcher.state().nodes.find((one) => one.id === id);
      // The verdict itself is an entry of the node; it must not count as progress at the next check.
      watch.lastN = now?.lastN ?? watch.lastN;
      if (receipt.ok && now?.status === "running" && watches.get(id) === watch) plan(now, watch);
    });
  };

  const follow = () => {
    for (const node of dispatcher.state().nodes) {
      if (node.status !== "running") forget(node.id);
      else if (!watches.has(node.id)) {
        const now = clock.monotonic();
        const watch: Watch = {
          since: now,
          ranBefore: node.ranMs,
          callOff: () => undefined,
          checkedAt: now,
          lastN: node.lastN,
        };
        watches.set(node.id, watch);
        plan(node, watch);
      }
    }
  };

  follow();
  const unsubscribe = dispatcher.onCommit(follow);
  return () => {
    unsubscribe();
    for (const watch of watches.values()) watch.callOff();
    watches.clear();
  };
}

function ranMs(watch: Watch, clock: Clock): number {
  return watch.ranBefore + (clock.monotonic() - watch.since);
}

function isDue(watch: Watch, intervalMs: number, clock: Clock): boolean {
  return clock.monotonic() - watch.checkedAt >= intervalMs;
}
