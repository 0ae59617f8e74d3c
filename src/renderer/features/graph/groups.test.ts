import { expect, test } from "vitest";

import { largeRun, storyRun } from "./fixtures.ts";
import { finishedByWave, groupFinished } from "./groups.ts";
import { layoutGraph } from "./layout.ts";

const layout = layoutGraph(storyRun.subagents);
const waves = (groups: ReturnType<typeof groupFinished>) =>
  groups.map(({ wave, members }) => [wave, members.map(({ id }) => id)]);

test("a wave's finished can be put together where there are two, and none that something at work needs is among them", () => {
  expect(waves(finishedByWave(storyRun.subagents, layout))).toEqual([[1, ["subagent-4", "subagent-5"]]]);
});

test("a small run is put together only where somebody says so, a large one until somebody takes it apart", () => {
  const groups = (folding: ReadonlyMap<number, "opened" | "closed">) =>
    waves(groupFinished(storyRun.subagents, layout, folding, 200));
  expect([groups(new Map()), groups(new Map([[1, "closed"]]))]).toEqual([[], [[1, ["subagent-4", "subagent-5"]]]]);

  const { subagents } = largeRun(200);
  const large = layoutGraph(subagents);
  const all = groupFinished(subagents, large, new Map(), 200).map(({ wave }) => wave);
  expect(all.length).toBeGreaterThan(3);
  expect(groupFinished(subagents, large, new Map([[all[0] ?? 0, "opened"]]), 200).map(({ wave }) => wave)).toEqual(
    all.slice(1),
  );
});
