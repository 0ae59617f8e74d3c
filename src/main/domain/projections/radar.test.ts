// What the conflict radar looks at, when, and in which order it would have things land.

import { expect, test } from "vitest";

import { oid, Story } from "../../../../test/support/runStory.ts";
import type { SubagentId } from "../../../shared/contract/ids.ts";
import { isRadarNews, landingOrder, stationsOf } from "./radar.ts";

const place = (story: Story, agent: SubagentId) =>
  story.must({ type: "place.create", agent, path: `/places/${agent}`, root: oid(2), durationMs: 1 });

test("work in a worktree is looked at from its start, then as proposed, and no longer once it has ended", () => {
  const story = new Story().start();
  story.spawn();
  const writer = story.spawn({ role: "executor", paths: ["a.js"] });
  expect(stationsOf(story.state)).toEqual([]);
  place(story, writer);
  const { worktree } = story.node(writer);
  expect(stationsOf(story.state)).toEqual([{ agent: writer, base: oid(2), at: { kind: "worktree", path: worktree } }]);
  story.submit(writer);
  story.propose(writer);
  story.must({ type: "verification.close", agent: writer });
  expect(stationsOf(story.state)).toEqual([{ agent: writer, base: oid(2), at: { kind: "proposal", tree: oid(201) } }]);
  story.must({ type: "run.cancel", by: "Ada" });
  expect(stationsOf(story.state)).toEqual([]);
});

test("only what changes work is worth another look", () => {
  const story = new Story().start();
  const writer = story.spawn({ role: "executor", paths: ["a.js"] });
  place(story, writer);
  const from = story.events.length;
  story.turn(writer, { calls: [{ id: "c1", name: "applyEdit", arguments: "{}" }] });
  story.must({ type: "agent.dispatch", agent: writer, call: "c1", effect: "write", class: "verifiable", input: {} });
  expect(story.events.slice(from).some(isRadarNews)).toBe(false);
  const settled = story.must({
    type: "agent.settle",
    agent: writer,
    call: "c1",
    outcome: "executed",
    durationMs: 1,
    output: "",
    resultHash: "",
    changedState: true,
  });
  expect(settled.filter(isRadarNews).map(({ type }) => type)).toEqual(["tool.settled"]);
});

test("what has fewer conflicts lands first, then what is ready, then what was created first", () => {
  const [one, two, three, four] = [1, 2, 3, 4].map((number): SubagentId => `subagent-${number}`) as [
    SubagentId,
    SubagentId,
    SubagentId,
    SubagentId,
  ];
  const pair = (agent: SubagentId, other: SubagentId | null) => ({ agent, other, paths: ["a.js"], fileCount: 1 });
  const worktree = { kind: "worktree", path: "/p" } as const;
  const stations = [
    { agent: one, base: oid(2), at: worktree },
    { agent: two, base: oid(2), at: worktree },
    { agent: three, base: oid(2), at: { kind: "proposal", tree: oid(3) } },
    { agent: four, base: oid(2), at: worktree },
  ] as const;
  expect(landingOrder([pair(one, two), pair(one, three), pair(four, null)], stations)).toEqual([three, two, one]);
});
