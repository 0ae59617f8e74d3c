import { expect, test } from "vitest";

import { subagentId } from "../../../shared/contract/ids.ts";
import { snapshotFixture, storyRun, subagentFixture } from "./fixtures.ts";
import { measureFor } from "./geometry.ts";
import { layoutGraph } from "./layout.ts";
import { joinsOf, overlapLines } from "./overlaps.ts";

const layout = layoutGraph(storyRun.subagents);
const geometry = measureFor({ width: 900, height: 460 });
const between = (one: number, other: number) => ({
  agents: [subagentId(one), subagentId(other)] as const,
  path: "store.ts",
  fileCount: 1,
  kind: "overlap" as const,
});

test("neighbours in a column are joined by posts with words between them, others by a line", () => {
  const lines = overlapLines([between(5, 6), between(5, 9)], layout, geometry, new Set());
  expect(lines.map(({ isNear, drawn }) => [isNear, drawn.replaceAll(/[\d. ]/g, "")])).toEqual([
    [true, "MVMV"],
    [false, "ML"],
  ]);
});

test("a card that is put away joins nothing", () => {
  expect(overlapLines([between(5, 6)], layout, geometry, new Set([subagentId(5)]))).toEqual([]);
});

test("a conflict that the radar has found stands in the place of its overlap; one with the target joins no cards", () => {
  const { kind: _, ...overlap } = between(5, 6);
  const [five, six] = overlap.agents;
  const radar = {
    conflicts: [
      { agent: five, other: six, paths: ["pay.ts", "store.ts"], fileCount: 2 },
      { agent: six, other: null, paths: ["pay.ts"], fileCount: 1 },
    ],
    order: [five, six],
  };
  expect(joinsOf({ ...storyRun, overlaps: [overlap, between(5, 9)] }, radar)).toEqual([
    between(5, 9),
    { agents: [five, six], path: "pay.ts", fileCount: 2, kind: "clash" },
  ]);
});

test("who waits under a rule is joined with those that it waits beside, in the words of the verdict", () => {
  const [one, two] = [
    subagentFixture(1),
    subagentFixture(2, { rule: { beside: [subagentId(1)], because: "no-shared-state is unknown" } }),
  ];
  expect(joinsOf(snapshotFixture([one, two]), undefined)).toEqual([
    { agents: [one.id, two.id], path: "no-shared-state is unknown", fileCount: 1, kind: "rule" },
  ]);
});
