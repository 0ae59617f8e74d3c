import { describe, expect, test } from "vitest";

import { largeRun, storyRun } from "./fixtures.ts";
import { layoutGraph } from "./layout.ts";
import { relationOf, treeRows } from "./treeRows.ts";

const rowsOf = ({ subagents }: typeof storyRun, ...toggled: string[]) =>
  treeRows(subagents, layoutGraph(subagents), new Set(toggled));

describe("the tree", () => {
  test("opens with the lead as its root and every subagent of a small run under it", () => {
    expect(rowsOf(storyRun).map(({ key, level, isOpen }) => `${level} ${key} ${isOpen}`)).toEqual([
      "1 lead true",
      ...storyRun.subagents.map(({ id }) => `2 ${id} null`),
    ]);
  });

  test("closes to its root", () => {
    expect(rowsOf(storyRun, "lead").map(({ key }) => key)).toEqual(["lead"]);
  });

  test("folds what has finished above 30 nodes, by wave, and counts rows within their siblings", () => {
    const rows = rowsOf(largeRun(60));
    expect({
      keys: rows.map(({ key }) => key).filter((key) => key.startsWith("wave-")),
      count: rows.length < 30,
    }).toEqual({
      keys: ["wave-0", "wave-1"],
      count: true,
    });
    expect(rows.slice(1).map(({ position, size }) => [position, size])).toEqual(
      rows.slice(1).map((_, index) => [index + 1, rows.length - 1]),
    );
  });

  test("opens a fold to its members, one level down", () => {
    const opened = rowsOf(largeRun(60), "wave-0");
    const fold = opened.find(({ key }) => key === "wave-0");
    expect(opened.filter(({ level }) => level === 3).map(({ key }) => key)).toEqual(fold?.members.map(({ id }) => id));
  });

  test("holds every subagent exactly once when all folds are open", () => {
    const run = largeRun(200);
    const keys = rowsOf(run, ...Array.from({ length: 20 }, (_, wave) => `wave-${wave}`)).map(({ key }) => key);
    expect(keys.filter((key) => key.startsWith("subagent-")).toSorted()).toEqual(
      run.subagents.map(({ id }) => id as string).toSorted(),
    );
  });
});

test("a relation names what came before, what is reviewed, and what replaces what", () => {
  const relations = storyRun.subagents.map((subagent) => relationOf(subagent, subagent.id === "subagent-3" ? 10 : 0));
  expect(relations.slice(2)).toEqual([
    "replaced by subagent-10",
    "after subagent-3",
    "after subagent-1",
    "after subagent-1, -2",
    "after subagent-2",
    "reviews subagent-6",
    "after subagent-6",
    "replaces subagent-3",
  ]);
});
