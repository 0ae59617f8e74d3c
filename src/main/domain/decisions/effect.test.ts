import { describe, expect, test } from "vitest";

import { storyRules } from "../../../../test/support/redecideStory.ts";
import { roles, Story, toolCall } from "../../../../test/support/runStory.ts";
import type { SubagentId } from "../../../shared/contract/ids.ts";
import { dutiesOf } from "../duties.ts";
import { findFaults } from "../invariants/faults.ts";
import { snapshotOf } from "../projections/snapshot.ts";
import { redecide } from "../redecide/redecide.ts";
import { findNode } from "../state.ts";

/** A run whose executor has dispatched a command, and whose process died in it. */
function cutInCommand(): { readonly story: Story; readonly id: SubagentId } {
  const story = new Story({ options: { commands: "allow", network: "on" } }).start();
  const id = story.spawn({ role: "executor" });
  story.turn(id, { calls: [toolCall("c1", "runCommand", { command: "./deploy.sh" })] });
  story.must({
    type: "agent.dispatch",
    agent: id,
    call: "c1",
    effect: "execute",
    class: "opaque",
    input: { command: "./deploy.sh" },
  });
  story.must({ type: "run.recover", epoch: 2 });
  return { story, id };
}

function ask(story: Story, agent: SubagentId | "lead", call = "c1"): void {
  story.must({ type: "effect.ask", agent, call, because: "It had the network.", files: ["a.js"] });
}

function answer(story: Story, value: string): ReturnType<Story["apply"]> {
  const approval = story.state.approvals.at(-1)?.id;
  if (approval === undefined) throw new Error("Nothing is asked");
  return story.apply({ type: "approval.decide", approval, decision: "answered", by: "Ada", comment: value });
}

describe("an effect whose outcome nobody can know", () => {
  test("is asked about once, and only its agent waits", () => {
    const { story, id } = cutInCommand();
    ask(story, id);
    ask(story, id);
    const reader = story.spawn();
    expect([
      story.ofType("approval.requested").map(({ data }) => data),
      story.node(id).status,
      story.node(reader).status,
      story.state.status,
    ]).toEqual([
      [
        {
          approval: "r1-a1",
          agent: id,
          kind: "effect",
          summary: "Did this take effect? ./deploy.sh",
          why: "It had the network.",
          call: "c1",
          command: "./deploy.sh",
          choices: ["applied", "not_applied", "unknown"],
          effect: {
            tool: "runCommand",
            startedAt: expect.any(Number),
            because: "It had the network.",
            files: ["a.js"],
          },
        },
      ],
      "waiting",
      "running",
      "running",
    ]);
  });

  test.for([
    ["applied", "reconciled", "it took effect"],
    ["not_applied", "not_applied", "did not take effect"],
    ["unknown", "unknown", "is not known"],
  ] as const)("that a person calls %s is settled as %s, and its agent goes on", ([value, outcome, words]) => {
    const { story, id } = cutInCommand();
    ask(story, id);
    answer(story, value);
    const [settled] = story.ofType("tool.settled");
    expect([settled?.data.call, settled?.data.outcome, settled?.data.output, story.node(id).status]).toEqual([
      "c1",
      outcome,
      expect.stringContaining(words),
      "running",
    ]);
    expect(dutiesOf(story.state)).toContainEqual({ kind: "drive", agent: id });
    // The same answer again changes nothing, another one is refused.
    expect([answer(story, value), answer(story, value === "applied" ? "unknown" : "applied")]).toEqual([
      [],
      { rejection: expect.objectContaining({ code: "ALREADY_DECIDED" }) },
    ]);
  });

  test("takes no other answer", () => {
    const { story, id } = cutInCommand();
    ask(story, id);
    const approval = story.state.approvals.at(-1)?.id ?? ("" as never);
    expect([
      answer(story, "maybe"),
      story.apply({ type: "approval.decide", approval, decision: "approved", by: "Ada" }),
    ]).toEqual([
      { rejection: expect.objectContaining({ code: "BAD_USAGE" }) },
      { rejection: expect.objectContaining({ code: "BAD_USAGE" }) },
    ]);
  });

  test("is never dispatched again under its id, also not while it is asked about", () => {
    const { story, id } = cutInCommand();
    const again = { type: "agent.dispatch", agent: id, call: "c1", effect: "execute", class: "opaque" } as const;
    const refused = [story.apply({ ...again, input: {} })];
    ask(story, id);
    refused.push(story.apply({ ...again, input: {} }));
    answer(story, "not_applied");
    refused.push(story.apply({ ...again, input: {} }));
    expect(refused).toEqual(Array.from({ length: 3 }, () => ({ rejection: expect.anything() })));
  });

  test("is settled as unknown when its agent ends before anyone has answered", () => {
    const { story, id } = cutInCommand();
    ask(story, id);
    story.must({ type: "run.cancel", by: "Ada" });
    expect([
      story.state.approvals.map((one) => one.status),
      story.ofType("tool.settled").map((event) => event.data.outcome),
    ]).toEqual([["withdrawn"], ["unknown"]]);
  });

  test("of an agent that had ended already is settled without a question", () => {
    const { story, id } = cutInCommand();
    story.fail(id);
    ask(story, id);
    expect([story.state.approvals, story.ofType("tool.settled").map((event) => event.data.outcome)]).toEqual([
      [],
      ["unknown"],
    ]);
  });

  test("is shown with what a person needs to answer", () => {
    const { story, id } = cutInCommand();
    ask(story, id);
    expect(snapshotOf(story.state).approvals).toEqual([
      {
        id: "r1-a1",
        kind: "effect",
        agent: id,
        summary: "Did this take effect? ./deploy.sh",
        why: "It had the network.",
        since: story.state.approvals[0]?.since,
        choices: ["applied", "not_applied", "unknown"],
        call: "c1",
      },
    ]);
  });
});

describe("an approval of a command", () => {
  test("is used up by the dispatch that it lets happen, in the same event", () => {
    const story = new Story().start();
    const id = story.spawn({ role: "executor" });
    story.turn(id, { calls: [toolCall("c1", "runCommand", { command: "npm test" })] });
    story.must({
      type: "approval.request",
      agent: id,
      kind: "command",
      summary: "npm test",
      call: "c1",
      command: "npm test",
    });
    const dispatch = {
      type: "agent.dispatch",
      agent: id,
      call: "c1",
      effect: "execute",
      class: "rerunnable",
      input: {},
    } as const;
    const early = story.apply(dispatch);
    story.decide(id, "approved");
    story.must(dispatch);
    expect([early, story.ofType("tool.dispatched").map((event) => event.data.approval)]).toEqual([
      { rejection: expect.anything() },
      ["r1-a1"],
    ]);
  });

  test("that was refused lets nothing happen", () => {
    const story = new Story().start();
    const id = story.spawn({ role: "executor" });
    story.turn(id, { calls: [toolCall("c1", "runCommand", { command: "npm test" })] });
    story.must({
      type: "approval.request",
      agent: id,
      kind: "command",
      summary: "npm test",
      call: "c1",
      command: "npm test",
    });
    story.decide(id, "rejected");
    expect([
      story.apply({ type: "agent.dispatch", agent: id, call: "c1", effect: "execute", class: "rerunnable", input: {} }),
      findNode(story.state, id)?.calls[0]?.status,
    ]).toEqual([{ rejection: expect.objectContaining({ code: "NOT_ALLOWED_NOW" }) }, "open"]);
  });
});

/** An agent's read is on record as begun, and nothing came of it yet. */
function dispatchRead(story: Story, agent: SubagentId | "lead"): void {
  story.turn(agent, { calls: [toolCall("c1", "readFile", { path: "a.js" })] });
  story.must({ type: "agent.dispatch", agent, call: "c1", effect: "read", class: "pure", input: { path: "a.js" } });
}

test("a call that is under way when its agent is settled, or the run stops, is settled before as unknown, and never after", () => {
  const story = new Story().start();
  const id = story.spawn();
  for (const agent of [id, "lead"] as const) dispatchRead(story, agent);
  story.must({ type: "run.cancel", by: "a person" });
  const late = (agent: SubagentId | "lead") =>
    story.must({
      type: "agent.settle",
      agent,
      call: "c1",
      outcome: "executed",
      durationMs: 1,
      output: "",
      resultHash: "h",
    });
  story.settle(id);
  const afterSettling = late(id);
  story.must({ type: "run.stop" });
  expect([
    story.events.slice(-4).map(({ agent, type }) => `${agent} ${type}`),
    story.ofType("tool.settled").map(({ data }) => data.outcome),
    [afterSettling, late("lead")],
    findFaults(story.events, roles),
    redecide(story.events, storyRules).differences,
  ]).toEqual([
    [`${id} tool.settled`, "lead subagent.settled", "lead tool.settled", "lead run.stopped"],
    ["unknown", "unknown"],
    [[], []],
    [],
    [],
  ]);
});
