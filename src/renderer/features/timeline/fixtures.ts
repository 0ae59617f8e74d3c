// Timelines to draw: the story of ten subagents, and a run of any size. For tests and pictures; never shipped.

import type { AgentId } from "../../../shared/contract/ids.ts";
import { subagentId } from "../../../shared/contract/ids.ts";
import type { TimelineItem } from "../../../shared/contract/snapshots.ts";

type Kind = TimelineItem["kind"];

/** A reproducible sequence of numbers in [0, 1). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 4_294_967_296;
  };
}

class Recorder {
  readonly items: TimelineItem[] = [];
  readonly #start: number;

  constructor(start: number) {
    this.#start = start;
  }

  /** Seconds into the story. */
  add(agent: AgentId, kind: Kind, label: string, from: number, until: number | null, isFailure = false): void {
    const at = (seconds: number) => this.#start + Math.round(seconds * 1_000);
    this.items.push({
      n: this.items.length + 1,
      agent,
      kind,
      label,
      at: at(from),
      until: until === null ? null : at(until),
      isFailure,
    });
  }

  /** `count` turns from `from` to `until`, each with a few tool calls. The last one goes on when `isOpen`. */
  work(agent: AgentId, from: number, until: number, count: number, random: () => number, isOpen = false): void {
    const cuts = [
      from,
      ...Array.from(
        { length: count - 1 },
        (_, i) => from + ((until - from) * (i + 1 + (random() - 0.5) * 0.55)) / count,
      ),
      until,
    ];
    for (let i = 0; i < count; i += 1) {
      const [begin = from, end = until] = [cuts[i], cuts[i + 1]];
      this.add(agent, "turn", "glm-4.6", begin, isOpen && i === count - 1 ? null : end);
      const calls = 1 + Math.floor(random() * 4);
      for (let j = 0; j < calls; j += 1) {
        const at = begin + (end - begin) * (0.3 + (0.7 * (j + random() * 0.7)) / calls);
        if (at < end) this.add(agent, "tool", j % 2 === 0 ? "readFile" : "searchText", at, at + 0.2);
      }
    }
  }
}

/** The story that features/graph/fixtures.ts shows as a graph; `start` is its beginning in epoch ms. */
export function storyItems(start: number): readonly TimelineItem[] {
  const story = new Recorder(start);
  const random = chance(4_242);
  const agent = (ordinal: number) => subagentId(ordinal);
  for (const [from, until, count] of [
    [0, 22, 2],
    [22, 39, 1],
    [226, 240, 1],
    [273, 317, 3],
    [399, 421, 2],
    [614, 626, 1],
    [1141, 1152, 1],
    [1355, 1392, 3],
  ] as const)
    story.work("lead", from, until, count, random);
  story.work(agent(1), 31, 224, 9, random);
  story.work(agent(2), 32, 271, 11, random);
  story.work(agent(3), 33, 397, 16, random);
  for (const at of [352, 371, 390]) story.add(agent(3), "tool", "searchText", at, at + 0.3, true);
  story.add(agent(3), "mark", "LOOPING", 397, 397, true);
  story.add(agent(4), "queued", "Waits for subagent-3.", 38, 397);
  story.add(agent(4), "mark", "DEPENDENCY_NOT_COMPLETED", 397, 397);
  story.work(agent(5), 266, 560, 13, random);
  story.add(agent(5), "verification", "npm test", 560, 612);
  story.add(agent(5), "review", "1 file, checks passed", 612, 1_134);
  story.add(agent(5), "landing", "Lands on main", 1_134, 1_139);
  story.work(agent(6), 331, 777, 19, random);
  story.add(agent(6), "waiting", "npm test -- payments", 777, 1_130);
  story.work(agent(6), 1_130, 1_290, 7, random);
  for (const at of [612, 1_188]) story.add(agent(6), "tool", "runCommand", at, at + 4, true);
  story.add(agent(6), "verification", "npm test", 1_290, 1_353);
  story.add(agent(6), "review", "9 hunks, 6 files, checks passed", 1_353, null);
  story.work(agent(7), 349, 762, 17, random);
  story.add(agent(7), "waiting", "docker compose up", 762, 1_126);
  story.work(agent(7), 1_126, 1_489, 14, random);
  story.add(agent(7), "tool", "runCommand", 1_262, 1_270, true);
  story.add(agent(7), "waiting", "npm run db:migrate", 1_489, null);
  story.work(agent(8), 1_375, 1_544, 7, random, true);
  story.add(agent(9), "queued", "Waits for subagent-6.", 1_380, null);
  story.work(agent(10), 1_386, 1_544, 8, random, true);
  story.add("lead", "mark", "Spawn refused: CHAIN_TOO_LONG", 1_389, 1_389, true);
  return story.items;
}

/** A turn of the lead, except where `more` says otherwise. */
export function storyItem(more: Partial<TimelineItem>): TimelineItem {
  return { n: 1, agent: "lead", kind: "turn", label: "glm-4.6", at: 0, until: null, isFailure: false, ...more };
}
