// A run decided once more becomes what it was; a journal that its rules would not have made is told, event by event.

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { chooseCommand } from "../../../../test/support/randomCommands.ts";
import { type Pick, pickFrom } from "../../../../test/support/pick.ts";
import { storyRules } from "../../../../test/support/redecideStory.ts";
import { oid, roles, smallEstimate, Story, toolCall } from "../../../../test/support/runStory.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import type { Facts } from "../commands.ts";
import type { RunEvent } from "../events.ts";
import { forkJournal } from "../fork.ts";
import { figuresOf } from "../policy/template.ts";
import { builtInTemplates } from "../policy/templates.ts";
import { redecide } from "./redecide.ts";

const storyOfReader = () => {
  const story = new Story({ budget: { steps: 60 } }).start();
  story.complete(story.spawn());
  return story;
};

/** What other runs may hold, at models that the run may have and at others. */
function someCapacity(pick: Pick): Facts["capacity"] {
  const runningElsewhereByModel = { m: pick(10), m1: pick(10) };
  const { m, m1 } = runningElsewhereByModel;
  return pick(2) === 0
    ? { runningElsewhere: 0, runningElsewhereByModel: {} }
    : { runningElsewhere: m + m1 + pick(9), runningElsewhereByModel };
}

describe("a run that is decided once more", () => {
  test("becomes what it was, whatever happened to it", () => {
    const numbers = fc.noBias(fc.array(fc.nat({ max: 0xffff }), { minLength: 100, maxLength: 800, size: "max" }));
    fc.assert(
      fc.property(numbers, fc.constantFrom("each" as const, "auto" as const, "final" as const), (walk, approve) => {
        const story = new Story({ options: { approve }, budget: { steps: 60 } });
        const pick = pickFrom(walk);
        for (let step = 0; step < walk.length / 4; step++) {
          if (pick(6) === 5) story.capacity = someCapacity(pick);
          story.apply(chooseCommand(story.state, pick));
        }
        expect(redecide(story.events, storyRules)).toEqual({
          decided: story.events.length,
          events: story.events.length,
          differences: [],
        });
      }),
      { numRuns: 150, interruptAfterTimeLimit: 5_000 },
    );
  });

  test("becomes what it was where another process recorded a decision, and where other runs held the places", () => {
    const story = new Story({ limits: { maxOverAllRuns: 3 } });
    story.start();
    story.capacity = { runningElsewhere: 3, runningElsewhereByModel: {} };
    story.spawn();
    story.capacity = { runningElsewhere: 0, runningElsewhereByModel: { m: 9 } };
    story.spawn();
    story.must({ type: "run.pause" });
    story.capacity = { runningElsewhere: 0, runningElsewhereByModel: {} };
    story.must({ type: "run.resume" });
    expect(redecide(story.events, storyRules).differences).toEqual([]);
  });

  test("becomes what it was where a model was busy that a role has, that the lead named, or that the run got later", () => {
    const story = new Story({ options: { roleModels: { explorer: "small" } } }).start();
    story.capacity = { runningElsewhere: 0, runningElsewhereByModel: { small: 9, large: 9, other: 9 } };
    story.spawn();
    story.spawn({ role: "reviewer", model: "large" });
    story.isDriving = false;
    story.must({
      type: "run.override",
      overrides: { options: { model: "other" }, limits: { maxSubagents: 3 }, by: "a person" },
    });
    story.isDriving = true;
    story.must({ type: "run.recover", epoch: 2 });
    story.spawn({ role: "reviewer" });
    expect([story.statuses(), redecide(story.events, storyRules).differences]).toEqual([
      ["ready", "ready", "ready"],
      [],
    ]);
  });

  test("becomes what it was where a command changed nothing while others held all places", () => {
    const story = new Story({ limits: { maxOverAllRuns: 3 } }).start();
    story.capacity = { runningElsewhere: 3, runningElsewhereByModel: {} };
    story.spawn();
    story.must({ type: "run.resume", commandId: "again" });
    expect([story.events.at(-1)?.type, redecide(story.events, storyRules).differences]).toEqual([
      "command.answered",
      [],
    ]);
  });

  test("becomes what it was where the lead named models whose price was known, was not, and was asked for", () => {
    const story = new Story({ budget: { steps: 40, costMicros: 1_000_000 }, price: { input: 1, output: 2 } }).start();
    story.prices = { large: { input: 5, output: 20 }, small: { input: 1, output: 1 } };
    for (const model of ["large", "large", "m"]) story.spawn({ model });
    const inputs = [
      { task: "Look.", model: "small", budget: { steps: 30 } },
      { task: "Look.", model: "odd" },
    ];
    story.turn("lead", { calls: inputs.map((input, index) => toolCall(`${index}`, "spawnSubagent", input)) });
    for (const [index, input] of inputs.entries()) story.ask(`${index}`, { tool: "spawnSubagent", input });
    expect(story.ofType("handoff.refused").map(({ data }) => data.code)).toEqual(["BUDGET_EXHAUSTED", "NO_PRICE"]);
    expect(redecide(story.events, storyRules).differences).toEqual([]);
  });

  test("becomes what it was where others gave back one place at a model that two waited for", () => {
    const story = new Story({ limits: { maxPerModel: 3, maxOverAllRuns: 20 } }).start();
    story.capacity = { runningElsewhere: 6, runningElsewhereByModel: { m: 3, large: 3 } };
    for (const model of ["m", "m", "large", "small"]) story.spawn({ model });
    story.capacity = { runningElsewhere: 5, runningElsewhereByModel: { m: 2, large: 3 } };
    story.must({ type: "run.admit" });
    story.must({ type: "run.pause" });
    expect([story.statuses(), redecide(story.events, storyRules).differences]).toEqual([
      ["running", "ready", "ready", "running"],
      [],
    ]);
  });

  test("becomes what it was where nobody drove it when a person decided, and it was paused when somebody did", () => {
    const story = new Story().start();
    story.control({ tool: "askPerson", input: { question: "Which one?" } });
    story.isDriving = false;
    const [approval] = story.state.approvals;
    if (approval === undefined) throw new Error("nothing is asked");
    story.must({ type: "approval.decide", approval: approval.id, decision: "answered", by: "a person", comment: "a" });
    story.must({ type: "run.recover", epoch: 2, pauses: true });
    expect([story.state.status, redecide(story.events, storyRules).differences]).toEqual(["paused", []]);
  });

  test("becomes what it was where whoever took it over sent a writer to work in the same moment", () => {
    const story = new Story({ limits: { maxOverAllRuns: 1 } }).start();
    story.capacity = { runningElsewhere: 1, runningElsewhereByModel: {} };
    story.spawn({ role: "executor", paths: ["pay.js"] });
    story.must({ type: "run.interrupt", reason: "The process died." });
    story.capacity = { runningElsewhere: 0, runningElsewhereByModel: {} };
    story.epoch = 2;
    const taken = story.must({ type: "run.recover", epoch: 2 }).map(({ type }) => type);
    expect([taken, redecide(story.events, storyRules).differences]).toEqual([
      expect.arrayContaining(["run.resumed", "subagent.started"]),
      [],
    ]);
  });

  test("becomes what it was where a writer began after many others had another reason to wait", () => {
    const story = new Story({ options: { roleModels: { explorer: "small" } } }).start();
    story.capacity = { runningElsewhere: 18, runningElsewhereByModel: { small: 9, m: 9 } };
    for (let count = 0; count < 45; count++) story.spawn();
    story.spawn({ role: "executor", paths: ["pay.js"] });
    story.must({ type: "run.pause" });
    story.capacity = { runningElsewhere: 9, runningElsewhereByModel: { small: 9 } };
    story.must({ type: "run.resume" });
    story.must({ type: "run.pause" });
    expect([story.statuses().at(-1), redecide(story.events, storyRules).differences]).toEqual(["running", []]);
  });

  test("becomes what it was where the budget made a turn the last one, whichever balance it was", () => {
    const story = new Story({ options: { approve: "auto" }, budget: { inputTokens: 100 } }).start();
    story.request("lead", { isForced: true, forcedBy: "inputTokens" });
    expect([story.ofType("budget.exhausted")[0]?.data.balance, redecide(story.events, storyRules).differences]).toEqual(
      ["inputTokens", []],
    );
  });

  test("becomes what it was where not even a last turn was left, whatever was to make it the last", () => {
    const differences = [undefined, "inputTokens" as const].map((forcedBy) => {
      const story = new Story({ options: { approve: "auto" }, budget: { inputTokens: 5 } }).start();
      story.apply({
        type: "agent.request",
        agent: "lead",
        model: "m",
        estimate: smallEstimate,
        isCostKnown: true,
        isForced: true,
        ...(forcedBy === undefined ? {} : { forcedBy }),
      });
      expect(story.ofType("run.ending")[0]?.data.reason).toBe("budget_exhausted");
      return redecide(story.events, storyRules).differences;
    });
    expect(differences).toEqual([[], []]);
  });

  test("becomes what it was where a stop withdraws more questions than a command is looked for in", () => {
    const story = new Story().start();
    const request = (summary: string) =>
      story.must({ type: "approval.request", agent: "lead", kind: "command", summary, command: summary });
    for (const summary of ["a", "b", "c", "d", "e"]) request(summary);
    story.speak();
    story.must({ type: "run.stop" });
    expect([story.ofType("approval.withdrawn").length, redecide(story.events, storyRules).differences]).toEqual([
      5,
      [],
    ]);
  });

  test("becomes what it was under a template whose plan a person approved", () => {
    const template = builtInTemplates.find(({ name }) => name === "fan-out");
    if (template === undefined) throw new Error("There is no such template");
    const options = { policy: { kind: "template", name: "fan-out" }, approvePlan: true } as const;
    const story = new Story({ options, template: { ...template, ...figuresOf(template, roles) } }).start();
    story.decide("lead", "approved");
    for (const { id } of story.state.nodes) story.complete(id);
    story.speak();
    expect([story.statuses().length, redecide(story.events, storyRules).differences]).toEqual([3, []]);
  });

  test("of a fork, begins where the fork does", () => {
    const history = storyOfReader().events;
    const target = { branch: "b", ref: "refs/heads/b" };
    const fork = forkJournal(history, { run: "f1" as RunId, base: oid(2), target, now: 9_000 });
    const told = Story.from(fork, 10_000);
    told.must({ type: "run.recover", epoch: 1 });
    expect(redecide(told.events, storyRules)).toEqual({
      decided: told.events.length - fork.length,
      events: told.events.length - fork.length,
      differences: [],
    });
  });

  test("tells the events that the rules of today would not have made, and what they make instead", () => {
    const { events } = storyOfReader();
    const at = events.findIndex(({ type }) => type === "subagent.settled");
    const settled = events[at];
    if (settled?.type !== "subagent.settled") throw new Error("nothing was settled");
    const wrong: RunEvent = { ...settled, data: { ...settled.data, verification: "passed" } };
    const { differences } = redecide(events.with(at, wrong), storyRules);
    expect(differences).toEqual([
      {
        n: settled.n,
        recorded: { agent: "lead", type: "subagent.settled", data: wrong.data },
        today: { agent: "lead", type: "subagent.settled", data: settled.data },
      },
    ]);
  });

  test("tells an event that nothing recorded leads to", () => {
    const { events } = storyOfReader();
    const last = events.at(-1);
    if (last === undefined) throw new Error("the story has no events");
    const extra = { agent: "lead", type: "budget.set", data: { limit: {}, by: "nobody" } } as const;
    const wrong = { ...last, ...extra, n: last.n + 1, seq: last.seq + 1 } as unknown as RunEvent;
    const { differences } = redecide([...events, wrong], storyRules);
    expect(differences).toMatchObject([{ n: last.n + 1, today: null }]);
  });
});
