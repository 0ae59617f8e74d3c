// `evolve(state, event)`: the fold. Total over committed events, pure, and the only thing that changes a run's state.

import type { EventType, RunEvent } from "./events.ts";
import * as agent from "./evolutions/agent.ts";
import * as budget from "./evolutions/budget.ts";
import * as merge from "./evolutions/merge.ts";
import * as node from "./evolutions/node.ts";
import { patchAgent } from "./evolutions/patch.ts";
import * as review from "./evolutions/review.ts";
import * as run from "./evolutions/run.ts";
import { findAgent, type RunState } from "./state.ts";

type Evolver = (state: RunState, event: RunEvent) => RunState;

const keep: Evolver = (state) => state;

/** One entry for each event type; the compiler refuses a missing one. */
const evolvers = {
  "run.created": keep,
  "run.started": run.started,
  "run.waiting": run.waiting,
  "run.paused": run.paused,
  "run.resumed": run.resumed,
  "run.interrupted": run.interrupted,
  "run.ending": run.ending,
  "run.stopped": run.stopped,
  "run.forked": run.forked,
  "repository.moved": run.moved,
  "run.renamed": run.renamed,
  "input.received": run.inputReceived,
  "plan.updated": run.planned,
  "note.added": run.noted,
  "note.retracted": run.noteRetracted,
  "model.requested": agent.requested,
  "model.completed": agent.completed,
  "model.failed": agent.failed,
  "model.lost": agent.lost,
  "model.retried": agent.retried,
  "context.compacted": keep,
  "tool.refused": agent.refused,
  "tool.dispatched": agent.dispatched,
  "tool.settled": agent.settled,
  "tool.answered": agent.answered,
  "handoff.recorded": node.recorded,
  "handoff.refused": keep,
  "slice.renewed": node.sliceRenewed,
  "policy.judged": node.judged,
  "subagent.queued": node.queued,
  "subagent.started": node.started,
  "subagent.waiting": node.waiting,
  "subagent.resumed": node.resumed,
  "subagent.checked": keep,
  "subagent.messaged": node.messaged,
  "subagent.result": node.resulted,
  "subagent.repair": node.repairAsked,
  "subagent.stopped": node.stopped,
  "subagent.settled": node.settled,
  "worktree.created": node.placeCreated,
  "worktree.provisioned": node.placeProvisioned,
  "worktree.pinned": node.placePinned,
  "worktree.removed": node.placeRemoved,
  "worktree.rebased": node.placeRebased,
  "changeset.proposed": review.proposed,
  "changeset.empty": review.empty,
  "changeset.checked": review.checked,
  "changeset.returned": review.returned,
  "verification.ran": review.verified,
  "changeset.reviewed": review.reviewed,
  "changeset.landing": review.landing,
  "changeset.landed": review.landed,
  "changeset.held": review.held,
  "landing.undone": review.undone,
  "landing.failed": review.landingFailed,
  "changeset.conflicted": review.conflicted,
  "changeset.dropped": review.dropped,
  "approval.requested": review.requested,
  "approval.decided": review.decided,
  "approval.withdrawn": review.withdrawn,
  "merge.conflicted": merge.conflicted,
  "command.answered": keep,
  "options.set": run.optionsSet,
  "budget.set": budget.budgetSet,
  "payload.erased": keep,
  "usage.doubted": budget.usageDoubted,
  "budget.warned": budget.budgetWarned,
  "budget.exhausted": budget.budgetExhausted,
} satisfies { readonly [T in EventType]: unknown };

/** The state after `event`. `state` is `null` before `run.created`, which must come first. */
export function evolve(state: RunState | null, event: RunEvent): RunState {
  if (event.type === "run.created") return run.createdState(event);
  if (state === null) throw new Error(`A journal begins with run.created, not with ${event.type}`);
  // Each entry takes its own event type; the key that selects it is that type.
  const evolver = evolvers[event.type] as Evolver;
  return stamp(evolver(state, event), event);
}

/** Folds a merged journal, in ordinal order. `null` for an empty one. */
export function fold(events: Iterable<RunEvent>, from: RunState | null = null): RunState | null {
  let state = from;
  for (const event of events) state = evolve(state, event);
  return state;
}

/** Whether only a process that drives the run writes this: its agents' work, and that it goes on. */
function isDrivers({ type }: RunEvent): boolean {
  return type === "run.started" || type === "run.resumed" || /^(?:model|tool|subagent|handoff|worktree)\./.test(type);
}

function stamp(state: RunState, event: RunEvent): RunState {
  const stamped: RunState = {
    ...state,
    n: event.n,
    updatedAt: event.at,
    drivenAt: isDrivers(event) ? event.at : state.drivenAt,
    receipts: event.command === undefined ? state.receipts : { ...state.receipts, [event.command]: event.n },
  };
  if (!findAgent(stamped, event.agent)) return stamped;
  return patchAgent(stamped, event.agent, () => ({ lastEventAt: event.at, lastN: event.n }));
}
