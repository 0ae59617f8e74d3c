// Pages about a run as a whole, over a journal that a story tells; git answers what the story needs of it.

import { describe, expect, test } from "vitest";

import { oid, Story, toolCall } from "../../../test/support/runStory.ts";
import { runPageSchemas } from "../../renderer/client/runPageSchemas.ts";
import type { ApprovalId, ChangeSetId } from "../../shared/contract/ids.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { approvalPage } from "./approvalPage.ts";
import { DiffReader } from "./diffPage.ts";
import { notepadPage } from "./notepadPage.ts";
import { assignmentPage, holdingsPage } from "./runPages.ts";

const momentOf = (story: Story) => ({ state: story.state, events: story.events, isNow: true });

/** An executor that asks for a command in a folder of its worktree. */
function askingFor(command: string): Story {
  const story = new Story().start();
  const id = story.spawn({ role: "executor", paths: ["."], reason: "It is needed." });
  story.turn(id, { calls: [toolCall("look", "readFile")] });
  story.must({ type: "agent.dispatch", agent: id, call: "look", effect: "read", class: "pure", input: {} });
  story.must({
    type: "agent.settle",
    agent: id,
    call: "look",
    outcome: "executed",
    durationMs: 1,
    output: "",
    resultHash: "h",
  });
  const args = JSON.stringify({ command, cwd: "db" });
  story.turn(id, { text: "The tests need it.", calls: [{ id: "run", name: "runCommand", arguments: args }] });
  story.must({ type: "approval.request", agent: id, kind: "command", summary: command, call: "run", command });
  return story;
}

test("the notepad has the plan as the lead last wrote it, whom it sent for each step, and every note, as of its moment", () => {
  const story = new Story().start();
  const plan = (first: "running" | "done") =>
    story.control({
      tool: "updatePlan",
      input: {
        steps: [
          { id: "s1", title: "Look", status: first, criteria: ["it is found"] },
          { id: "s2", title: "Mend", status: "pending" },
        ],
      },
    });
  plan("running");
  const earlier = story.state;
  story.complete(story.spawn({ step: "s1" }));
  plan("done");
  story.control({ tool: "note", input: { kind: "decision", text: "x".repeat(4_000) } });
  const [note] = story.ofType("note.added");
  const first = { id: "s1", title: "Look", criteria: ["it is found"] };
  const second = { id: "s2", title: "Mend", status: "pending", criteria: [], agents: [] };
  expect(notepadPage(earlier)).toEqual({
    plan: [{ ...first, status: "running", agents: [] }, second],
    conflicts: [],
    notes: [],
    noteCount: 0,
  });
  const now = notepadPage(story.state);
  expect(runPageSchemas.notepad.parse(now)).toEqual(now);
  expect(now).toMatchObject({
    plan: [{ ...first, status: "done", agents: ["subagent-1"] }, second],
    notes: [{ n: note?.n, agent: "lead", by: null, kind: "decision", retractedBy: null }],
    noteCount: 1,
  });
  expect(now.notes[0]?.text.length).toBeLessThan(1_300);
});

describe("an approval in full", () => {
  const page = (story: Story, id = "r1-a1") => approvalPage(momentOf(story), id as ApprovalId);

  test("says the whole line, who asks in which turn, where, why it was sent, and how far a yes may reach", () => {
    const command = `npm run migrate ${"--step ".repeat(2_000)}`.trim();
    const answer = page(askingFor(command));
    expect(answer).toMatchObject({
      ok: true,
      value: {
        kind: "command",
        status: "open",
        agent: "subagent-1",
        role: "executor",
        command,
        folder: "db",
        allows: "words",
        scopes: ["once", "run", "project"],
        network: "off",
        turn: 2,
        said: "The tests need it.",
        sent: { reason: "It is needed." },
        decision: null,
      },
    });
    expect(answer.ok && runPageSchemas.approval.parse(answer.value)).toEqual(answer.ok && answer.value);
  });

  test("says that a line for the shell is allowed as a line, and a question only answered", () => {
    const story = askingFor('npm test && echo "$DONE"');
    story.control({ tool: "askPerson", input: { question: "Which currency?", choices: ["Euro", "Pound"] } });
    expect([page(story), page(story, "r1-a2"), page(story, "r1-a9")]).toMatchObject([
      { value: { allows: "line" } },
      {
        value: {
          kind: "question",
          role: "lead",
          choices: ["Euro", "Pound"],
          allows: null,
          scopes: ["once"],
          sent: null,
        },
      },
      { ok: false, error: { code: "APPROVAL_NOT_FOUND" } },
    ]);
  });

  test("shows both sides of opposite verdicts, which stand beside the plan until they are settled", () => {
    const story = new Story().start();
    for (const verdict of ["passed", "failed"] as const) {
      const judge = story.spawn({ role: "reviewer", step: "s1" });
      story.judge(judge, [{ criterion: "spec", verdict, evidence: "e".repeat(2_000) }]);
    }
    const answer = page(story);
    const sides = [
      { by: "subagent-1", role: "reviewer", verdict: "passed", changeset: null },
      { by: "subagent-2", role: "reviewer", verdict: "failed", changeset: null },
    ];
    const conflict = { criterion: "spec", tree: oid(2), steps: ["s1"], sides };
    expect(answer).toMatchObject({ ok: true, value: { kind: "reconcile", said: null, conflict } });
    expect(answer.ok && runPageSchemas.approval.parse(answer.value)).toEqual(answer.ok && answer.value);
    const notepad = notepadPage(story.state);
    expect(runPageSchemas.notepad.parse(notepad)).toEqual(notepad);
    expect(notepad.conflicts).toMatchObject([conflict]);
    story.must({
      type: "approval.decide",
      approval: "r1-a1" as ApprovalId,
      decision: "answered",
      by: "Ada",
      comment: "mine",
    });
    expect(notepadPage(story.state).conflicts).toEqual([]);
  });

  test("says how it was decided", () => {
    const story = askingFor("npm test");
    story.must({
      type: "approval.decide",
      approval: "r1-a1" as ApprovalId,
      decision: "rejected",
      by: "a person",
      comment: "Use make.",
    });
    expect(page(story)).toMatchObject({
      value: { status: "decided", decision: { decision: "rejected", by: "a person", comment: "Use make." } },
    });
  });
});

test("a run tells what would start it again", () => {
  const story = new Story({ budget: { steps: 40 }, wallMs: 60_000, options: { verify: ["npm test"] } }).start();
  const page = assignmentPage(story.state);
  expect([runPageSchemas.assignment.parse(page), page]).toMatchObject([
    page,
    { verify: ["npm test"], budget: { steps: 40 }, wallMs: 60_000, model: "m" },
  ]);
});

test("a run tells what would go with it: events, what did not land, and pins whose refs still stand", async () => {
  const story = new Story().start();
  const [landed, open] = [
    story.spawn({ role: "executor", paths: ["pay.js"] }),
    story.spawn({ role: "executor", paths: ["tax.js"] }),
  ];
  const changeset = story.review(landed);
  story.review(open);
  story.decide(landed, "approved");
  story.land(changeset);
  for (const [agent, number] of [
    [landed, 1],
    [open, 2],
  ] as const) {
    story.must({ type: "place.create", agent, path: `/places/${number}`, root: oid(2), durationMs: 1 });
    story.must({
      type: "place.pin",
      agent,
      path: `/places/${number}`,
      ref: `refs/coppice/r1/pins/${number}`,
      commit: oid(9),
      reason: "ended",
    });
  }
  const git = {
    listHiddenRefs: () => Promise.resolve([{ ref: "refs/coppice/r1/pins/2", commit: oid(9) }]),
  } as unknown as GitPort;
  const page = await holdingsPage(momentOf(story), git);
  expect([runPageSchemas.holdings.parse(page), page]).toEqual([
    page,
    {
      eventCount: story.events.length,
      subagentCount: 2,
      unlandedCount: 1,
      landedCount: 1,
      pinned: [{ agent: open, reason: "ended", commit: oid(9), branch: `coppice-restored/r1-${open}` }],
      pinnedCount: 1,
      keepDays: 30,
    },
  ]);
  const gone = { listHiddenRefs: () => Promise.reject(new Error("moved")) } as unknown as GitPort;
  expect((await holdingsPage(momentOf(story), gone)).pinnedCount).toBe(0);
});

describe("a change set as a patch", () => {
  function reviewed() {
    const story = new Story().start();
    const id = story.spawn({ role: "executor", paths: ["pay.js"] });
    return { story, changeset: story.review(id) };
  }
  const gitWith = (text: string) => {
    let readCount = 0;
    const patchBetween = () => {
      readCount += 1;
      return Promise.resolve(text);
    };
    return { git: { patchBetween } as unknown as GitPort, reads: () => readCount };
  };

  test("comes in pieces of one reading, whole", async () => {
    const { story, changeset } = reviewed();
    const text = `${"+line\n".repeat(10_000)}+end\n`;
    const { git, reads } = gitWith(text);
    const diffs = new DiffReader(git);
    let whole = "";
    for (let after: number | null = 0; after !== null;) {
      const piece = await diffs.page(story.state, { kind: "diff", run: story.run, changeset, after });
      if (!piece.ok) throw new Error(piece.error.code);
      whole += piece.value.text;
      after = piece.value.next;
    }
    expect([whole === text, reads()]).toEqual([true, 1]);
  });

  test("is refused where it is too long to be whole, and where there is no such change set", async () => {
    const { story, changeset } = reviewed();
    const cut = new DiffReader(gitWith("+line\n... cut here: the patch is longer than 5 bytes\n").git);
    const ask = (of: ChangeSetId) => cut.page(story.state, { kind: "diff", run: story.run, changeset: of, after: 0 });
    expect([await ask(changeset), await ask("subagent-7.1" as ChangeSetId)]).toMatchObject([
      { ok: false, error: { code: "BAD_USAGE" } },
      { ok: false, error: { code: "CHANGE_SET_NOT_FOUND" } },
    ]);
  });
});
