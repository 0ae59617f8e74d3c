// Under --approve-plan: what a person is shown before anything starts, and how their answer holds the run.

import { describe, expect, test } from "vitest";

import { fileRole, roles, Story, unlimited } from "../../../../test/support/runStory.ts";
import type { ApprovalId } from "../../../shared/contract/ids.ts";
import type { PlannedStep } from "../commands.ts";
import { figuresOf } from "../policy/template.ts";
import { builtInTemplates } from "../policy/templates.ts";

const steps: readonly PlannedStep[] = [
  { id: "look", title: "Find the cause", status: "pending", role: "explorer" },
  { id: "mend", title: "Mend it", status: "pending", role: "executor", blockedBy: ["look"] },
];

function planned(more: ConstructorParameters<typeof Story>[0] = {}): Story {
  const story = new Story({ ...more, options: { approvePlan: true, ...more.options } }).start();
  story.control({ tool: "updatePlan", input: { steps } });
  return story;
}

const answers = (story: Story) =>
  story
    .ofType("tool.answered")
    .flatMap(({ data }) => (data.tool === "updatePlan" ? [JSON.parse(data.output) as unknown] : []));

describe("a plan of the lead's", () => {
  test("is shown with its graph, count, width and worst cost, and the run waits", () => {
    const story = planned({ budget: { costMicros: 2_000_000 } });
    expect(story.state.approvals).toMatchObject([
      {
        kind: "plan",
        status: "open",
        summary: "2 subagents, 1 at once, at most 65 steps and the run's limit of $2.00.",
        why: "look (explorer): Find the cause\nmend (executor) after look: Mend it",
        plan: { count: 2, width: 1, budget: { steps: 65, costMicros: 2_000_000 } },
      },
    ]);
    expect([story.state.status, answers(story)]).toEqual(["waiting", []]);
  });

  test("costs at most what the tokens of its roles come to at their models' prices, where less than the run's limit", () => {
    const tokens = { ...unlimited, steps: 5, inputTokens: 100_000, outputTokens: 10_000 };
    const price = { input: 2_000_000, output: 10_000_000 };
    const look = { id: "a", title: "A", status: "pending", role: "sql" } as const;
    const plan = (more: object, wanted: readonly PlannedStep[] = [look, { ...look, id: "b" }]) => {
      const story = new Story({
        options: { approvePlan: true },
        roles: [fileRole("sql", { budget: tokens })],
        price,
        ...more,
      }).start();
      story.control({ tool: "updatePlan", input: { steps: wanted } });
      return story.state.approvals[0]?.summary;
    };
    const budget = { costMicros: 5_000_000 };
    expect([
      plan({ budget }),
      plan({ budget: { costMicros: 500_000 } }),
      plan({ budget, price: null }),
      plan({ budget: { ...budget, inputTokens: 50_000, outputTokens: 1_000 } }, [{ ...look, role: "explorer" }]),
      plan({}, [{ ...look, role: "explorer" }]),
    ]).toEqual([
      "2 subagents, 2 at once, at most 10 steps and $0.60.",
      "2 subagents, 2 at once, at most 10 steps and the run's limit of $0.50.",
      "2 subagents, 2 at once, at most 10 steps and the run's limit of $5.00.",
      "1 subagent, 1 at once, at most 25 steps and $0.11.",
      "1 subagent, 1 at once, at most 25 steps.",
    ]);
  });

  test("counts a step without a role as the dearest", () => {
    const story = new Story({ options: { approvePlan: true } }).start();
    story.control({ tool: "updatePlan", input: { steps: [{ id: "a", title: "A", status: "pending" }] } });
    expect(story.state.approvals[0]?.plan?.budget.steps).toBe(40);
  });

  test("lets nothing be handed off before it is approved, and no more than was approved after", () => {
    const early = new Story({ options: { approvePlan: true } }).start();
    expect(early.refusedSpawn({}).code).toBe("PLAN_NOT_APPROVED");
    const story = planned();
    story.decide("lead", "approved");
    expect(answers(story)).toEqual([{ approved: true }]);
    story.spawn({ step: "look" });
    const second = story.spawn({});
    expect(story.node(second).queue).toEqual({ code: "SLOT", sentence: "The approved plan has 1 at work at a time." });
    expect(story.refusedSpawn({}).code).toBe("PLAN_EXCEEDED");
  });

  test("holds the worst cost that was approved", () => {
    const story = planned();
    story.decide("lead", "approved");
    story.spawn({ role: "executor" });
    expect(story.refusedSpawn({ role: "executor" }).message).toContain(
      "65 steps were approved, and 40 are used or held",
    );
  });

  test("counts what failed for a step that was dropped no more, once a plan without it is approved", () => {
    const story = planned();
    story.decide("lead", "approved");
    story.fail(story.spawn({ step: "look" }));
    const [, mend] = steps;
    if (mend === undefined) throw new Error("There are two steps");
    const others: readonly PlannedStep[] = [
      { id: "look", title: "Find the cause", status: "dropped", role: "explorer" },
      { ...mend, blockedBy: [] },
      { id: "read", title: "Read it", status: "pending", role: "explorer" },
    ];
    story.control({ tool: "updatePlan", input: { steps: others } });
    story.decide("lead", "approved");
    expect([story.spawn({ step: "read" }), story.spawn({ step: "mend", role: "executor" })]).toEqual([
      "subagent-2",
      "subagent-3",
    ]);
    expect(story.refusedSpawn({}).code).toBe("PLAN_EXCEEDED");
  });

  test("asks again only when it grows", () => {
    const story = planned();
    story.decide("lead", "approved");
    const [look, mend] = steps;
    if (look === undefined || mend === undefined) throw new Error("There are two steps");
    story.control({ tool: "updatePlan", input: { steps: [{ ...look, status: "running" }, mend] } });
    expect(story.state.approvals).toHaveLength(1);
    story.control({
      tool: "updatePlan",
      input: { steps: [...steps, { id: "more", title: "More", status: "pending" }] },
    });
    expect(story.state.approvals.map(({ status }) => status)).toEqual(["decided", "open"]);
  });

  test("goes back to the lead with what is to be planned otherwise", () => {
    const story = planned();
    story.decide("lead", "sent_back", "One step is enough.");
    expect(answers(story)).toEqual([{ approved: false, comment: "One step is enough." }]);
    expect(story.refusedSpawn({}).code).toBe("PLAN_NOT_APPROVED");
  });

  test("that is rejected ends the run, and nothing was started", () => {
    const story = planned();
    story.decide("lead", "rejected", "Too dear.");
    expect(story.state.ending).toEqual({ reason: "cancelled", code: "PLAN_REJECTED", sentence: "Too dear." });
    expect(story.state.nodes).toEqual([]);
    // The call that asked is answered, so a run that is continued later does not wait for it.
    expect(story.state.lead.calls.map(({ tool, status }) => [tool, status])).toEqual([["updatePlan", "answered"]]);
  });
});

describe("a template", () => {
  const underTemplate = () => {
    const template = builtInTemplates.find(({ name }) => name === "review-panel");
    if (template === undefined) throw new Error("There is no review-panel");
    return new Story({
      options: { policy: { kind: "template", name: "review-panel" }, approvePlan: true },
      template: { ...template, ...figuresOf(template, roles) },
    }).start();
  };

  test("is shown at the start, and hands nothing off before the yes", () => {
    const story = underTemplate();
    expect(story.state.approvals).toMatchObject([
      { kind: "plan", plan: { count: 4, width: 3, budget: { steps: 100 } } },
    ]);
    expect([story.state.status, story.state.nodes]).toEqual(["waiting", []]);
    story.decide("lead", "approved");
    expect(story.statuses()).toEqual(["running", "running", "running", "pending"]);
  });

  test("cannot be planned otherwise: it is approved or rejected", () => {
    const story = underTemplate();
    const refused = story.apply({
      type: "approval.decide",
      approval: "r1-a1" as ApprovalId,
      decision: "sent_back",
      by: "a person",
      comment: "Fewer.",
    });
    expect(refused).toMatchObject({ rejection: { code: "BAD_USAGE" } });
  });
});
