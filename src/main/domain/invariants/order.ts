// What must come before what in a run's journal: one beginning, nothing but aftermath after the stop, no outcome without
// its record, no child without its handoff, one settlement after an end.

import type { EventType, RunEvent } from "../events.ts";
import { findNode } from "../state.ts";
import { type Fault, faultAt, none, type Watcher } from "./fault.ts";

/** What may still happen to a run that has stopped: its landings and what they ask, and words that reopen it. */
const afterStop: readonly string[] = ["approval.", "changeset.", "landing."];
const afterStopTypes: ReadonlySet<EventType> = new Set([
  "command.answered",
  "input.received",
  "payload.erased",
  "repository.moved",
  "run.forked",
  "run.renamed",
  "run.resumed",
  "verification.ran",
]);

/** I4 */
export const watchEnds: Watcher = ({ before, event }) => {
  if (event.type === "run.created") return event.n === 1 ? none : faultAt("I4", event, "the run is created once more");
  if (before === null) return faultAt("I4", event, `the journal begins with ${event.type}`);
  const isAftermath = afterStopTypes.has(event.type) || afterStop.some((prefix) => event.type.startsWith(prefix));
  return before.status !== "stopped" || isAftermath
    ? none
    : faultAt("I4", event, `${event.type} comes after the run has stopped`);
};

/** What an outcome needs to have been recorded before it, by name. */
function recordOf(event: RunEvent): string | null {
  switch (event.type) {
    case "model.completed":
    case "model.failed":
    case "model.lost":
      return `request ${event.agent} ${event.data.request}`;
    case "changeset.landed":
    case "landing.failed":
      return `landing ${event.data.landing}`;
    case "landing.undone":
      return `landing ${event.data.by}`;
    case "approval.decided":
    case "approval.withdrawn":
      return `approval ${event.data.approval}`;
    case "verification.ran":
    case "changeset.reviewed":
    case "changeset.landing":
      return `proposal ${event.data.changeset}`;
    default:
      return null;
  }
}

function recordedBy(event: RunEvent): string | null {
  switch (event.type) {
    case "model.requested":
      return `request ${event.agent} ${event.data.request}`;
    case "changeset.landing":
      return `landing ${event.data.landing}`;
    case "approval.requested":
      return `approval ${event.data.approval}`;
    case "changeset.proposed":
      return `proposal ${event.data.changeset}`;
    default:
      return null;
  }
}

/** I6 */
export function watchRecords(): Watcher {
  const recorded = new Set<string>();
  return ({ event }) => {
    const needed = recordOf(event);
    const faults =
      needed === null || recorded.has(needed)
        ? none
        : faultAt("I6", event, `${event.type} without a record of ${needed}`);
    const name = recordedBy(event);
    if (name !== null) recorded.add(name);
    return faults;
  };
}

/** I7 */
export const watchHandoffs: Watcher = ({ before, event }) => {
  if (event.type === "handoff.recorded")
    return before && findNode(before, event.data.subagent)
      ? faultAt("I7", event, `${event.data.subagent} is handed off once more`)
      : none;
  return event.agent === "lead" || (before && findNode(before, event.agent))
    ? none
    : faultAt("I7", event, `${event.agent} acts before its handoff`);
};

/** I8 */
export const watchSettlements: Watcher = ({ before, event }): readonly Fault[] => {
  if (event.type !== "subagent.settled") return none;
  const node = before === null ? undefined : findNode(before, event.data.subagent);
  if (node?.isSettled === true) return faultAt("I8", event, `${event.data.subagent} settles once more`);
  return node?.end === event.data.status
    ? none
    : faultAt(
        "I8",
        event,
        `${event.data.subagent} settles as ${event.data.status} while it is ${node?.status ?? "unknown"}`,
      );
};
