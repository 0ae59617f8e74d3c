import { expect, test } from "vitest";

import { subagentId } from "../../../shared/contract/ids.ts";
import { viewRun } from "../subagents.ts";
import { storyRun, withSubagent } from "./fixtures.ts";
import { reasonsOf } from "./reasons.ts";

const view = viewRun(storyRun);
const reasons = (ordinal: number) => {
  const subagent = view.byId.get(subagentId(ordinal));
  return subagent === undefined ? [] : reasonsOf(subagent, storyRun, view);
};

test("say what was given, what is waited for, reviewed and replaced, and what will never start", () => {
  expect([4, 5, 8, 9, 10, 3].map(reasons)).toEqual([
    ["Never started: subagent-3 did not complete"],
    ["Was given the result of subagent-1"],
    ["Looks at what subagent-6 proposed"],
    ["Starts once subagent-6 has landed"],
    ["Takes the place of subagent-3"],
    ["subagent-10 has taken its place"],
  ]);
});

test("quote what a dependency handed in and why it is waited for, and name the files that two touch", () => {
  const told = withSubagent(
    withSubagent(storyRun, subagentId(2), { headline: "Two callers may enter CHARGING" }),
    subagentId(7),
    { dependsOn: [{ id: subagentId(2), until: "completed", because: "legal states" }] },
  );
  const run = {
    ...told,
    overlaps: [{ agents: [subagentId(6), subagentId(7)] as const, path: "store.ts", fileCount: 2 }],
  };
  const seen = viewRun(run);
  const subagent = seen.byId.get(subagentId(7));
  expect(subagent && reasonsOf(subagent, run, seen)).toEqual([
    "subagent-2 gave: Two callers may enter CHARGING (legal states)",
    "Touches store.ts and 1 more, as subagent-6 does",
  ]);
});

test("say with whom work in progress would conflict, and where", () => {
  const [six, seven] = [subagentId(6), subagentId(7)];
  const radar = {
    conflicts: [
      { agent: six, other: seven, paths: ["store.ts"], fileCount: 1 },
      { agent: seven, other: null, paths: ["pay.ts", "store.ts"], fileCount: 2 },
    ],
    order: [six, seven],
  };
  const subagent = view.byId.get(seven);
  expect(subagent && reasonsOf(subagent, storyRun, view, radar).slice(-2)).toEqual([
    "As it stands it would conflict with subagent-6 in store.ts",
    "As it stands it would conflict with the target in pay.ts and 1 more",
  ]);
});
