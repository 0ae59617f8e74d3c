// How much of what all runs share the other runs held while a run was decided, read from what its subagents waited for: the
// least that explains it, so that whoever began had a place. Pure.

import type { RunEvent } from "../events.ts";
import { evolve } from "../evolve.ts";
import { type Capacity, holdsSlot } from "../graph/schedule.ts";
import type { NodeState, RunState } from "../state.ts";

/** Events of a moment that are looked at: no transaction is much longer. */
const furthest = 400;

/** What was recorded at one time, from this event on: what one command has become, and perhaps more. */
export function momentAt(journal: readonly RunEvent[], at: number): readonly RunEvent[] {
  const end = journal.slice(at, at + furthest).findIndex((event) => event.at !== journal[at]?.at);
  return journal.slice(at, at + (end === -1 ? furthest : end));
}

/** What other runs may have held at the moment that begins with this event, each once: how many events of the moment are one command's is not known. */
export function capacitiesAt(journal: readonly RunEvent[], at: number, before: RunState | null): readonly Capacity[] {
  const held = new Map<string, Capacity>();
  let state = before;
  let passed: readonly Wait[] = [];
  for (const event of momentAt(journal, at)) {
    if (state === null) break;
    const atWork = state.nodes.filter(holdsSlot);
    state = evolve(state, event);
    // They are asked in order of creation, until one begins or has another reason to wait.
    const last = admittedBy(event, state);
    passed = [...passed, ...waitsOf(state, atWork).filter(({ node }) => node.ordinal <= last)];
    const waits = [...passed, ...waitsOf(state, state.nodes.filter(holdsSlot))];
    if (waits.length === 0) continue;
    const capacity = capacityOf(waits);
    held.set(JSON.stringify(capacity), capacity);
  }
  return [...held.values()];
}

/** The ordinal of the subagent that this event lets in, or gives a reason to wait; 0: none. */
function admittedBy({ type, agent }: RunEvent, { nodes }: RunState): number {
  const isAdmission = type === "subagent.queued" || type === "subagent.started" || type === "subagent.resumed";
  return isAdmission ? (nodes.find(({ id }) => id === agent)?.ordinal ?? 0) : 0;
}

/** A subagent that waits for a place, and how many of those the others held at least. */
interface Wait {
  readonly node: NodeState;
  readonly least: number;
}

function waitsOf({ nodes, limits }: RunState, atWork: readonly NodeState[]): readonly Wait[] {
  return nodes.flatMap((node): Wait | readonly [] => {
    const { queue, model } = node;
    if (queue?.code === "MODEL")
      return { node, least: limits.maxPerModel - atWork.filter((other) => other.model === model).length };
    // Else it is the run's own slots that are taken.
    const isElsewhere = queue?.code === "SLOT" && atWork.length < limits.maxConcurrent;
    return isElsewhere ? { node, least: limits.maxOverAllRuns - atWork.length } : [];
  });
}

function capacityOf(waits: readonly Wait[]): Capacity {
  const byModel = new Map<string, number>();
  let runningElsewhere = 0;
  for (const { node, least } of waits) {
    if (node.queue?.code === "SLOT") runningElsewhere = Math.max(runningElsewhere, least);
    else byModel.set(node.model, Math.max(byModel.get(node.model) ?? 0, least));
  }
  return { runningElsewhere, runningElsewhereByModel: Object.fromEntries(byModel) };
}
