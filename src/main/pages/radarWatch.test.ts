// When the radar looks, and what whoever watches is told.

import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";

import { oid, Story } from "../../../test/support/runStory.ts";
import type { RadarPicture } from "../../shared/contract/snapshots.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { StoreChange } from "./commitFeed.ts";
import { clear } from "./radar.ts";
import { createRadarWatch, type RadarParts } from "./radarWatch.ts";

const found: RadarPicture = {
  conflicts: [{ agent: "subagent-1", other: "subagent-2", paths: ["a.js"], fileCount: 1 }],
  order: ["subagent-1", "subagent-2"],
};

/** A watch over a story, whose pace is over whenever something changes. */
function watchOver(story: Story, pictures: readonly RadarPicture[]) {
  const told: RadarPicture[] = [];
  const listeners = new Set<(change: StoreChange) => void>();
  let lookCount = 0;
  let rest: () => void = () => undefined;
  const clock: Pick<Clock, "now" | "after"> = {
    now: () => 0,
    after: (_ms, act) => {
      rest = act;
      return () => undefined;
    },
  };
  const parts = {
    feed: {
      onChange: (listener: (change: StoreChange) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    journals: { read: async () => Promise.resolve({ ok: true, value: { events: story.events, state: story.state } }) },
    radar: { look: async () => Promise.resolve(pictures[lookCount++]) },
    clock,
  } as unknown as RadarParts;
  const stop = createRadarWatch(parts)(story.run, (picture) => told.push(picture));
  const tell = async () => {
    for (const listener of listeners) listener({ run: story.run, events: [] });
    rest();
    // Everything here is promises that have resolved.
    await setImmediate();
    return lookCount;
  };
  return { told, tell, stop, listeners };
}

test("the radar looks where work has changed, tells each change once, and nothing after its end", async () => {
  const story = new Story().start();
  const agent = story.spawn({ role: "executor", paths: ["a.js"] });
  const watch = watchOver(story, [found, found, clear]);
  const path = "/places/1";
  const acts = [
    () => story.must({ type: "place.create", agent, path, root: oid(2), durationMs: 1 }),
    () => story.turn(agent, { text: "Hm." }),
    () => story.must({ type: "place.remove", agent, path }),
    () => story.must({ type: "place.create", agent, path, root: oid(2), durationMs: 1 }),
  ];
  const counts: number[] = [];
  for (const act of acts) {
    act();
    counts.push(await watch.tell());
  }
  expect([counts, watch.told]).toEqual([
    [1, 1, 2, 3],
    [found, clear],
  ]);
  watch.stop();
  expect(watch.listeners.size).toBe(0);
});
