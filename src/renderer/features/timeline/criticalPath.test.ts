import fc from "fast-check";
import { expect, test } from "vitest";

import { subagentId } from "../../../shared/contract/ids.ts";
import { storyNow, storyRun, storyStart, subagentFixture } from "../graph/fixtures.ts";
import { criticalPath } from "./criticalPath.ts";
import { storyItem, storyItems } from "./fixtures.ts";

const on = (ordinal: number, until: "completed" | "proposed" = "completed") => [{ id: subagentId(ordinal), until }];
const worker = (ordinal: number, createdAt: number, startedAt: number | null, endedAt: number | null) =>
  subagentFixture(ordinal, {
    createdAt,
    startedAt,
    endedAt,
    status: endedAt === null ? "running" : "completed",
  });

test("leads through whoever was waited for last, and back to who sent them", () => {
  const turns = [storyItem({ n: 1, at: 0, until: 1_000 }), storyItem({ n: 2, at: 9_000, until: 10_000 })];
  const subagents = [worker(1, 1_000, 1_100, 4_000), worker(2, 1_000, 1_100, 8_900)];
  expect(criticalPath(turns, subagents, 10_000)).toEqual([
    { agent: "lead", from: 0, until: 1_000 },
    { agent: subagentId(2), from: 1_100, until: 8_900 },
    { agent: "lead", from: 9_000, until: 10_000 },
  ]);
});

test("follows a dependency, a proposal that was reviewed, and a slot that was waited for", () => {
  const turns = [storyItem({ n: 1, at: 0, until: 1_000 }), storyItem({ n: 2, at: 20_000, until: 21_000 })];
  const review = storyItem({ n: 3, agent: subagentId(2), kind: "review", at: 9_000, until: 30_000 });
  const subagents = [
    worker(1, 1_000, 1_000, 4_000),
    worker(2, 1_000, 4_000, 30_000),
    { ...worker(3, 1_000, 9_000, 19_900), dependsOn: on(2, "proposed") },
  ];
  expect(criticalPath([...turns, review], subagents, 21_000).map(({ agent, from }) => [agent, from])).toEqual([
    ["lead", 0],
    [subagentId(1), 1_000],
    [subagentId(2), 4_000],
    [subagentId(3), 9_000],
    ["lead", 20_000],
  ]);
});

test("ends, while a run goes on, with whoever has been at work longest", () => {
  expect(criticalPath(storyItems(storyStart), storyRun.subagents, storyNow).at(-1)).toMatchObject({
    agent: subagentId(6),
    until: storyNow,
  });
});

test("is in the order of time and ends for any story, however its clocks disagree", () => {
  const times = fc.integer({ min: 0, max: 2_000 });
  const workers = fc.array(fc.tuple(times, fc.option(times), fc.option(times)), { maxLength: 8 });
  fc.assert(
    fc.property(workers, fc.array(times, { maxLength: 6 }), (rows, turns) => {
      const subagents = rows.map(([created, started, ended], index) => ({
        ...worker(index + 1, created, started, ended),
        dependsOn: index > 0 ? on(index) : [],
      }));
      const items = turns.map((at, index) => storyItem({ n: index + 1, at, until: at + 50 }));
      const path = criticalPath(items, subagents, 2_000);
      const isOrdered = path.every(
        ({ from, until }, index) => from < until && until <= (path[index + 1]?.from ?? 2_000),
      );
      expect(isOrdered).toBe(true);
    }),
  );
});
