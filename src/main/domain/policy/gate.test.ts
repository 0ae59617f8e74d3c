// Changes that a template has reviewed before a person is asked: in rounds where one reviewer decides about them, and at
// least until those that it names have answered.

import { describe, expect, test } from "vitest";

import { oid, resultOf, roles, Story, toolCall } from "../../../../test/support/runStory.ts";
import { storyRules } from "../../../../test/support/redecideStory.ts";
import type { ChangeSetId, SubagentId } from "../../../shared/contract/ids.ts";
import type { RunOptions } from "../../../shared/contract/options.ts";
import type { Template } from "../../../shared/contract/template.ts";
import type { SubagentResult, Verdict } from "../records.ts";
import { redecide } from "../redecide/redecide.ts";
import { nextLeadTurn } from "../turn.ts";
import { figuresOf, problemOf } from "./template.ts";
import { builtInTemplates } from "./templates.ts";

const named = (name: string): Template => {
  const template = builtInTemplates.find((one) => one.name === name);
  if (template === undefined) throw new Error(`There is no template ${name}`);
  return template;
};

function runUnder(name: string, options: Partial<RunOptions> = {}): Story {
  const template = named(name);
  return new Story({
    options: { policy: { kind: "template", name }, ...options },
    template: { ...template, ...figuresOf(template, roles) },
  }).start();
}

/** A reviewer hands in its verdicts, by the name of their criterion, and is settled. */
function judge(story: Story, id: SubagentId, verdicts: Readonly<Record<string, Verdict>>): void {
  const result: SubagentResult = {
    ...resultOf("done", "I have looked at it."),
    verdicts: Object.entries(verdicts).map(([criterion, verdict]) => ({ criterion, verdict, evidence: "pay.js:1" })),
  };
  story.turn(id, { calls: [toolCall(`judge-${id}`, "submitResult")] });
  story.must({ type: "agent.submit", agent: id, call: `judge-${id}`, result, schema: "ok", marks: [] });
  story.settle(id);
}

const passed = { spec: "passed", quality: "passed" } as const;
const failed = { spec: "passed", quality: "failed" } as const;

/** The newest subagent of a node of the template. */
const newest = (story: Story, part: string): SubagentId =>
  story.state.nodes.findLast((node) => node.part === part)?.id ?? "subagent-99";

/** The author proposes, the reviewer answers: as often as there are answers. */
function goThrough(story: Story, ...answers: readonly Readonly<Record<string, Verdict>>[]): void {
  for (const verdicts of answers) {
    const author = newest(story, "implement");
    story.review(author);
    judge(story, newest(story, "review"), verdicts);
    if (story.node(author).end !== null && !story.node(author).isSettled) story.settle(author);
  }
}

const asked = (story: Story) => story.state.approvals.filter(({ kind }) => kind === "changeset");

describe("under implement-review", () => {
  test("a change that passes is asked about, once, and the whole branch is reviewed after it has landed", () => {
    const story = runUnder("implement-review");
    expect(story.statuses()).toEqual(["running", "pending"]);
    story.review("subagent-1");
    expect([story.statuses(), asked(story)]).toEqual([["awaiting_review", "running"], []]);
    expect(story.node("subagent-2")).toMatchObject({ reads: "subagent-1.1", root: oid(101) });
    judge(story, "subagent-2", passed);
    expect(asked(story).map(({ why, status }) => [why, status])).toEqual([[null, "open"]]);
    expect([story.state.status, nextLeadTurn(story.state).kind]).toEqual(["waiting", "idle"]);
    story.decide("subagent-1", "approved");
    story.land("subagent-1.1" as ChangeSetId);
    expect(story.node("subagent-3")).toMatchObject({
      part: "final",
      status: "running",
      reads: "subagent-1.1",
      root: oid(300),
    });
    judge(story, "subagent-3", { whole: "passed" });
    story.settle("subagent-1");
    expect(nextLeadTurn(story.state)).toMatchObject({ kind: "request", prompt: { kind: "template" } });
  });

  test("one that fails goes back to its author with what was found, and to another reviewer", () => {
    const story = runUnder("implement-review");
    goThrough(story, failed);
    expect(story.ofType("changeset.returned").map(({ data }) => data)).toEqual([
      { changeset: "subagent-1.1", by: "subagent-2", round: 1, rounds: 5 },
    ]);
    expect([story.statuses(), asked(story)]).toEqual([["running", "completed", "pending"], []]);
    expect(story.ofType("subagent.messaged").at(-1)?.data.text).toMatch(
      /^Round 1 of 5: subagent-2 .*<data source="review by subagent-2/s,
    );
    goThrough(story, passed);
    expect(asked(story).map(({ changeset }) => changeset)).toEqual(["subagent-1.2"]);
  });

  test("from the fourth round a fresh agent goes on with the change where it stands", () => {
    const story = runUnder("implement-review");
    goThrough(story, failed, failed, failed);
    expect(story.state.nodes.filter(({ part }) => part === "implement")).toHaveLength(1);
    goThrough(story, failed);
    const fresh = story.node(newest(story, "implement"));
    expect(story.node("subagent-1")).toMatchObject({ status: "failed", code: "REPLACED" });
    expect(fresh).toMatchObject({
      status: "running",
      root: oid(104),
      base: oid(2),
      packet: { replaces: "subagent-1" },
    });
    expect(fresh.packet.context).toContain("Your worktree holds the change that subagent-1 proposed");
    goThrough(story, passed);
    expect(asked(story).map(({ agent }) => agent)).toEqual([fresh.id]);
  });

  test("after five rounds the person is asked, with what does not pass, also where verified changes land unasked", () => {
    const story = runUnder("implement-review", { approve: "auto", verify: ["true"] });
    goThrough(story, failed, failed, failed, failed, failed, failed);
    const reviewers = story.state.nodes.filter(({ part }) => part === "review");
    expect([reviewers.length, story.ofType("changeset.returned").length]).toEqual([6, 5]);
    expect(asked(story).map(({ status, why }) => [status, why])).toEqual([
      ["open", expect.stringContaining(`${newest(story, "review")} did not pass it: quality.`)],
    ]);
    expect(story.state.nodes.length).toBeLessThanOrEqual(story.state.template?.count ?? 0);
  });

  test("a verdict that is unknown, missing or never came is nothing to mend: the person is asked", () => {
    for (const verdicts of [{ spec: "passed", quality: "unknown" }, { spec: "passed" }] as const) {
      const story = runUnder("implement-review");
      goThrough(story, verdicts);
      expect(asked(story).map(({ why }) => why)).toEqual(["subagent-2 gave no verdict on quality."]);
    }
    const story = runUnder("implement-review");
    story.review("subagent-1");
    story.fail("subagent-2");
    expect(asked(story).map(({ why }) => why)).toEqual(["subagent-2 did not finish its review (STALLED)."]);
  });

  test("what a person sends back is reviewed again before they are asked again", () => {
    const story = runUnder("implement-review");
    goThrough(story, passed);
    story.decide("subagent-1", "sent_back", "Name it better.");
    expect(story.statuses()).toEqual(["running", "completed", "pending"]);
    goThrough(story, passed);
    expect(asked(story).map(({ status }) => status)).toEqual(["decided", "open"]);
  });

  test("a change that the person rejects is the lead's to tell, and no branch is reviewed", () => {
    const story = runUnder("implement-review");
    goThrough(story, passed);
    story.decide("subagent-1", "rejected");
    story.settle("subagent-1");
    expect(story.state.nodes.map(({ part }) => part)).toEqual(["implement", "review"]);
    expect(nextLeadTurn(story.state).kind).toBe("request");
  });

  test("a run that cannot pay for another round asks the person", () => {
    const template = named("implement-review");
    const story = new Story({
      options: { policy: { kind: "template", name: template.name } },
      template: { ...template, ...figuresOf(template, roles) },
      budget: { outputTokens: 1_000 },
    }).start();
    const usage = { inputTokens: 1, outputTokens: 1_000, cachedTokens: 0 };
    story.turn("subagent-1", { calls: [toolCall("c", "submitResult")], usage });
    story.must({
      type: "agent.submit",
      agent: "subagent-1",
      call: "c",
      result: resultOf("done"),
      schema: "ok",
      marks: [],
    });
    story.propose("subagent-1");
    story.close("subagent-1");
    judge(story, "subagent-2", failed);
    expect(story.ofType("changeset.returned")).toEqual([]);
    expect(asked(story).map(({ why }) => why)).toEqual(["subagent-2 did not pass it: quality."]);
  });
});

test("a run in rounds becomes what it was when it is decided once more", () => {
  const story = runUnder("implement-review", { approvePlan: true });
  story.decide("lead", "approved");
  goThrough(story, failed, failed, failed, failed, passed);
  expect(redecide(story.events, storyRules).differences).toEqual([]);
});

test("whoever a template names to look at a change has answered before a person is asked", () => {
  const story = runUnder("sequence", { approve: "auto", verify: ["true"] });
  story.complete("subagent-1");
  story.submit("subagent-2");
  story.propose("subagent-2");
  story.verify("subagent-2", 0);
  story.close("subagent-2");
  expect(asked(story)).toEqual([]);
  judge(story, "subagent-3", { "The change breaks nothing else.": "failed" });
  expect(asked(story).map(({ status, why }) => [status, why])).toEqual([
    ["open", "subagent-3 did not pass it: the change breaks nothing else.."],
  ]);
});

describe("a gate cannot be", () => {
  const author = { id: "a", role: "executor", task: "a" };
  const gate = {
    id: "g",
    role: "reviewer",
    task: "g",
    dependsOn: [{ id: "a", until: "proposed" }],
    criteria: ["spec"],
    gate: { rounds: 2 },
  } as const;
  const problem = (...nodes: Template["nodes"]) => problemOf({ name: "mine", about: "Mine.", nodes }, roles);

  test("one that decides about nothing, about itself, without criteria, or twice", () => {
    expect(problem(author, gate)).toBeNull();
    expect(problem(author, { ...gate, role: "executor" })).toContain("an author does not review");
    expect(problem(author, { ...gate, dependsOn: ["a"] })).toContain("exactly one node that makes changes");
    expect(problem({ ...author, role: "explorer" }, gate)).toContain("exactly one node that makes changes");
    expect(problem(author, { ...gate, criteria: [] })).toContain("has criteria");
    expect(problem(author, { ...gate, gate: { rounds: 2, freshFrom: 3 } })).toContain("between 1 and 5 rounds");
    expect(problem(author, gate, { ...gate, id: "h" })).toContain("another node does already");
  });
});
