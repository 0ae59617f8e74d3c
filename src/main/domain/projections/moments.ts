// The stops of a scrubber over a journal: every event while there are few, and merged ones, with what is notable kept,
// when there are many.

import { type Moment, type MomentKind, momentKinds, type Moments, maxMoments } from "../../../shared/contract/pages.ts";
import type { RunEvent } from "../events.ts";

/** At most `max` stops, in order, the last event always one. Plain events are merged first, into groups of one size; where the notable alone are too many, so are they, and the most notable stands for its group. */
export function momentsOf(events: readonly RunEvent[], max = maxMoments): Moments {
  const moments = events.map((event): Moment => ({ n: event.n, at: event.at, kind: kindOf(event), count: 1 }));
  return { total: events.length, moments: moments.length <= max ? moments : merge(moments, max) };
}

function merge(moments: readonly Moment[], max: number): readonly Moment[] {
  const notable = moments.filter(isNotable).length;
  // Between k notable moments lie at most k + 1 stretches of plain ones, each at least one group.
  const keepsNotable = 2 * notable + 1 < max;
  for (let size = 2; ; size *= 2) {
    const merged = group(moments, size, keepsNotable);
    if (merged.length <= max) return merged;
  }
}

function group(moments: readonly Moment[], size: number, keepsNotable: boolean): readonly Moment[] {
  const groups: Moment[] = [];
  let open: Moment | null = null;
  const close = () => {
    if (open) groups.push(open);
    open = null;
  };
  for (const moment of moments) {
    if (keepsNotable && isNotable(moment)) close();
    open = open === null ? moment : join(open, moment);
    if (open.count >= size || (keepsNotable && isNotable(moment))) close();
  }
  close();
  return groups;
}

/** Stands at its last event, so that going there shows all of it. */
function join(left: Moment, right: Moment): Moment {
  const kind = rankOf(left) > rankOf(right) ? left.kind : right.kind;
  return { n: right.n, at: right.at, kind, count: left.count + right.count };
}

function isNotable(moment: Moment): boolean {
  return moment.kind !== "event";
}

function rankOf({ kind }: Moment): number {
  return momentKinds.indexOf(kind);
}

function kindOf(event: RunEvent): MomentKind {
  switch (event.type) {
    case "input.received":
      return "message";
    case "handoff.recorded":
      return "spawn";
    case "approval.requested":
      return "approval";
    case "approval.decided":
      return "decision";
    case "changeset.landed":
    case "landing.undone":
      return "landing";
    case "model.failed":
    case "handoff.refused":
    case "tool.refused":
    case "changeset.held":
    case "merge.conflicted":
    case "landing.failed":
    case "budget.exhausted":
    case "run.interrupted":
      return "failure";
    case "tool.settled":
      return event.data.outcome === "failed" || event.data.outcome === "unknown" ? "failure" : "event";
    case "verification.ran":
      return event.data.exitCode === 0 ? "event" : "failure";
    case "subagent.stopped":
      return event.data.status === "failed" ? "failure" : "event";
    case "run.stopped":
      return "stop";
    default:
      return "event";
  }
}
