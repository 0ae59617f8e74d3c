// Options that a person gives anew to a standing run: what holds from then on, and what cannot change any more.

import { describe, expect, test } from "vitest";

import { fileChange, oid, smallEstimate, Story } from "../../../test/support/runStory.ts";
import type { RunId } from "../../shared/contract/ids.ts";
import { forkJournal } from "./fork.ts";
import { fold } from "./evolve.ts";
import type { Overrides } from "./overrides.ts";

type Wish = Partial<Omit<Overrides, "by">>;

function runWith(...[options]: ConstructorParameters<typeof Story>): Story {
  return new Story(options).start();
}

/** The process that drove the run has died, and the next one is told what is to hold before it drives it. */
function override(story: Story, wish: Wish) {
  story.isDriving = false;
  const outcome = story.apply({
    type: "run.override",
    overrides: { options: {}, limits: {}, by: "a person", ...wish },
  });
  story.isDriving = true;
  return outcome;
}

function mustOverride(story: Story, wish: Wish): readonly string[] {
  const events = override(story, wish);
  if ("rejection" in events) throw new Error(events.rejection.sentence);
  return events.map(({ type }) => type);
}

function refusal(story: Story, wish: Wish): string {
  const outcome = override(story, wish);
  if (!("rejection" in outcome)) throw new Error("It was accepted");
  return `${outcome.rejection.code} ${outcome.rejection.sentence}`;
}

function resume(story: Story): void {
  story.must({ type: "run.recover", epoch: story.state.epoch + 1 });
}

describe("what is given anew", () => {
  test("holds from there on, and is recorded as far as it differs", () => {
    const story = runWith();
    const types = mustOverride(story, {
      options: { approve: "auto", commands: "ask", network: "on", verify: ["npm test"], isAttended: false },
      limits: { maxConcurrent: 2, maxChain: 3 },
    });
    const { options, limits } = story.state;
    expect([types, story.ofType("options.set")[0]?.data]).toEqual([
      ["options.set"],
      {
        options: { approve: "auto", network: "on", verify: ["npm test"] },
        limits: { maxConcurrent: 2 },
        by: "a person",
      },
    ]);
    expect([options.approve, options.network, options.verify, limits.maxConcurrent, limits.maxChain]).toEqual([
      "auto",
      "on",
      ["npm test"],
      2,
      3,
    ]);
  });

  test("is no event where all of it holds already", () => {
    expect(mustOverride(runWith(), { options: { model: "m", cassette: null }, limits: { maxConcurrent: 10 } })).toEqual(
      [],
    );
  });

  test("does not hold at an earlier moment", () => {
    const story = runWith();
    mustOverride(story, { options: { commands: "deny" } });
    expect([-1, undefined].map((end) => fold(story.events.slice(0, end))?.options.commands)).toEqual(["ask", "deny"]);
  });

  test("cannot be while the run is at work", () => {
    const overrides: Overrides = { options: { commands: "deny" }, limits: {}, by: "a person" };
    expect(runWith().apply({ type: "run.override", overrides })).toMatchObject({
      rejection: { code: "NOT_ALLOWED_NOW" },
    });
  });

  test("has nothing to hold for after the stop", () => {
    const story = runWith();
    story.speak();
    story.must({ type: "run.stop" });
    expect(refusal(story, { options: { model: "other" } })).toMatch(/^BAD_USAGE r1 has stopped/);
  });
});

describe("another model", () => {
  test("is that of the lead, of later subagents, and of those that were given none by name", () => {
    const story = runWith();
    const plain = story.spawn();
    const named = story.spawn({ model: "small" });
    mustOverride(story, { options: { model: "other" } });
    resume(story);
    const later = story.spawn();
    expect([story.state.options.model, ...[plain, named, later].map((id) => story.node(id).model)]).toEqual([
      "other",
      "other",
      "small",
      "other",
    ]);
  });

  test("whose price is not known takes the limit off the money", () => {
    const story = runWith({ budget: { costMicros: 5_000_000 } });
    const types = mustOverride(story, { options: { model: "local" }, price: null });
    expect([types, story.state.budget.limit.costMicros]).toEqual([["options.set", "budget.set"], null]);
  });
});

describe("the wall time", () => {
  test("counts from the same start, and not while nobody drove the run", () => {
    const story = runWith({ wallMs: 60_000 });
    story.speak();
    story.must({ type: "run.interrupt", reason: "The process died." });
    const diedAt = story.now;
    const leftMs = (story.state.deadlineAt ?? 0) - diedAt;
    story.now += 500_000;
    mustOverride(story, { wallMs: 90_000 });
    story.now += 500_000;
    resume(story);
    expect((story.state.deadlineAt ?? 0) - story.now).toBe(leftMs + 30_000);
  });

  test("of a crash without a last word ends at its last event, not at an option or a title that came after it", () => {
    const story = runWith({ wallMs: 60_000 });
    story.request("lead");
    const leftMs = (story.state.deadlineAt ?? 0) - story.now;
    story.now += 500_000;
    mustOverride(story, { options: { commands: "deny" } });
    story.now += 500_000;
    story.isDriving = false;
    story.must({ type: "run.rename", title: "Another", by: "a person" });
    story.isDriving = true;
    story.now += 500_000;
    resume(story);
    expect((story.state.deadlineAt ?? 0) - story.now).toBe(leftMs);
  });
});

describe("a budget that is set anew", () => {
  test("is the run's limit, and answers an open question for more", () => {
    const story = runWith({ budget: { steps: 4 } });
    story.control({ tool: "note", input: { kind: "decision", text: "So." } });
    story.apply({
      type: "agent.request",
      agent: "lead",
      model: "m",
      estimate: { ...smallEstimate, steps: 9 },
      isCostKnown: true,
      isForced: false,
    });
    const asked = story.state.approvals.map(({ kind, status }) => `${kind} ${status}`);
    const types = mustOverride(story, { budget: { steps: 100 } });
    expect([asked, types, story.state.budget.limit.steps, story.state.approvals[0]?.status]).toEqual([
      ["budget open"],
      ["options.set", "approval.withdrawn", "budget.set"],
      100,
      "withdrawn",
    ]);
  });

  test("holds what subagents at work may use where there was no limit before", () => {
    const story = runWith();
    const id = story.spawn({ budget: { steps: 7 } });
    mustOverride(story, { budget: { steps: 50 } });
    resume(story);
    const held = story.state.budget.reserved.steps;
    story.complete(id);
    expect([held, story.state.budget.reserved.steps, story.state.budget.limit.steps]).toEqual([7, 0, 50]);
  });

  test("gives a slice to those at work who began without a limit of that kind, beside what they have used", () => {
    const story = runWith({ budget: { steps: 200 } });
    const [first, second] = [story.spawn(), story.spawn()];
    story.turn(first, { text: "Looking.", usage: { inputTokens: 100, outputTokens: 5, cachedTokens: 0 } });
    expect(mustOverride(story, { budget: { inputTokens: 10_000 } })).toEqual(["options.set", "budget.set"]);
    const { limit, used, reserved } = story.state.budget;
    const [one, other] = [first, second].map((id) => story.node(id).slice.inputTokens ?? 0);
    // Of what the lead's tenth and what is used leave, a quarter, then a quarter of the rest.
    const free = 9_000 - used.inputTokens - 100;
    expect([one, other]).toEqual([100 + Math.ceil(free / 4), Math.ceil((free - Math.ceil(free / 4)) / 4)]);
    expect([limit.inputTokens, reserved.inputTokens]).toEqual([10_000, (one ?? 0) + (other ?? 0)]);
    resume(story);
    const estimate = { ...smallEstimate, inputTokens: 10_000 };
    story.apply({ type: "agent.request", agent: second, model: "m", estimate, isCostKnown: true, isForced: false });
    expect([story.node(second).status, story.node(second).code]).toEqual(["failed", "BUDGET_EXHAUSTED"]);
    expect(fold(story.events)).toEqual(story.state);
  });

  test("is refused where it leaves no share for them, with the least that does", () => {
    const story = runWith();
    const ids = [story.spawn(), story.spawn()];
    const used = story.state.budget.used.inputTokens;
    const wanted = refusal(story, { budget: { inputTokens: used + 1 } });
    const [, least = ""] = /it takes at least (\d+)/.exec(wanted) ?? [];
    expect(wanted).toBe(
      `BAD_USAGE --budget inputTokens=${used + 1}: it takes at least ${least}, since that much is used already or held for what is under way, and ${ids.join(", ")}, without a limit of that kind, need a share. Name that or more, or set it once they have ended.`,
    );
    expect(refusal(story, { budget: { inputTokens: Number(least) - 1 } })).toMatch(/^BAD_USAGE/);
    mustOverride(story, { budget: { inputTokens: Number(least) } });
    expect(ids.map((id) => story.node(id).slice.inputTokens)).toEqual([1, 1]);
  });

  test("is refused below what the lead has under way: a request at its estimate, and a question that is still to be answered", () => {
    const story = runWith();
    story.control({ tool: "askPerson", input: { question: "Which one?" } });
    const { used } = story.state.budget;
    const estimate = { ...smallEstimate, inputTokens: 300 };
    const least = (balance: "toolCalls" | "inputTokens") =>
      /it takes at least (\d+)/.exec(refusal(story, { budget: { [balance]: 0 } }))?.[1];
    expect(Number(least("toolCalls"))).toBe(used.toolCalls + 1);
    story.request("lead", { estimate });
    expect(Number(least("inputTokens"))).toBe(used.inputTokens + 300);
  });

  test("is refused below what is used or held", () => {
    const story = runWith();
    story.spawn({ budget: { steps: 7 } });
    expect(refusal(story, { budget: { steps: 5 } })).toMatch(
      /^BAD_USAGE --budget steps=5: it takes at least 8, since that much is used already or held for what is under way\. /,
    );
  });
});

describe("where it lands", () => {
  const elsewhere: Wish = {
    options: { landOn: { kind: "branch", name: "next" } },
    landsOn: { branch: "next", ref: "refs/heads/next" },
  };

  test("can change until something is proposed for it", () => {
    const story = runWith();
    const id = story.spawn({ role: "executor", paths: ["pay.js"] });
    mustOverride(story, elsewhere);
    resume(story);
    const target = story.state.target.branch;
    story.submit(id);
    story.propose(id, [fileChange("pay.js")]);
    expect([target, refusal(story, { options: { landOn: { kind: "current" } } })]).toEqual([
      "next",
      expect.stringMatching(/^BAD_USAGE Changes have been proposed/),
    ]);
  });

  test("is the fork's own in a fork", () => {
    const story = runWith();
    mustOverride(story, elsewhere);
    const target = { branch: "coppice/pay-r2", ref: "refs/heads/coppice/pay-r2" };
    const events = forkJournal(story.events, { run: "r2" as RunId, base: oid(2), target, now: 99_000 });
    expect(fold(events)?.target).toEqual(target);
  });

  test.each([
    ["each", "final", /is for a run from its start on\.$/],
    ["final", "auto", /reviewed once, at the end \(--approve final\), so it cannot go on under --approve auto\.$/],
  ] as const)("under --approve %s is not changed into that of %s", (before, after, words) => {
    expect(refusal(runWith({ options: { approve: before } }), { options: { approve: after } })).toMatch(words);
  });
});

test("what a review is asked for under none says that the run goes by it", () => {
  const story = runWith();
  mustOverride(story, { options: { approve: "none" } });
  resume(story);
  const id = story.spawn({ role: "executor", paths: ["pay.js"] });
  story.review(id);
  expect(story.ofType("approval.requested")[0]?.data.why).toBe("The run goes by --approve none.");
});
