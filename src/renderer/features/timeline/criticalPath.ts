// Which work the run's length hangs on: from its end back to its beginning, always through whoever was waited for last. Pure.

import type { AgentId, SubagentId } from "../../../shared/contract/ids.ts";
import type { SubagentSnapshot, TimelineItem } from "../../../shared/contract/snapshots.ts";
import { hasEnded } from "../subagents.ts";

/** A piece of one lane. Epoch ms. */
export interface PathStretch {
  readonly agent: AgentId;
  readonly from: number;
  readonly until: number;
}

/** Where the path stands on its way back: at a moment in somebody's lane. */
interface Place {
  readonly agent: AgentId;
  readonly at: number;
}

/** A wait for a slot that was shorter is no reason to look whose it was, in ms. */
const leastQueueMs = 1_000;

/**
 * The stretches up to `until`, in the order of time; together they leave no gap but waits for a person. Of a run that
 * goes on, the end is whoever has been at work longest.
 */
export function criticalPath(
  items: readonly TimelineItem[],
  subagents: readonly SubagentSnapshot[],
  until: number,
): readonly PathStretch[] {
  const way = new WayBack(items, subagents);
  const stretches: PathStretch[] = [];
  // Where clocks disagree, a way back could go in circles.
  const passed = new Set<string>();
  for (let place: Place | null = way.end(until); place !== null;) {
    const { agent, at }: Place = place;
    const from = way.beginOf(place);
    if (from === null || from > at || passed.has(`${agent} ${at}`)) break;
    passed.add(`${agent} ${at}`);
    const later = stretches.at(-1);
    // The lead's turns that follow each other are one stretch.
    if (later?.agent === agent && later.from === at) stretches[stretches.length - 1] = { ...later, from };
    else if (from < at) stretches.push({ agent, from, until: at });
    place = way.before(agent, from);
  }
  return stretches.toReversed();
}

class WayBack {
  readonly #turns: readonly TimelineItem[];
  readonly #byId: ReadonlyMap<AgentId, SubagentSnapshot>;
  /** In the order in which they ended. */
  readonly #ended: readonly { readonly id: SubagentId; readonly at: number }[];
  /** When each proposed its first change set. */
  readonly #proposedAt = new Map<AgentId, number>();

  constructor(items: readonly TimelineItem[], subagents: readonly SubagentSnapshot[]) {
    this.#turns = items
      .filter(({ agent, kind }) => agent === "lead" && kind === "turn")
      .toSorted((a, b) => a.at - b.at);
    this.#byId = new Map(subagents.map((subagent) => [subagent.id, subagent]));
    this.#ended = subagents
      .flatMap(({ id, endedAt }) => (endedAt === null ? [] : [{ id, at: endedAt }]))
      .toSorted((a, b) => a.at - b.at);
    for (const { agent, kind, at } of items)
      if (kind === "review" && !this.#proposedAt.has(agent)) this.#proposedAt.set(agent, at);
  }

  /** Whose work lasts longest at `until`; the lead's where it is at work itself, or nobody else is. */
  end(until: number): Place {
    const turn = this.#turns.findLast(({ at }) => at < until);
    const isAtWork = turn !== undefined && (turn.until ?? until) >= until;
    const going = [...this.#byId.values()]
      .filter((subagent) => !hasEnded(subagent) && subagent.startedAt !== null)
      .toSorted((a, b) => (a.startedAt ?? 0) - (b.startedAt ?? 0));
    return { agent: isAtWork ? "lead" : (going[0]?.id ?? "lead"), at: until };
  }

  /** When the work began that goes on at `place`; `null` where there is none. */
  beginOf({ agent, at }: Place): number | null {
    if (agent === "lead") return this.#turns.findLast((turn) => turn.at < at)?.at ?? null;
    const subagent = this.#byId.get(agent);
    return subagent === undefined ? null : (subagent.startedAt ?? subagent.createdAt);
  }

  /** What `agent` had waited for when it began at `from`; `null` at the beginning of all. */
  before(agent: AgentId, from: number): Place | null {
    return agent === "lead" ? this.#beforeLead(from) : this.#beforeSubagent(agent, from);
  }

  /** A turn follows the one before it, or the end of a subagent since. */
  #beforeLead(from: number): Place | null {
    const last = this.#turns.findLast((turn) => turn.at < from);
    const idleSince = last === undefined ? -Infinity : (last.until ?? from);
    const cause = this.#lastEnded(idleSince, from);
    if (cause !== null) return { agent: cause.id, at: cause.at };
    return last === undefined ? null : { agent: "lead", at: from };
  }

  /** A dependency, then whoever held the slot, then the lead that created it. */
  #beforeSubagent(agent: AgentId, from: number): Place | null {
    const subagent = this.#byId.get(agent);
    if (subagent === undefined) return null;
    const { createdAt, dependsOn } = subagent;
    const given = dependsOn
      .flatMap(({ id, until }) => {
        const at = until === "proposed" ? this.#proposedAt.get(id) : this.#byId.get(id)?.endedAt;
        return at == null || at > from || at <= createdAt ? [] : [{ agent: id, at }];
      })
      .toSorted((a, b) => b.at - a.at);
    if (given[0] !== undefined) return given[0];
    const freed = from - createdAt < leastQueueMs ? null : this.#lastEnded(createdAt, from);
    return freed === null ? { agent: "lead", at: Math.min(createdAt, from) } : { agent: freed.id, at: freed.at };
  }

  #lastEnded(after: number, until: number): { readonly id: SubagentId; readonly at: number } | null {
    return this.#ended.findLast(({ at }) => at > after && at <= until) ?? null;
  }
}
