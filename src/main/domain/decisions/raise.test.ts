import { describe, expect, test } from "vitest";

import { smallEstimate, Story, toolCall } from "../../../../test/support/runStory.ts";
import { dutiesOf } from "../duties.ts";
import { nextLeadTurn } from "../turn.ts";

const ask = {
  type: "agent.request",
  agent: "lead",
  model: "m",
  estimate: smallEstimate,
  isCostKnown: true,
  isForced: false,
} as const;

/** A run whose lead has taken the one step that it could take of four; the others are its kept share. */
function atTheLimit(options: { readonly approve?: "auto" } = {}): Story {
  const story = new Story({ budget: { steps: 4 }, options }).start();
  story.turn("lead", { calls: [toolCall("c", "peekSubagents")] });
  story.ask("c", { tool: "peekSubagents", input: {} });
  story.must(ask);
  return story;
}

function decide(
  story: Story,
  more: {
    readonly decision: "approved" | "rejected" | "answered";
    readonly scope?: "once" | "run" | "project";
    readonly comment?: string;
  },
) {
  const approval = story.state.approvals.at(-1)?.id;
  if (approval === undefined) throw new Error("Nothing is asked");
  return story.apply({ type: "approval.decide", approval, by: "Ada", ...more });
}

describe("a lead whose next step the budget does not bear", () => {
  test("waits for a person too where that step would leave nothing for a last one, which takes less", () => {
    const story = new Story({ budget: { inputTokens: 1_000 } }).start();
    story.must({ ...ask, isForced: true, forcedBy: "inputTokens" });
    expect([story.state.status, story.ofType("approval.requested")[0]?.data.raise?.balance]).toEqual([
      "waiting",
      "inputTokens",
    ]);
  });

  test("waits for a person who is asked for more, and the run stands still", () => {
    const story = atTheLimit();
    expect([
      story.ofType("approval.requested").map(({ data }) => [data.kind, data.raise]),
      nextLeadTurn(story.state).kind,
      dutiesOf(story.state),
      story.state.status,
      story.state.lead.limitReached,
    ]).toEqual([[["budget", { balance: "steps", used: 1, limit: 4, by: 2 }]], "idle", [], "waiting", null]);
  });

  test("begins nothing until that person has decided, and asks nothing twice", () => {
    const story = atTheLimit();
    const before = story.state.n;
    const waits = { rejection: { code: "NOT_ALLOWED_NOW", sentence: "The lead waits for more budget." } };
    expect([
      story.apply(ask),
      story.apply({ ...ask, isForced: true }),
      story.apply({ ...ask, isForced: true, forcedBy: "steps" }),
      story.state.n,
    ]).toEqual([waits, waits, waits, before]);
  });

  test("goes on with what a plain yes adds", () => {
    const story = atTheLimit();
    decide(story, { decision: "approved" });
    story.must(ask);
    expect([story.state.budget.limit.steps, story.state.lead.request?.id, story.state.status]).toEqual([
      6,
      "lead-t2",
      "running",
    ]);
  });

  test("goes on with the amount that a person names", () => {
    const story = atTheLimit();
    const refused = decide(story, { decision: "answered", comment: "plenty" });
    decide(story, { decision: "answered", comment: "20" });
    expect([refused, story.state.budget.limit.steps]).toEqual([
      { rejection: expect.objectContaining({ code: "BAD_USAGE" }) },
      24,
    ]);
  });

  test("goes on without a limit when the yes is for the run, and what was held of it is not held any more", () => {
    const story = atTheLimit();
    decide(story, { decision: "approved", scope: "run" });
    expect([story.state.budget.limit.steps, story.state.budget.reserved.steps]).toEqual([null, 0]);
  });

  test("cannot be given more for the project", () => {
    expect(decide(atTheLimit(), { decision: "approved", scope: "project" })).toEqual({
      rejection: expect.objectContaining({ code: "BAD_USAGE" }),
    });
  });

  test("has its wrap-up turn after a no, and the run ends partial", () => {
    const story = atTheLimit();
    decide(story, { decision: "rejected" });
    story.turn("lead", { text: "This far.", isForced: true });
    story.must({ type: "run.stop" });
    expect([story.state.stop?.reason, story.state.stop?.partial, story.state.approvals.length]).toEqual([
      "budget_exhausted",
      true,
      1,
    ]);
  });

  test("is asked for again when that is used up as well", () => {
    const story = atTheLimit();
    decide(story, { decision: "approved" });
    for (let step = 0; step < 2; step++) {
      story.turn("lead", { calls: [toolCall(`d${step}`, "peekSubagents")] });
      story.ask(`d${step}`, { tool: "peekSubagents", input: {} });
    }
    story.must(ask);
    expect(story.state.approvals.map(({ kind, status, raise }) => [kind, status, raise?.limit])).toEqual([
      ["budget", "decided", 4],
      ["budget", "open", 6],
    ]);
  });

  test("has its wrap-up turn without an answer once the wall time is over", () => {
    const story = atTheLimit();
    story.must({ type: "run.expire" });
    expect([story.state.approvals.map(({ status }) => status), nextLeadTurn(story.state)]).toEqual([
      ["withdrawn"],
      expect.objectContaining({ kind: "request", isForced: true }),
    ]);
  });

  test("has its wrap-up turn at once where nobody is there to ask", () => {
    const story = atTheLimit({ approve: "auto" });
    expect([story.state.approvals, story.state.lead.limitReached]).toEqual([[], "budget_exhausted"]);
  });
});

test("a control call beyond the tool calls of the budget stays open until a person has decided about more", () => {
  const story = new Story({ budget: { toolCalls: 1 } }).start();
  story.control({ tool: "peekSubagents", input: {} });
  const before = story.control({ tool: "peekSubagents", input: {} });
  const again = story.ask("call-2", { tool: "peekSubagents", input: {} });
  decide(story, { decision: "answered", comment: "5" });
  expect([before, again, story.ask("call-2", { tool: "peekSubagents", input: {} })]).toEqual([
    null,
    null,
    { subagents: [] },
  ]);
});
