// From a submission to the landing: checks, approvals, policies, holds.

import { describe, expect, test } from "vitest";

import { fileChange, oid, Story } from "../../../../test/support/runStory.ts";
import type { ApprovalMode } from "../../../shared/contract/options.ts";
import type { ApprovalId, ChangeSetId, SubagentId } from "../../../shared/contract/ids.ts";
import type { FileChange, HunkSelection } from "../records.ts";

interface Executor {
  readonly story: Story;
  readonly id: SubagentId;
}

function executor(approve: ApprovalMode = "each", paths: readonly string[] = ["src"]): Executor {
  const story = new Story({ options: { approve, verify: ["npm test"] } }).start();
  return { story, id: story.spawn({ role: "executor", paths }) };
}

/** Hands in, proposes, is checked with this exit code (`null`: not at all) and reaches its review or goes back. */
function handIn({ story, id }: Executor, exitCode: number | null, files?: readonly FileChange[]): ChangeSetId {
  story.submit(id);
  const changeset = story.propose(id, files);
  if (exitCode !== null) story.verify(id, exitCode);
  story.close(id);
  return changeset;
}

describe("a verification that fails", () => {
  test("goes back to the executor twice with its output, then opens the review", () => {
    const work = executor();
    const statuses = [1, 1, 1].map((exitCode) => {
      handIn(work, exitCode);
      return work.story.node(work.id).status;
    });
    const told = work.story.ofType("subagent.resumed").map((event) => event.data.text);
    const sentence =
      "The system ran `npm test` on your change: it ended with exit code 1. Mend it and call submitResult again.\n\n…";
    expect([
      statuses,
      told,
      work.story.state.changeSets.map((set) => set.status),
      work.story.node(work.id).verification,
    ]).toEqual([
      ["running", "running", "awaiting_review"],
      [sentence, sentence],
      ["replaced", "replaced", "open"],
      "failed",
    ]);
  });

  test("is not closed before a change set of this submission is proposed", () => {
    const work = executor();
    handIn(work, 1);
    work.story.submit(work.id);
    expect(work.story.apply({ type: "verification.close", agent: work.id })).toEqual({
      rejection: { code: "NOT_ALLOWED_NOW", sentence: "subagent-1 has proposed nothing yet." },
    });
  });

  test("opens the review at once when no step is left to mend it", () => {
    const story = new Story({ options: { verify: ["npm test"] } }).start();
    const id = story.spawn({ role: "executor", paths: ["src"], maxSteps: 2 });
    handIn({ story, id }, 1);
    expect(story.node(id).status).toBe("awaiting_review");
  });
});

test("[F22] an executor that changed nothing is completed without a review", () => {
  const { story, id } = executor();
  story.submit(id);
  story.must({ type: "changeset.empty", agent: id, base: oid(2) });
  expect([story.node(id).status, story.node(id).code]).toEqual(["completed", "NO_CHANGES"]);
});

describe("under auto", () => {
  test("a verified change set inside its claim lands unasked", () => {
    const work = executor("auto");
    handIn(work, 0);
    expect([work.story.state.changeSets[0]?.status, work.story.state.approvals[0]?.by]).toEqual([
      "approved",
      "policy auto",
    ]);
  });

  test.each([
    [
      "was not verified",
      null,
      fileChange("src/a.js"),
      "No verification command is configured, so nothing was verified.",
    ],
    ["touches a protected path", 0, fileChange("src/.env", 1, "PROTECTED_PATH"), "src/.env is a protected path."],
    ["leaves its claim", 0, fileChange("lib/a.js", 1, "OUTSIDE_PATHS"), "lib/a.js lies outside its claim."],
  ])("one that %s asks, and says why", (_, exitCode, file, why) => {
    const work = executor("auto");
    handIn(work, exitCode, [file]);
    expect(work.story.state.approvals[0]).toMatchObject({ status: "open", why });
  });

  test("one whose verification failed asks", () => {
    const work = executor("auto");
    for (const exitCode of [1, 1, 1]) handIn(work, exitCode);
    expect(work.story.state.approvals[0]).toMatchObject({ status: "open", why: "Its verification failed." });
  });
});

test("under none every change set stays open", () => {
  const work = executor("none");
  handIn(work, 0);
  expect(work.story.state.approvals[0]).toMatchObject({
    status: "open",
    why: "The run goes by --approve none.",
  });
});

describe("a decision", () => {
  const approval = "r1-a1" as ApprovalId;

  test("[G20] made again changes nothing; another one is refused", () => {
    const work = executor();
    handIn(work, 0);
    work.story.decide(work.id, "approved");
    const again = work.story.apply({ type: "approval.decide", approval, decision: "approved", by: "a person" });
    const other = work.story.apply({ type: "approval.decide", approval, decision: "rejected", by: "another" });
    expect([again, other]).toEqual([
      [],
      { rejection: { code: "ALREADY_DECIDED", sentence: "r1-a1 was approved by a person." } },
    ]);
  });

  test("may take some hunks, but only those that exist", () => {
    const work = executor();
    handIn(work, 0, [fileChange("src/a.js", 3)]);
    const wrong = work.story.apply({
      type: "approval.decide",
      approval,
      decision: "approved",
      by: "a person",
      hunks: { "src/a.js": [4] },
    });
    work.story.must({
      type: "approval.decide",
      approval,
      decision: "approved",
      by: "a person",
      hunks: { "src/a.js": [1, 3] },
    });
    expect([wrong, work.story.state.changeSets[0]?.selection]).toEqual([
      { rejection: { code: "UNKNOWN_HUNK", sentence: "src/a.js has no hunk 4; it has 3, numbered from 1." } },
      { "src/a.js": [1, 3] },
    ]);
  });

  test("[G20] that takes some hunks is another one than that which takes all, or others", () => {
    const work = executor();
    handIn(work, 0, [fileChange("src/a.js", 3)]);
    const approve = (more: { readonly hunks?: HunkSelection }) =>
      work.story.apply({ type: "approval.decide", approval, decision: "approved", by: "a person", ...more });
    approve({ hunks: { "src/a.js": [1, 3] } });
    const refused = { rejection: { code: "ALREADY_DECIDED", sentence: "r1-a1 was approved by a person." } };
    expect([
      approve({ hunks: { "src/a.js": [1, 3] } }),
      approve({}),
      approve({ hunks: "all" }),
      approve({ hunks: { "src/a.js": [2] } }),
    ]).toEqual([[], refused, refused, refused]);
  });

  test("to send back reopens the same transcript with the comment and the same worktree", () => {
    const work = executor();
    handIn(work, 0);
    const { worktree, root } = work.story.node(work.id);
    work.story.decide(work.id, "sent_back", "Mind the cents.");
    const node = work.story.node(work.id);
    const told = work.story.ofType("subagent.messaged").map((event) => event.data.text);
    const after = work.story.ofType("subagent.resumed").map((event) => event.data.after);
    expect([node.status, node.worktree, node.root, told, after]).toEqual([
      "running",
      worktree,
      root,
      ["Mind the cents."],
      ["review"],
    ]);
  });

  test("to send back is the same again only with the same words and the same target", () => {
    const work = executor();
    handIn(work, 0);
    work.story.decide(work.id, "sent_back", "Mind the cents.");
    const again = (comment: string, more: { readonly bringsTarget?: boolean } = {}) =>
      work.story.apply({ type: "approval.decide", approval, decision: "sent_back", by: "a person", comment, ...more });
    const refused = { rejection: { code: "ALREADY_DECIDED", sentence: "r1-a1 was sent back by a person." } };
    expect([
      again("Mind the cents."),
      again("Mind the cents.", { bringsTarget: false }),
      again("Mind the cents.", { bringsTarget: true }),
      again("Mind the pounds."),
    ]).toEqual([[], [], refused, refused]);
  });

  test("about anything but a change set cannot send back", () => {
    const { story, id } = executor();
    story.must({ type: "approval.request", agent: id, kind: "command", summary: "npm test" });
    expect(story.apply({ type: "approval.decide", approval, decision: "sent_back", by: "a person" })).toEqual({
      rejection: { code: "BAD_USAGE", sentence: "r1-a1 asks for a command; only a change set can be sent back." },
    });
  });

  test("about a command has no hunks, and one that reaches further is another one", () => {
    const { story, id } = executor();
    story.must({ type: "approval.request", agent: id, kind: "command", summary: "npm test" });
    const approve = (more: { readonly hunks?: HunkSelection; readonly scope?: "once" | "run" }) =>
      story.apply({ type: "approval.decide", approval, decision: "approved", by: "a person", ...more });
    const withHunks = approve({ hunks: { "src/a.js": [1] } });
    approve({});
    expect([withHunks, approve({ scope: "run" }), approve({ scope: "once" })]).toEqual([
      {
        rejection: {
          code: "BAD_USAGE",
          sentence: "Only a change set has hunks to choose from; r1-a1 is of the kind command.",
        },
      },
      { rejection: { code: "ALREADY_DECIDED", sentence: "r1-a1 was approved by a person." } },
      [],
    ]);
  });

  test("about a change set reaches no further than this once", () => {
    const work = executor();
    handIn(work, 0);
    const decided = work.story.apply({
      type: "approval.decide",
      approval,
      decision: "approved",
      by: "a person",
      scope: "project",
    });
    expect(decided).toEqual({
      rejection: {
        code: "BAD_USAGE",
        sentence:
          "Only the approval of a command, or of more budget, can reach beyond this once; r1-a1 is of the kind changeset.",
      },
    });
  });

  test("about a command lets the agent that asked go on", () => {
    const { story, id } = executor();
    story.must({ type: "approval.request", agent: id, kind: "command", summary: "npm test" });
    const waited = story.node(id).status;
    story.decide(id, "approved");
    const after = story.ofType("subagent.resumed").map((event) => event.data.after);
    expect([waited, story.node(id).status, after]).toEqual(["waiting", "running", ["person"]]);
  });

  test("about an unknown approval is refused", () => {
    const { story } = executor();
    expect(story.apply({ type: "approval.decide", approval, decision: "approved", by: "a person" })).toMatchObject({
      rejection: { code: "APPROVAL_NOT_FOUND" },
    });
  });
});

describe("a landing", () => {
  function approved(): Executor & { readonly changeset: ChangeSetId } {
    const work = executor();
    const changeset = handIn(work, 0);
    work.story.decide(work.id, "approved");
    return { ...work, changeset };
  }

  test("moves the run's line and completes its node", () => {
    const { story, id, changeset } = approved();
    story.land(changeset);
    expect([story.state.line, story.node(id).status, story.state.landings[0]]).toEqual([
      oid(300),
      "completed",
      expect.objectContaining({ id: "r1-l1", status: "landed", files: ["pay.js"] }),
    ]);
  });

  test("that cannot be is held with its reason and waits for a person, who may ask again", () => {
    const { story, id, changeset } = approved();
    story.must({ type: "landing.begin", changeset, old: oid(2), new: oid(300), tree: oid(301) });
    story.must({
      type: "landing.hold",
      changeset,
      code: "CONFLICT",
      sentence: "pay.js conflicts.",
      conflicts: ["pay.js"],
    });
    const held = [
      story.node(id).status,
      story.node(id).held,
      story.state.landings[0]?.status,
      story.state.changeSets[0]?.conflicts,
    ];
    story.must({ type: "landing.retry", changeset, by: "a person" });
    expect([held, story.state.changeSets[0]?.status]).toEqual([
      ["awaiting_review", { code: "CONFLICT", sentence: "pay.js conflicts." }, "failed", ["pay.js"]],
      "approved",
    ]);
  });

  test("that is under way outlives a cancel of the run, which stops after it", () => {
    const { story, id, changeset } = approved();
    story.must({ type: "landing.begin", changeset, old: oid(2), new: oid(300), tree: oid(301) });
    story.must({ type: "run.cancel", by: "a person" });
    const cancelled = [story.node(id).status, story.state.status];
    story.must({ type: "landing.finish", changeset, commit: oid(300), files: ["pay.js"] });
    story.settle(id);
    story.must({ type: "run.stop" });
    expect([cancelled, story.node(id).status, story.state.stop?.reason]).toEqual([
      ["landing", "running"],
      "completed",
      "cancelled",
    ]);
  });

  test("that comes back held while the run is ending takes its node with it", () => {
    const { story, id, changeset } = approved();
    story.must({ type: "landing.begin", changeset, old: oid(2), new: oid(300), tree: oid(301) });
    story.must({ type: "run.cancel", by: "a person" });
    story.must({ type: "landing.hold", changeset, code: "TARGET_MOVED", sentence: "The target moved." });
    expect([story.node(id).status, story.state.changeSets[0]?.status]).toEqual(["cancelled", "withdrawn"]);
  });

  test("that has not begun is not begun once the run is cancelled", () => {
    const { story, changeset } = approved();
    story.must({ type: "run.cancel", by: "a person" });
    expect(story.apply({ type: "landing.begin", changeset, old: oid(2), new: oid(300), tree: oid(301) })).toEqual({
      rejection: { code: "NOT_ALLOWED_NOW", sentence: "subagent-1.1 is withdrawn." },
    });
  });
});
