// Runs as a window has them: started, steered, left and gone on with, over a real store, real git and a scripted model.

import { afterEach, describe, expect, test } from "vitest";

import type { CommandReceipt, StartRun, WorkbenchCommand } from "../../shared/contract/commands.ts";
import type { ApprovalId, CommandId, LandingId, RunId } from "../../shared/contract/ids.ts";
import type { LiveSnapshot, RunSnapshot } from "../../shared/contract/snapshots.ts";
import type { Topic, TopicSnapshot } from "../../shared/contract/topics.ts";
import {
  calls,
  edit,
  endStories,
  openStory,
  say,
  spawn,
  type Story,
  submit,
  wait,
} from "../../../test/support/workbenchStory.ts";
import { gate } from "../../../test/support/storyProbes.ts";
import type { RunEvent } from "../domain/events.ts";
import type { Workbench } from "../workbench.ts";

const opened: Workbench[] = [];

afterEach(async () => {
  for (const workbench of opened.splice(0)) await workbench.runs.close();
  await endStories();
});

/** `isHeard`: the lead's last word comes only then. */
const editsUntil = (isHeard: Promise<unknown>): Parameters<typeof openStory>[0] => [
  {
    match: /^Begin/,
    turns: [
      calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })),
      wait(["subagent-1"]),
      { ...say("Over to you."), gate: isHeard },
    ],
  },
  {
    match: /^EXEC/,
    turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
  },
];
const edits = editsUntil(Promise.resolve());

async function open(entries: Parameters<typeof openStory>[0]): Promise<Story> {
  const story = await openStory(entries);
  opened.push(story.workbench);
  return story;
}

let commandCount = 0;
function nextId(): CommandId {
  commandCount += 1;
  return `command-${commandCount}` as CommandId;
}

async function execute(
  { source }: Workbench,
  command: WorkbenchCommand,
  commandId = nextId(),
): Promise<CommandReceipt> {
  const receipt = await source.execute({ commandId, command });
  if (!receipt.ok) throw new Error(`${receipt.error.code}: ${receipt.error.message}`);
  if (!("run" in receipt.value)) throw new Error(`${command.type} was answered as if it were no run's.`);
  return receipt.value;
}

function orderOf(story: Story, more: Partial<StartRun> = {}): StartRun {
  return {
    type: "startRun",
    folder: story.repository.folder,
    task: "Begin",
    model: "scripted",
    baseUrl: story.server.baseUrl,
    commands: "allow",
    ...more,
  };
}

/** The first snapshot of a topic that `fits`. */
async function shown<S extends TopicSnapshot>(
  { source }: Workbench,
  topic: Topic,
  fits: (snapshot: S) => boolean,
): Promise<S> {
  const { promise, resolve } = Promise.withResolvers<S>();
  const look = (snapshot: TopicSnapshot) => fits(snapshot as S) && resolve(snapshot as S);
  const subscribed = await source.subscribe(topic, look);
  if (!subscribed.ok) throw new Error(subscribed.error.message);
  look(subscribed.value.first);
  const found = await promise;
  subscribed.value.unsubscribe();
  return found;
}

const isReviewed = ({ status, approvals }: RunSnapshot) => status === "waiting" && approvals.length > 0;
const isStopped = ({ status }: RunSnapshot) => status === "stopped";

async function typesOf(workbench: Workbench, run: RunId): Promise<readonly RunEvent["type"][]> {
  return (await workbench.journal(run)).map(({ type }) => type);
}

describe("a run started in a window", () => {
  test("has the command line's defaults, is driven here to its stop, and is let go", async () => {
    const story = await open([{ match: /^Begin/, turns: [say("Done.")] }]);
    const { run } = await execute(story.workbench, orderOf(story));
    await shown(story.workbench, `run/${run}`, isStopped);
    await story.workbench.runs.untilLeft(run);
    const { options, budget, target } = await story.workbench.state(run);
    expect(options).toMatchObject({
      approve: "each",
      network: "off",
      landOn: { kind: "run-branch" },
      worktrees: "on",
      verify: [],
      isAttended: true,
    });
    expect([budget.limit.steps, target.branch.startsWith("coppice/")]).toEqual([400, true]);
    expect([story.workbench.runs.isDrivenHere(run), await story.workbench.isDriven(run)]).toEqual([false, false]);
  });

  test("is the same run when the same command comes again, also to a later process", async () => {
    const story = await open([{ match: /^Begin/, turns: [say("Done.")] }]);
    const commandId = nextId();
    const [first, again] = await Promise.all([
      execute(story.workbench, orderOf(story), commandId),
      execute(story.workbench, orderOf(story), commandId),
    ]);
    await story.workbench.runs.untilLeft(first.run);
    const other = await story.reopen();
    const later = await execute(other, orderOf(story), commandId);
    expect([again.run, later.run]).toEqual([first.run, first.run]);
    expect(await other.listRuns()).toHaveLength(1);
  });

  test("is refused before anything is written when it cannot be", async () => {
    const story = await open([]);
    const answers = await Promise.all(
      [
        orderOf(story, { folder: "/nowhere/at/all" }),
        orderOf(story, { baseUrl: "http://user:secret@127.0.0.1/v1" }),
        orderOf(story, { budget: { costMicros: 5 } }),
        orderOf(story, { task: "  " }),
      ].map((command) => story.workbench.source.execute({ commandId: nextId(), command })),
    );
    expect(answers.map((answer) => (answer.ok ? "ok" : answer.error.code))).toEqual([
      "REPOSITORY_NOT_FOUND",
      "ENDPOINT_INVALID",
      "NO_PRICE",
      "BAD_USAGE",
    ]);
    expect(await story.workbench.listRuns()).toEqual([]);
  });

  test("takes a landing back before it stops, also while its lead is saying its last word", async () => {
    const lastWord = gate();
    const story = await open(editsUntil(lastWord.passed));
    const { workbench } = story;
    const { run } = await execute(workbench, orderOf(story, { landOn: { kind: "branch", name: "landed" } }));
    await shown<RunSnapshot>(workbench, `run/${run}`, ({ approvals }) => approvals.length > 0);
    await execute(workbench, { type: "approve", approval: `${run}-a1` as ApprovalId });
    const { landed } = await shown<RunSnapshot>(workbench, `run/${run}`, ({ landed }) => landed.length > 0);
    await execute(workbench, { type: "undo", landing: landed[0]?.landing ?? ("" as LandingId) });
    lastWord.open();
    await workbench.runs.untilLeft(run);
    expect((await typesOf(workbench, run)).slice(-1)).toEqual(["run.stopped"]);
    expect(await typesOf(workbench, run)).toContain("landing.undone");
    expect(story.repository.git("show", "landed:a.txt")).toBe("one\ntwo\nthree");
  });

  test("shows what is being said while it is said, and no longer once the journal has it", async () => {
    const told = new Set<string>();
    const story = await open([{ match: /^Begin/, turns: [{ text: "First words", hangAfter: 2 }, say("never asked")] }]);
    const { run } = await execute(story.workbench, orderOf(story));
    const live = await shown<LiveSnapshot>(story.workbench, `live/${run}`, ({ turns }) =>
      turns.some(({ text }) => text !== ""),
    );
    for (const { agent, text } of live.turns) told.add(`${agent}: ${text}`);
    await execute(story.workbench, { type: "cancel", run });
    await shown<LiveSnapshot>(story.workbench, `live/${run}`, ({ turns }) => turns.length === 0);
    expect([...told].every((line) => "lead: First words".startsWith(line))).toBe(true);
    expect(told.size).toBe(1);
  });
});

describe("a run that has stopped", () => {
  test("goes on here with what a person says", async () => {
    const story = await open([{ match: /^Begin/, turns: [say("First answer."), say("Second answer.")] }]);
    const { run } = await execute(story.workbench, orderOf(story));
    await story.workbench.runs.untilLeft(run);
    const { at } = await execute(story.workbench, { type: "message", run, text: "Look again.", to: "lead" });
    const end = await shown<RunSnapshot>(
      story.workbench,
      `run/${run}`,
      (snapshot) => isStopped(snapshot) && snapshot.at > (at ?? 0),
    );
    expect(end.answer).toBe("Second answer.");
    expect((await typesOf(story.workbench, run)).filter((type) => type === "run.stopped")).toHaveLength(2);
  });

  test("lands its branch after a review, which can be taken back", async () => {
    const story = await open(edits);
    const { workbench } = story;
    const { run } = await execute(workbench, orderOf(story, { approve: "auto", verify: ["true"] }));
    await workbench.runs.untilLeft(run);
    await execute(workbench, { type: "land", run });
    const { approvals } = await shown<RunSnapshot>(workbench, `run/${run}`, ({ approvals }) => approvals.length === 1);
    await execute(workbench, { type: "approve", approval: approvals[0]?.id ?? ("" as ApprovalId) });
    await workbench.runs.untilLeft(run);
    expect(story.repository.git("show", "main:a.txt")).toContain("zwei");
    const landed = (await workbench.state(run)).landings.findLast(({ target }) => target === "main");
    await execute(workbench, { type: "undo", landing: landed?.id ?? ("" as LandingId) });
    expect(story.repository.git("show", "main:a.txt")).not.toContain("zwei");
  });

  test("is deleted only without a pin, and is gone then", async () => {
    const story = await open([{ match: /^Begin/, turns: [say("Done.")] }]);
    const { workbench } = story;
    const { run } = await execute(workbench, orderOf(story));
    await workbench.runs.untilLeft(run);
    await execute(workbench, { type: "pin", run, isPinned: true });
    const refused = await workbench.source.execute({ commandId: nextId(), command: { type: "deleteRun", run } });
    expect(refused).toMatchObject({ ok: false, error: { code: "RUN_PINNED" } });
    await execute(workbench, { type: "pin", run, isPinned: false });
    await execute(workbench, { type: "deleteRun", run });
    expect(await workbench.source.readPage({ kind: "moments", run })).toMatchObject({
      ok: false,
      error: { code: "RUN_NOT_FOUND" },
    });
  });
});

describe("a run that nobody drives", () => {
  async function leaveAtReview(): Promise<{ readonly story: Story; readonly run: RunId; readonly later: Workbench }> {
    const story = await open(edits);
    const { run } = await execute(
      story.workbench,
      orderOf(story, { landOn: { kind: "branch", name: "landed" }, verify: ["true"] }),
    );
    await shown(story.workbench, `run/${run}`, isReviewed);
    await story.workbench.runs.close();
    const later = await story.reopen();
    opened.push(later);
    return { story, run, later };
  }

  test("was left as it was, records and carries out a decision at once, and goes on only when asked to", async () => {
    const { story, run, later } = await leaveAtReview();
    expect(await later.isDriven(run)).toBe(false);
    const asked = story.server.requests.length;
    await execute(later, { type: "approve", approval: `${run}-a1` as ApprovalId });
    await later.runs.untilLeft(run);
    expect(story.repository.git("show", "landed:a.txt")).toContain("zwei");
    expect([later.runs.isDrivenHere(run), story.server.requests.length]).toEqual([false, asked]);
    expect(await shown<RunSnapshot>(later, `run/${run}`, ({ landed }) => landed.length === 1)).toMatchObject({
      status: "ready",
    });
    await execute(later, { type: "resume", run });
    await later.runs.untilLeft(run);
    expect((await later.state(run)).stop).toMatchObject({ reason: "final_answer" });
  });

  test("goes on with the decision itself, when that is asked for", async () => {
    const { run, later } = await leaveAtReview();
    await execute(later, { type: "reject", approval: `${run}-a1` as ApprovalId, comment: "No.", resumes: true });
    await later.runs.untilLeft(run);
    expect(await later.state(run)).toMatchObject({
      status: "stopped",
      nodes: [{ status: "failed", code: "REJECTED" }],
    });
  });

  test("is taken to its stop by a cancel", async () => {
    const { run, later } = await leaveAtReview();
    await execute(later, { type: "cancel", run });
    expect((await later.state(run)).stop).toMatchObject({ reason: "cancelled" });
    expect(await later.isDriven(run)).toBe(false);
  });
});

test("a run that another process drives takes its decisions through it, and both show the same", async () => {
  const story = await open(edits);
  const { run } = await execute(
    story.workbench,
    orderOf(story, { landOn: { kind: "branch", name: "landed" }, verify: ["true"] }),
  );
  await shown(story.workbench, `run/${run}`, isReviewed);
  const other = await story.reopen();
  opened.push(other);
  const seen = shown<RunSnapshot>(other, `run/${run}`, isStopped);
  const receipt = await execute(other, { type: "approve", approval: `${run}-a1` as ApprovalId });
  expect(receipt).toMatchObject({ run, at: null });
  const late = await other.source.execute({
    commandId: nextId(),
    command: { type: "reject", approval: `${run}-a1` as ApprovalId },
  });
  expect(late).toMatchObject({ ok: false });
  const [there, here] = await Promise.all([seen, shown<RunSnapshot>(story.workbench, `run/${run}`, isStopped)]);
  expect(there).toEqual(here);
});
