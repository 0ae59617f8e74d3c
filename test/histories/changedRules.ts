// What today's rules decide otherwise than a release did, each on purpose and by name. A difference that no line here
// names is a rule that changed without anybody having meant it.

import { type Difference, differingFields } from "../../src/main/domain/redecide/redecide.ts";
import type { EventType } from "../../src/main/domain/events.ts";

interface ChangedRule {
  /** Up to which release it was decided otherwise. */
  readonly upTo: string;
  readonly what: string;
  readonly type: EventType;
  /** Of what type the event is that is made in its place now; the same where none is named. */
  readonly today?: EventType;
  /** The fields of its data that are others now. */
  readonly fields: readonly string[];
}

const changedRules: readonly ChangedRule[] = [
  {
    upTo: "0.1.0",
    what: "the question of a review has no full stop before its colon",
    type: "approval.requested",
    fields: ["summary"],
  },
  {
    upTo: "0.1.0",
    what: "a task that is in another subagent's hands already is warned of",
    type: "handoff.recorded",
    fields: ["warnings"],
  },
  {
    upTo: "0.1.0",
    what: "the same warning stands in the answer to the spawn",
    type: "tool.answered",
    fields: ["output"],
  },
  ...(["subagent.settled", "run.stopped"] as const).map((type) => ({
    upTo: "0.1.0",
    what: "a call that is under way when its agent is settled, or the run stops, is settled before",
    type,
    today: "tool.settled" as const,
    fields: [],
  })),
];

/** The differences that no change of a rule since `release` explains. */
export function unnamed(release: string, differences: readonly Difference[]): readonly Difference[] {
  const rules = changedRules.filter(({ upTo }) => upTo.localeCompare(release, "en", { numeric: true }) >= 0);
  return differences.filter(({ recorded, today }) => {
    if (today === null) return true;
    const isElse = today.type !== recorded.type;
    const others = isElse ? [] : differingFields(recorded, today);
    return !rules.some(
      ({ type, today: inItsPlace = type, fields }) =>
        type === recorded.type &&
        inItsPlace === today.type &&
        (isElse || today.agent === recorded.agent) &&
        others.every((name) => fields.includes(name)),
    );
  });
}
