// What reaches the lead of a subagent's work: bounded, and what was observed beside what was said.

import { describe, expect, test } from "vitest";

import { fileChange, resultOf as said, Story, toolCall } from "../../../../test/support/runStory.ts";
import { dependencyResults, resultOf } from "./result.ts";

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

test.each(["x", "漢", '"', "\u0001"])("[F20] a result of any length takes at most 8 KB, also of %j", (sign) => {
  const story = runWith();
  const id = story.spawn();
  story.turn(id, { calls: [toolCall("s", "submitResult")] });
  const long = sign.repeat(20_000);
  const many = Array.from({ length: 100 }, () => long);
  story.must({
    type: "agent.submit",
    agent: id,
    call: "s",
    result: {
      ...said("done", long),
      followups: many,
      evidence: many.map((source) => ({ source })),
      verdicts: many.map((criterion) => ({ criterion, verdict: "passed", evidence: long })),
      data: { long },
    },
    schema: "ok",
    marks: [],
  });
  expect(Buffer.byteLength(JSON.stringify(resultOf(story.state, story.node(id))))).toBeLessThanOrEqual(8 * 1024);
});

test("a failure carries its code and sentence, and no answer", () => {
  const story = runWith();
  const id = story.spawn();
  story.fail(id);
  expect(resultOf(story.state, story.node(id))).toMatchObject({
    status: "failed",
    code: "STALLED",
    sentence: "It stopped.",
  });
});

test("an executor's result names its change set and the check that failed", () => {
  const story = runWith();
  const id = story.spawn({ role: "executor", paths: ["pay.js"], maxSteps: 2 });
  story.submit(id);
  story.propose(id, [fileChange("pay.js", 2)]);
  story.verify(id, 1);
  story.close(id);
  expect(resultOf(story.state, story.node(id))).toMatchObject({
    status: "awaiting_review",
    observed: {
      verification: "failed",
      changeSet: "subagent-1.1",
      filesChanged: ["pay.js"],
      hunks: 2,
      failedCheck: { command: "npm test", exitCode: 1, output: "…" },
    },
  });
});

describe("verification", () => {
  test.each([
    [[0, 0, 0], "passed"],
    [[0, 1, 0], "failed"],
    [[], "not-run"],
  ] as const)("after commands that exit with %j is %s", (exits, verification) => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["pay.js"] });
    story.submit(id);
    story.propose(id);
    exits.forEach((exitCode, index) => story.verify(id, exitCode, `check ${index}`));
    expect(story.node(id).verification).toBe(verification);
  });

  test("of a reader is skipped", () => {
    const story = runWith();
    expect(story.node(story.spawn()).verification).toBe("skipped");
  });
});

test("a dependent is handed its dependencies' results in merging order, not in the order of their ends", () => {
  const story = runWith();
  const [late, early] = [story.spawn({ step: "1" }), story.spawn({ step: "0" })];
  const foot = story.spawn({ dependsOn: [late, early] });
  story.complete(late);
  story.complete(early);
  expect(
    dependencyResults(story.state, story.node(foot)).map(({ id, result }) => [
      id,
      (result as { subagentId: string }).subagentId,
    ]),
  ).toEqual([
    [early, early],
    [late, late],
  ]);
});
