// Opposite verdicts: both sides on record, the step blocked, a person asked; and what is no conflict though it looks like one.

import { describe, expect, test } from "vitest";

import { fileChange, oid, Story, type StoryOptions } from "../../../../test/support/runStory.ts";
import type { ChangeSetId, SubagentId } from "../../../shared/contract/ids.ts";
import type { PlannedStep } from "../commands.ts";
import { openConflicts } from "../verdictConflicts.ts";
import { wordLedger } from "../projections/ledger.ts";
import { lastPromptOf, nextLeadTurn } from "../turn.ts";

const criterion = "the total is right";
const says = (verdict: "passed" | "failed" | "unknown", of = criterion) => [
  { criterion: of, verdict, evidence: `pay.js:${verdict.length}` },
];

/** A run in which two reviewers have looked at the line for one step, and said these things of it. */
function reviewed(left: "passed" | "failed", right: "passed" | "failed", more: StoryOptions = {}): Story {
  const story = new Story(more).start();
  plan(story, "running");
  for (const verdict of [left, right]) {
    const id = story.spawn({ role: "reviewer", step: "s1", criteria: [criterion] });
    story.judge(id, says(verdict));
    story.settle(id);
  }
  return story;
}

function plan(story: Story, status: PlannedStep["status"]): unknown {
  const steps = [{ id: "s1", title: "Sum it up", status, criteria: [criterion] }];
  return story.control({ tool: "updatePlan", input: { steps } });
}

function answer(story: Story, comment: string, decision: "answered" | "rejected" = "answered") {
  const approval = story.state.approvals.findLast(({ kind }) => kind === "reconcile");
  if (approval === undefined) throw new Error("Nobody is asked");
  return story.apply({ type: "approval.decide", approval: approval.id, decision, by: "Ada", comment });
}

/** What the lead is told before its next turn, which is lost. */
function heard(story: Story): string {
  const turn = nextLeadTurn(story.state);
  if (turn.kind !== "request") throw new Error(`The lead is ${turn.kind}`);
  story.request("lead", turn.prompt === null ? {} : { prompt: turn.prompt });
  story.must({ type: "agent.loseRequest", agent: "lead" });
  return turn.prompt?.text ?? "";
}

const asked = (story: Story) => story.state.approvals.filter(({ kind }) => kind === "reconcile");
const reasons = (story: Story) =>
  story
    .ofType("approval.withdrawn")
    .filter(({ data }) => asked(story).some(({ id }) => id === data.approval))
    .map(({ data }) => data.reason);
const refusal = (code: string, words: string) => ({
  error: { code, message: expect.stringContaining(words) as string },
});

describe("opposite verdicts on one criterion for the same tree", () => {
  test("are both kept with subagent, event and evidence, and a person is asked which holds", () => {
    const story = reviewed("passed", "failed");
    const results = story.ofType("subagent.result").map(({ n }) => n);
    const conflict = {
      criterion,
      tree: oid(2),
      steps: ["s1"],
      sides: [
        { by: "subagent-1", role: "reviewer", event: results[0], verdict: "passed", evidence: "pay.js:6" },
        { by: "subagent-2", role: "reviewer", event: results[1], verdict: "failed", evidence: "pay.js:6" },
      ],
    };
    expect(story.ofType("merge.conflicted").map(({ data }) => data)).toEqual([conflict]);
    expect(asked(story)).toMatchObject([
      { status: "open", agent: "lead", choices: ["mine", "theirs", "subagent-1", "subagent-2"], conflict },
    ]);
  });

  test("are told to the lead also where the budget makes its next turn the last", () => {
    const text = lastPromptOf(reviewed("passed", "failed").state, "lead")?.text ?? "";
    expect(text).toMatch(/^This is your last turn: .*\n\nOn "the total is right", for one tree, /s);
  });

  test("block their step, whatever the lead says, while other work goes on", () => {
    const story = reviewed("passed", "failed");
    expect(plan(story, "done")).toEqual(refusal("STEP_BLOCKED", "r1-a1"));
    expect([story.state.status, story.node(story.spawn({ step: "s2" })).status]).toEqual(["running", "running"]);
  });

  test("are told to the lead once, before its next turn", () => {
    const story = reviewed("passed", "failed");
    const told = "subagent-1 (reviewer) says passed and subagent-2 (reviewer) says failed";
    expect([heard(story), heard(story)]).toEqual([expect.stringContaining(told), ""]);
  });

  test("are seen by the lead whenever it looks at how things stand, also once old parts of its conversation are left out", () => {
    const story = reviewed("passed", "failed");
    const contradicted = [{ contradictedBy: ["subagent-2"] }, { contradictedBy: ["subagent-1"] }];
    expect(story.control({ tool: "peekSubagents", input: {} })).toMatchObject({ subagents: contradicted });
    expect(wordLedger(story.state, 8_000)).toContain('"contradictedBy":["subagent-2"]');
    answer(story, "mine");
    expect(wordLedger(story.state, 8_000)).not.toContain("contradictedBy");
  });

  test("are not outvoted by a third, and nobody is asked twice", () => {
    const story = reviewed("passed", "failed");
    story.judge(story.spawn({ role: "verifier", step: "s1" }), says("passed"));
    expect([asked(story).length, plan(story, "done")]).toEqual([1, refusal("STEP_BLOCKED", criterion)]);
  });

  test("are the same however the criterion is spaced and capitalised, or named by what stands before its colon", () => {
    const story = new Story().start();
    const criteria = ["spec: It does what was asked."];
    for (const said of ["spec", "SPEC:  It does what was asked."]) {
      const verdict = said === "spec" ? "passed" : "failed";
      story.judge(story.spawn({ role: "reviewer", criteria }), says(verdict, said));
    }
    expect(openConflicts(story.state)).toMatchObject([{ criterion: "spec: It does what was asked." }]);
  });

  test("hold the run until somebody has decided", () => {
    const story = reviewed("passed", "failed");
    story.speak();
    expect(story.state.status).toBe("waiting");
    answer(story, "subagent-1");
    expect([story.state.status, nextLeadTurn(story.state)]).toMatchObject([
      "running",
      { kind: "request", prompt: { text: expect.stringContaining("Ada says that it passed") as string } },
    ]);
  });
});

describe("an author and its reviewer who contradict each other about one proposal", () => {
  test("are a conflict about its tree, and block the author's step though the reviewer has none", () => {
    const story = new Story().start();
    const author = story.spawn({ role: "executor", step: "s1", paths: ["pay.js"] });
    story.judge(author, says("passed"));
    const set = story.propose(author);
    story.close(author);
    const reviewer = story.spawn({ role: "reviewer", dependsOn: [{ id: author, until: "proposed" }] });
    story.judge(reviewer, says("failed"));
    expect(openConflicts(story.state)).toMatchObject([
      {
        steps: ["s1"],
        tree: oid(201),
        sides: [
          { by: author, changeset: set },
          { by: reviewer, changeset: set },
        ],
      },
    ]);
  });
});

describe("what is no conflict", () => {
  test("is agreement, a verdict that is not known, another criterion, and what one subagent says twice", () => {
    const story = reviewed("failed", "failed");
    story.judge(story.spawn({ role: "reviewer", step: "s1" }), says("unknown"));
    story.judge(story.spawn({ role: "reviewer", step: "s1" }), [
      ...says("passed", "other"),
      ...says("failed", "other"),
    ]);
    expect(story.ofType("merge.conflicted")).toEqual([]);
    expect(plan(story, "done")).toEqual(refusal("NO_EVIDENCE", "has failed"));
  });

  test("is what was found of another tree: it is verified again on the merged tree, and that decides", () => {
    const { story, review } = afterTwoLandings();
    expect(story.ofType("merge.conflicted")).toEqual([]);
    expect(plan(story, "done")).toEqual(refusal("NO_EVIDENCE", "different trees"));
    review("passed");
    expect(plan(story, "done")).toMatchObject({ steps: [{ status: "done" }] });
  });
});

/** Two executors of one step, each looked at by a reviewer before it landed, with opposite verdicts; the second lands merged. */
function afterTwoLandings(): { readonly story: Story; readonly review: (verdict: "passed" | "failed") => void } {
  const story = new Story().start();
  plan(story, "running");
  const land = (set: ChangeSetId, from: number, to: number) => {
    story.decide(set.slice(0, -2) as SubagentId, "approved");
    story.must({ type: "landing.begin", changeset: set, old: oid(from), new: oid(to), tree: oid(to + 1) });
    story.must({ type: "landing.finish", changeset: set, commit: oid(to), files: ["pay.js"] });
  };
  const sets = (["passed", "failed"] as const).map((verdict, index) => {
    const author = story.spawn({ role: "executor", step: "s1", paths: [`${index}.js`] });
    story.submit(author);
    const commit = { base: oid(2), commit: oid(`a${index}`), tree: oid(`b${index}`) };
    const files = [fileChange(`${index}.js`)];
    story.must({ type: "changeset.propose", agent: author, ...commit, ref: `refs/${index}`, files });
    story.close(author);
    const reviewer = story.spawn({ role: "reviewer", step: "s1", dependsOn: [{ id: author, until: "proposed" }] });
    story.judge(reviewer, says(verdict));
    return `${author}.1` as ChangeSetId;
  });
  const [first, second] = sets;
  if (first === undefined || second === undefined) throw new Error("There are two");
  land(first, 2, 300);
  land(second, 300, 400);
  return { story, review: (verdict) => story.judge(story.spawn({ role: "reviewer", step: "s1" }), says(verdict)) };
}

describe("a change set that cannot land as it was approved", () => {
  test.each(["CONFLICT", "VERIFICATION_FAILED", "MERGE_DIFFERS", "TARGET_MOVED"])(
    "is held for %s, and its step is not done before a person has decided anew",
    (code) => {
      const story = new Story().start();
      plan(story, "running");
      const author = story.spawn({ role: "executor", step: "s1", paths: ["pay.js"] });
      const changeset = story.review(author);
      story.decide(author, "approved");
      const conflicts = code === "CONFLICT" ? { conflicts: ["pay.js"] } : {};
      story.must({ type: "landing.hold", changeset, code, sentence: "It cannot.", ...conflicts });
      expect(plan(story, "done")).toEqual(refusal("NO_EVIDENCE", "s1"));
      expect(story.state.changeSets).toMatchObject([
        { status: "held", held: { code }, commit: oid(101), base: oid(2) },
      ]);
      story.must({ type: "landing.retry", changeset, by: "Ada" });
      story.land(changeset);
      expect(plan(story, "done")).toMatchObject({ steps: [{ status: "done", evidence: [author] }] });
    },
  );

  test("shows no step as done once its landing is taken back", () => {
    const story = new Story().start();
    plan(story, "running");
    const author = story.spawn({ role: "executor", step: "s1", paths: ["pay.js"] });
    const changeset = story.review(author);
    story.decide(author, "approved");
    story.land(changeset);
    const [landing] = story.state.landings;
    if (landing === undefined) throw new Error("It has landed");
    story.must({ type: "undo.begin", landing: landing.id, old: oid(300), new: oid(400), tree: oid(401) });
    story.must({ type: "undo.finish", landing: landing.id, commit: oid(400) });
    expect(plan(story, "done")).toEqual(refusal("NO_EVIDENCE", "taken back"));
  });
});

describe("a conflict", () => {
  test("is moot once its tree is edited: the question goes, and the step needs a verdict on what stands now", () => {
    const story = reviewed("passed", "failed");
    const author = story.spawn({ role: "executor", step: "s1", paths: ["pay.js"] });
    const set = story.review(author);
    story.decide(author, "approved");
    story.land(set);
    expect([asked(story)[0]?.status, reasons(story)]).toEqual([
      "withdrawn",
      ["The tree that it is about was edited or taken back since, so it is to be verified again."],
    ]);
    expect(plan(story, "done")).toEqual(refusal("NO_EVIDENCE", "void: its tree was edited or taken back since"));
    story.judge(story.spawn({ role: "reviewer", step: "s1" }), says("passed"));
    expect(plan(story, "done")).toMatchObject({ steps: [{ status: "done" }] });
  });

  test("is moot once what it is about was rejected, or has landed as part of another tree, and says so", () => {
    const ends = [
      (story: Story, author: SubagentId) => story.decide(author, "rejected"),
      (story: Story, author: SubagentId) => {
        story.decide(author, "approved");
        story.land(`${author}.1` as ChangeSetId);
      },
    ];
    expect(
      ends.map((end) => {
        const story = new Story().start();
        const author = story.spawn({ role: "executor", step: "s1", paths: ["pay.js"] });
        story.judge(author, says("passed"));
        story.propose(author);
        story.close(author);
        story.judge(story.spawn({ role: "reviewer", dependsOn: [{ id: author, until: "proposed" }] }), says("failed"));
        end(story, author);
        return reasons(story);
      }),
    ).toEqual([
      ["subagent-1 has failed, so its verdict does not count any more."],
      ["What it is about has landed as part of another tree, and that one is to be verified."],
    ]);
  });

  test.each([
    ["mine", "done"],
    ["subagent-1", "done"],
    ["theirs", "failed"],
    ["subagent-2", "failed"],
  ])("is settled by %s, so that the step is %s", (value, outcome) => {
    const story = reviewed("passed", "failed");
    answer(story, value);
    expect(plan(story, "done")).toEqual(
      outcome === "done"
        ? { steps: [{ id: "s1", status: "done", evidence: ["subagent-1", "subagent-2"] }] }
        : refusal("NO_EVIDENCE", "has failed"),
    );
  });

  test("is settled for its tree: a later opinion on that tree opens it no more", () => {
    const story = reviewed("passed", "failed");
    answer(story, "theirs");
    story.judge(story.spawn({ role: "reviewer", step: "s1" }), says("passed"));
    expect([asked(story).length, openConflicts(story.state)]).toEqual([1, []]);
  });

  test.each(["yes", "subagent-9", ""])("takes no answer such as %j", (value) => {
    const story = reviewed("passed", "failed");
    expect(answer(story, value)).toMatchObject({
      rejection: {
        code: "BAD_USAGE",
        sentence: expect.stringContaining("mine|theirs|subagent-1|subagent-2") as string,
      },
    });
  });

  test("keeps the next item of a dispatched plan from being taken", () => {
    const story = new Story({ options: { topology: "dispatch" } }).start();
    const steps: readonly PlannedStep[] = [
      { id: "s1", title: "Look", status: "running" },
      { id: "s2", title: "Mend", status: "pending", blockedBy: ["s1"] },
      { id: "s3", title: "Look again", status: "running" },
    ];
    story.control({ tool: "updatePlan", input: { steps } });
    for (const [step, verdict] of [
      ["s1", "passed"],
      ["s3", "failed"],
    ] as const)
      story.judge(story.spawn({ role: "reviewer", step }), says(verdict));
    expect(story.refusedSpawn({ step: "s2" })).toMatchObject({
      code: "ITEM_BLOCKED",
      message: expect.stringContaining("a person settles that") as string,
    });
  });
});

describe("a run whose opposite verdicts nobody settles", () => {
  const unattended: StoryOptions = { options: { approve: "auto", isAttended: false } };
  const sumUp = (story: Story) => {
    expect(nextLeadTurn(story.state)).toMatchObject({ kind: "request", isForced: true });
    story.turn("lead", { text: "One thing is open.", isForced: true });
    story.must({ type: "run.stop" });
  };
  const stopped = {
    reason: "manual_reconciliation",
    answer: "One thing is open.",
    partial: true,
    code: "MANUAL_RECONCILIATION",
    sentence: expect.stringContaining(criterion) as string,
  };

  test("goes on with its other work where nobody is there to be asked, sums up once, and stops for that reason", () => {
    const story = reviewed("passed", "failed", unattended);
    expect([asked(story), story.state.status]).toEqual([[], "running"]);
    story.speak();
    expect(asked(story)).toMatchObject([{ decision: "rejected", by: "policy auto" }]);
    sumUp(story);
    expect(story.state.stop).toEqual(stopped);
  });

  test("sums up and stops when the person will not choose", () => {
    const story = reviewed("passed", "failed");
    answer(story, "Neither.", "rejected");
    sumUp(story);
    expect(story.state.stop).toEqual(stopped);
  });

  test("is continued by a message, and then asks whoever wrote it", () => {
    const story = reviewed("passed", "failed", unattended);
    story.speak();
    sumUp(story);
    story.must({ type: "run.input", text: "Ask me.", from: "Ada", to: "lead" });
    expect(asked(story).map(({ status }) => status)).toEqual(["decided", "open"]);
    answer(story, "mine");
    expect(heard(story)).toContain("Ada says that it passed");
    story.speak();
    story.must({ type: "run.stop" });
    expect(story.state.stop?.reason).toBe("final_answer");
  });

  test("is cancelled with its question like any other", () => {
    const story = reviewed("passed", "failed");
    story.must({ type: "run.cancel", by: "Ada" });
    expect(asked(story)).toMatchObject([{ status: "withdrawn" }]);
  });
});
