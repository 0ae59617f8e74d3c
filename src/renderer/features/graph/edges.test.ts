import { expect, test } from "vitest";

import { subagentId } from "../../../shared/contract/ids.ts";
import { viewRun } from "../subagents.ts";
import { drawEdges, edgesOf } from "./edges.ts";
import { largeRun, storyRun } from "./fixtures.ts";
import { boxOf, measureFor } from "./geometry.ts";
import { layoutGraph } from "./layout.ts";

test("an edge says whether its beginning gave, is waited for, is reviewed or broke its end", () => {
  const { subagents } = storyRun;
  const kinds = edgesOf(subagents, viewRun(storyRun).byId).map(({ from, to, kind }) => [from, kind, to].join(" "));
  expect(kinds.map((text) => text.replaceAll("subagent-", ""))).toEqual([
    "3 broke 4",
    "1 gave 5",
    "1 gave 6",
    "2 gave 6",
    "2 gave 7",
    "6 reviews 8",
    "6 waits 9",
  ]);
});

test("a dependency that the snapshot does not hold has no edge", () => {
  const later = storyRun.subagents.filter(({ id }) => id !== subagentId(6));
  expect(
    edgesOf(later, new Map(later.map((each) => [each.id, each]))).filter(({ from }) => from === subagentId(6)),
  ).toEqual([]);
});

test("a line begins at the right side of one card and ends at the left side of the other", () => {
  const run = largeRun(90);
  const layout = layoutGraph(run.subagents);
  const geometry = measureFor({ width: 900, height: 460 });
  const lines = drawEdges(edgesOf(run.subagents, viewRun(run).byId), layout, geometry);
  const astray = lines.filter(({ from, to, path, tip }) => {
    const [a, b] = [from, to].map((id) => {
      const place = layout.places.get(id);
      return place && boxOf(place, geometry);
    });
    const startX = Number(/^M([\d.]+) /.exec(path)?.[1]);
    const isAtSides = a !== undefined && b !== undefined && startX === a.x + a.width && tip.x === b.x - 1;
    return !isAtSides || tip.y <= b.y || tip.y >= b.y + b.height;
  });
  expect({ count: lines.length > 20, astray }).toEqual({ count: true, astray: [] });
});
