import { describe, expect, test } from "vitest";

import { emptyRun, largeRun, singleRun, storyAt, storyRun, subagentFixture } from "./fixtures.ts";
import { layoutGraph } from "./layout.ts";

describe("the layout", () => {
  test("puts the story into three waves, dependents beside what they depend on", () => {
    const { places, waves } = layoutGraph(storyRun.subagents);
    expect({
      waves: waves.map(({ members }) => members.map((id) => id.slice("subagent-".length)).join(" ")),
      rows: [...places.values()].map(({ row }) => row).join(" "),
    }).toEqual({ waves: ["1 2 3", "4 5 6 7", "8 9 10"], rows: "0 1 2 2 0 1 3 1 2 3" });
  });

  test("opens no wave for what is created while all of the present wave are at work", () => {
    const together = [1, 2, 3].map((ordinal) => subagentFixture(ordinal, { createdAt: storyAt(ordinal * 500) }));
    expect(layoutGraph(together).waves).toHaveLength(1);
  });

  test("opens a wave for what is created after one of the present wave has ended", () => {
    const first = subagentFixture(1, { endedAt: storyAt(100) });
    expect(layoutGraph([first, subagentFixture(2, { createdAt: storyAt(101) })]).waves).toHaveLength(2);
  });

  test("does not count one that ended without having started", () => {
    const first = subagentFixture(1, { startedAt: null, endedAt: storyAt(100) });
    expect(layoutGraph([first, subagentFixture(2, { createdAt: storyAt(101) })]).waves).toHaveLength(1);
  });

  test("is the same object while there is nothing new, also at an earlier moment", () => {
    const layout = layoutGraph(storyRun.subagents);
    expect([layoutGraph(storyRun.subagents, layout), layoutGraph(storyRun.subagents.slice(0, 4), layout)]).toEqual([
      layout,
      layout,
    ]);
    expect(layoutGraph(storyRun.subagents.slice(0, 4), layout)).toBe(layout);
  });

  test("of no subagents is empty, of one is one place, and of 200 has bounded columns", () => {
    const rowCounts = [emptyRun, singleRun, largeRun(200)].map(({ subagents }) => layoutGraph(subagents).rowCount);
    expect(rowCounts).toEqual([0, 1, 14]);
  });
});
