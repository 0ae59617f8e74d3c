// What every shell must hold: the same cases over the real application, whichever way its messages travel.

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { WorkbenchBridge } from "../../src/shared/contract/bridge.ts";
import { maxMessageBytes } from "../../src/shared/contract/channels.ts";
import type { CommandReceipt, WorkbenchCommand } from "../../src/shared/contract/commands.ts";
import type { ApprovalId, ChangeSetId, CommandId, LandingId, RunId } from "../../src/shared/contract/ids.ts";
import type { PageBodies, PageKind, PageQueries, PageRequest } from "../../src/shared/contract/pages.ts";
import type { RunListSnapshot, RunSnapshot } from "../../src/shared/contract/snapshots.ts";
import type { Topic } from "../../src/shared/contract/topics.ts";
import type { Result } from "../../src/shared/lib/result.ts";
import { contentPiece, hostAnswers, windowSnapshot } from "../../src/renderer/client/hostSchemas.ts";
import { careReceipt } from "../../src/renderer/client/careSchemas.ts";
import { pageSchemas, receiptSchema } from "../../src/renderer/client/pageSchemas.ts";
import { progressSnapshot, settingsSnapshot } from "../../src/renderer/client/snapshotSchemas.ts";
import type { Log } from "../../src/main/logging/log.ts";
import type { ShellSource } from "../../src/main/pages/topicSource.ts";
import { edit, endStories, openStory, say, spawn, type Story, submit, wait, calls } from "../support/workbenchStory.ts";

/** A page behind one shell. */
export interface ShellPage {
  readonly bridge: WorkbenchBridge;
  /** Sends anything; `refused` when it was turned away without an answer. */
  send(channel: string, body: unknown): Promise<Result<unknown> | "refused">;
  /** Callers who are not the page, each by what is wrong with it. */
  readonly strangers: Readonly<Record<string, ShellPage["send"]>>;
  close(): Promise<void>;
}

const turns = [
  {
    match: /^Begin/,
    turns: [calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Over to you.")],
  },
  {
    match: /^EXEC/,
    turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
  },
];

/** Of what is sent and refused, how much goes to a channel that does not exist. */
const unknownChannels = 2;

/** Describes a shell by how a page is opened on an application. */
export function describeContract(name: string, openPage: (source: ShellSource, log: Log) => Promise<ShellPage>): void {
  describe(`the contract over ${name}`, () => {
    let story: Story;
    let page: ShellPage;
    /** Waits for its review until the last case decides it. */
    let run: RunId;
    let commandCount = 0;
    const seen: { readonly topic: string; readonly snapshot: RunSnapshot | RunListSnapshot }[] = [];
    const waiting = new Set<() => void>();
    const noted: string[] = [];
    const log: Log = { note: (event) => void noted.push(event), close: () => {} };

    beforeAll(async () => {
      story = await openStory(turns);
      page = await openPage(story.workbench.source, log);
      page.bridge.onSnapshot((topic, snapshot) => {
        seen.push({ topic, snapshot: snapshot as RunSnapshot });
        for (const look of waiting) look();
      });
      run = await startRun();
    });

    afterAll(async () => {
      await page.close();
      await story.workbench.runs.close();
      await endStories();
    });

    function nextId(): CommandId {
      commandCount += 1;
      return `command-${commandCount}` as CommandId;
    }

    async function execute(command: WorkbenchCommand, commandId = nextId()): Promise<CommandReceipt> {
      const answer = await page.bridge.execute({ commandId, command });
      if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
      return receiptSchema.parse(answer.value);
    }

    async function read<K extends PageKind>(kind: K, query: PageQueries[K]): Promise<PageBodies[K]> {
      const answer = await page.bridge.readPage({ kind, ...query } as unknown as PageRequest);
      if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
      expect(Buffer.byteLength(JSON.stringify(answer.value))).toBeLessThan(maxMessageBytes);
      return pageSchemas[kind].parse(answer.value);
    }

    /** The first pushed snapshot of a topic that `fits`, among those seen already or yet to come. */
    function pushed(topic: Topic, fits: (snapshot: RunSnapshot) => boolean): Promise<RunSnapshot> {
      return new Promise((resolve) => {
        const look = () => {
          const found = seen.find((push) => push.topic === topic && fits(push.snapshot as RunSnapshot));
          if (!found) return;
          waiting.delete(look);
          resolve(found.snapshot as RunSnapshot);
        };
        waiting.add(look);
        look();
      });
    }

    /** Starts a run and lets it come to its review. */
    async function startRun(): Promise<RunId> {
      const { run } = await execute({
        type: "startRun",
        folder: story.repository.folder,
        task: "Begin",
        model: "scripted",
        baseUrl: story.server.baseUrl,
        commands: "allow",
        landOn: { kind: "branch", name: "landed" },
        verify: ["true"],
      });
      const isReviewed = ({ status, approvals }: RunSnapshot) => status === "waiting" && approvals.length === 1;
      const first = await page.bridge.subscribe(`run/${run}`);
      if (!first.ok || !isReviewed(first.value as RunSnapshot)) await pushed(`run/${run}`, isReviewed);
      return run;
    }

    const approvalOf = (run: RunId) => `${run}-a1` as ApprovalId;
    const isStopped = ({ status }: RunSnapshot) => status === "stopped";

    it("lists a run with its open reviews", async () => {
      const listed = await page.bridge.subscribe("runs");
      expect(listed).toMatchObject({
        ok: true,
        value: { runs: [{ run, status: "waiting", needsYouCount: 1, reviewCount: 1 }] },
      });
    });

    it("answers every kind of page", async () => {
      const journal = await story.workbench.journal(run);
      const changeset = "subagent-1.1" as ChangeSetId;
      const slice = { after: 0, limit: 1_000 };
      const timeline = await read("timeline", { run, ...slice });
      expect(timeline.items.map(({ kind }) => kind)).toContain("review");
      const transcript = await read("transcript", { run, agent: "subagent-1", ...slice });
      expect(transcript.items[0]).toMatchObject({ kind: "packet", title: "Packet" });
      expect(await read("snapshot", { run, at: 1 })).toMatchObject({
        at: 1,
        status: "created",
        subagents: [],
        approvals: [],
      });
      const { total, moments } = await read("moments", { run });
      expect([total, moments.length, moments.at(-1)?.n]).toEqual([journal.length, journal.length, journal.length]);
      expect(await read("packet", { run, agent: "subagent-1" })).toMatchObject({
        role: "executor",
        objective: "EXEC",
        paths: ["a.txt"],
        gave: [],
      });
      expect(await read("result", { run, agent: "subagent-1" })).toMatchObject({
        said: { answer: "done" },
        observed: { changeset, filesChanged: ["a.txt"] },
      });
      expect(await read("changes", { run, changeset, ...slice })).toMatchObject({
        status: "open",
        files: { items: [{ path: "a.txt", hunks: [{ number: 1 }] }], next: null },
        checks: [{ command: "true", exitCode: 0, isOfProposal: true }],
        summary: "done",
      });
      expect((await read("patch", { run, changeset, path: "a.txt", ...slice })).items).toEqual([
        { kind: "context", oldLine: 1, newLine: 1, text: "one", hunk: 1 },
        { kind: "removed", oldLine: 2, newLine: null, text: "two", hunk: 1 },
        { kind: "added", oldLine: null, newLine: 2, text: "zwei", hunk: 1 },
        { kind: "context", oldLine: 3, newLine: 3, text: "three", hunk: 1 },
      ]);
      expect(await read("fileLines", { run, changeset, path: "a.txt", after: 1, limit: 1 })).toEqual({
        items: ["zwei"],
        next: 2,
        lineCount: 3,
      });
      expect(await read("conflicts", { run, changeset, path: "a.txt" })).toMatchObject({ kind: "none", regions: [] });
    });

    it("answers the whole of a text piece by piece, what the host is, and what is asked of the window", async () => {
      const piece = await page.bridge.readContent({ run, agent: "lead", n: 1, row: 0, after: 2 });
      expect(piece.ok && contentPiece.parse(piece.value)).toEqual({ text: "gin", next: null, total: 5 });
      const host = await page.bridge.callHost({ kind: "describe" });
      expect(host.ok && hostAnswers.describe.parse(host.value)).toMatchObject({ platform: process.platform });
      const progress = await page.bridge.subscribe("progress");
      expect(progress.ok && progressSnapshot.parse(progress.value)).toMatchObject({ works: [] });
      const window = await page.bridge.subscribe("window");
      expect(window.ok && windowSnapshot.parse(window.value)).toMatchObject({ asked: [] });
    });

    it("answers the pages about the run as a whole", async () => {
      const changeset = "subagent-1.1" as ChangeSetId;
      expect(await read("approval", { run, approval: approvalOf(run) })).toMatchObject({
        kind: "changeset",
        changeset,
      });
      expect(await read("assignment", { run })).toMatchObject({ task: "Begin", verify: ["true"], commands: "allow" });
      expect(await read("notepad", { run, upTo: 1 })).toEqual({ plan: [], conflicts: [], notes: [], noteCount: 0 });
      expect(await read("holdings", { run })).toMatchObject({ unlandedCount: 1, landedCount: 0, keepDays: 30 });
      const { text, next } = await read("diff", { run, changeset, after: 0 });
      expect([text.split("\n").filter((line) => /^[-+][a-z]/.test(line)), next]).toEqual([["-two", "+zwei"], null]);
    });

    it("answers what is no run's: settings as a topic, a page about them, and a command that changes them", async () => {
      const first = await page.bridge.subscribe("settings");
      expect(first).toMatchObject({ ok: true, value: { problem: null, settings: { run: { commands: "ask" } } } });
      const asked = { line: "git push --force", repository: null };
      expect(await read("commandTest", asked)).toMatchObject({ verdict: "asks" });
      const settings = settingsSnapshot.parse(first.ok ? first.value : null).settings;
      const changes = { run: { ...settings.run, commands: "deny" } } as const;
      const changed = await page.bridge.execute({ commandId: nextId(), command: { type: "changeSettings", changes } });
      expect(careReceipt.parse(changed.ok ? changed.value : null)).toMatchObject({ said: null });
      expect(await read("commandTest", asked)).toMatchObject({ verdict: "refused" });
      await page.bridge.execute({
        commandId: nextId(),
        command: { type: "changeSettings", changes: { run: settings.run } },
      });
      const invalid = { type: "changeSettings", changes: { run: { ...settings.run, maxChain: 0 } } };
      expect(await page.send("command/execute", { commandId: nextId(), command: invalid })).toMatchObject({
        ok: false,
        error: { code: "BAD_USAGE" },
      });
    });

    it("gives a run another title, which whoever looks at it sees", async () => {
      await page.bridge.subscribe(`run/${run}`);
      await execute({ type: "rename", run, title: "  Two\n becomes zwei " });
      const renamed = await pushed(`run/${run}`, ({ title }) => title === "Two becomes zwei");
      expect(renamed.task).toBe("Begin");
    });

    it("takes a person's note, and takes it back", async () => {
      await execute({ type: "addNote", run, kind: "decision", text: "Keep the name." });
      const note = (await read("notepad", { run })).notes.at(-1);
      expect(note).toMatchObject({ kind: "decision", text: "Keep the name.", by: "a person", retractedBy: null });
      await execute({ type: "retractNote", run, note: note?.n ?? 0 });
      expect((await read("notepad", { run })).notes.at(-1)).toMatchObject({ n: note?.n, retractedBy: "a person" });
    });

    it("passes on why a command could not be carried out", async () => {
      const answers = await Promise.all([
        page.bridge.execute({ commandId: nextId(), command: { type: "pause", run: "nowhere" as RunId } }),
        page.bridge.execute({ commandId: nextId(), command: { type: "reject", approval: "nowhere-a1" as ApprovalId } }),
        page.bridge.execute({ commandId: nextId(), command: { type: "undo", landing: `${run}-l9` as LandingId } }),
        page.bridge.execute({ commandId: nextId(), command: { type: "deleteRun", run } }),
        page.bridge.readPage({ kind: "packet", run, agent: "subagent-9" }),
        page.bridge.readPage({ kind: "snapshot", run, at: 1_000_000 }),
        page.bridge.subscribe("run/nowhere" as Topic),
        page.bridge.readContent({ run, agent: "subagent-9", n: 1, row: 0, after: 0 }),
        page.bridge.readContent({ run, agent: "lead", n: 1, row: 9, after: 0 }),
        page.bridge.readContent({ run, agent: "lead", n: 1, row: 0, after: 6 }),
      ]);
      expect(answers.map((answer) => (answer.ok ? "ok" : answer.error.code))).toEqual([
        "RUN_NOT_FOUND",
        "APPROVAL_NOT_FOUND",
        "LANDING_NOT_FOUND",
        "NOT_ALLOWED_NOW",
        "UNKNOWN_SUBAGENT",
        "BAD_USAGE",
        "RUN_NOT_FOUND",
        "UNKNOWN_SUBAGENT",
        "BAD_USAGE",
        "BAD_USAGE",
      ]);
    });

    it("[G13] refuses what is malformed, too large or unknown, notes it, and changes nothing", async () => {
      const before = await story.workbench.journal(run);
      const commandId = nextId();
      const command = { type: "cancel", run };
      const message = { type: "message", run, to: "lead" };
      const approve = { type: "approve", approval: `${run}-a1` };
      const both = { path: "a.txt", hunk: 1, text: "x" };
      const start = { type: "startRun", folder: "/", task: "x", model: "x" };
      const refused: readonly (readonly [channel: string, body: unknown])[] = [
        ["command/execute", { commandId, command: { ...command, force: true } }],
        ["command/execute", { commandId: "x", command }],
        ["command/execute", { commandId, command: { type: "run.stop", run } }],
        ["command/execute", { commandId, command: { ...command, run: "../../etc" } }],
        ["command/execute", command],
        ["command/execute", { commandId, command: { ...message, text: "x".repeat(100_001) } }],
        ["command/execute", { commandId, command: { ...message, text: "" } }],
        ["command/execute", { commandId, command: { ...message, text: "x", to: "subagent-0" } }],
        ["command/execute", { commandId, command: { ...start, verify: [" "] } }],
        ["page/read", { kind: "timeline", run, after: 0, limit: 1e9 }],
        ["page/read", { kind: "timeline", run, after: -1, limit: 1 }],
        ["page/read", { kind: "journal", run }],
        ["page/read", { kind: "patch", run, changeset: "x", path: "a.txt", after: 0, limit: 1 }],
        ["command/execute", { commandId, command: { ...approve, amendments: [{ path: "a", hunk: 1 }] } }],
        ["command/execute", { commandId, command: { ...approve, amendments: [{ path: "a", hunk: 0, text: "x" }] } }],
        ["command/execute", { commandId, command: { ...approve, amendments: [{ ...both, leftOut: [1] }] } }],
        ["topic/subscribe", { topic: `live/${run}/x` }],
        ["topic/subscribe", null],
        ["content/read", { run, agent: "lead", n: 0, row: 0, after: 0 }],
        ["content/read", { run, agent: "lead", n: 1, row: 0, after: 0, file: "/etc/passwd" }],
        ["host/call", { command }],
        ["host/call", { kind: "reveal", run, agent: null, path: "../x" }],
        ["host/call", { kind: "reveal", run, agent: null, path: "/etc/passwd" }],
        ["host/call", { kind: "openInEditor", run, agent: null, path: "C:\\x" }],
        ["host/call", { kind: "openPath", path: "/etc/passwd" }],
        ["topic/snapshot", { topic: "runs" }],
        ["run.cancel", { run }],
      ];
      noted.length = 0;
      const answers = await Promise.all(refused.map(([channel, body]) => page.send(channel, body)));
      for (const answer of answers)
        expect(answer === "refused" || answer).toMatchObject(
          answer === "refused" ? {} : { ok: false, error: { code: "BAD_USAGE" } },
        );
      expect(
        await page.send("command/execute", { commandId, command: { ...message, text: "x".repeat(maxMessageBytes) } }),
      ).not.toMatchObject({ ok: true });
      // A channel that nobody handles is refused by Electron itself, before there is anybody to note it.
      expect(noted.length).toBeGreaterThanOrEqual(refused.length + 1 - unknownChannels);
      expect(new Set(noted)).toEqual(new Set(["request.refused"]));
      expect(await story.workbench.journal(run)).toEqual(before);
    });

    it("[G13] refuses whoever is not its page, notes it, and changes nothing", async () => {
      const before = await story.workbench.journal(run);
      for (const [who, send] of Object.entries(page.strangers)) {
        noted.length = 0;
        const command = { commandId: nextId(), command: { type: "cancel", run } };
        const answers = [await send("command/execute", command), await send("topic/subscribe", { topic: "runs" })];
        for (const answer of answers) expect([who, answer]).not.toMatchObject([who, { ok: true }]);
        expect([who, noted]).toEqual([who, ["request.refused", "request.refused"]]);
      }
      expect(await story.workbench.journal(run)).toEqual(before);
    });

    it("carries a command out once, however often it is sent, and answers with the same receipt", async () => {
      const commandId = nextId();
      const command: WorkbenchCommand = { type: "message", run, text: "Take your time.", to: "lead" };
      const receipts = await Promise.all([execute(command, commandId), execute(command, commandId)]);
      receipts.push(await execute(command, commandId));
      expect(new Set(receipts.map((receipt) => JSON.stringify(receipt))).size).toBe(1);
      expect(receipts[0]).toMatchObject({ commandId, run });
      const received = (await story.workbench.journal(run)).filter(({ type }) => type === "input.received");
      expect(received.map(({ command }) => command)).toEqual([commandId]);
      const other = await page.bridge.execute({ commandId, command: { type: "pause", run } });
      expect(other).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
    });

    it("answers a subscription, then pushes newer snapshots of it, in order, and none after it was ended", async () => {
      const first = await page.bridge.subscribe(`run/${run}`);
      expect(first).toMatchObject({
        ok: true,
        value: { run, approvals: [{ id: approvalOf(run), kind: "changeset" }] },
      });
      seen.length = 0;
      await execute({ type: "approve", approval: approvalOf(run) });
      const end = await pushed(`run/${run}`, isStopped);
      expect(end).toMatchObject({ stopReason: "final_answer", landed: [{ agent: "subagent-1", target: "landed" }] });
      const ordinals = seen.flatMap(({ topic, snapshot }) =>
        topic === `run/${run}` && "at" in snapshot ? [snapshot.at] : [],
      );
      expect(ordinals).toEqual(ordinals.toSorted((left, right) => left - right));
      await page.bridge.unsubscribe(`run/${run}`);
      seen.length = 0;
      await story.workbench.runs.untilLeft(run);
      await execute({ type: "message", run, text: "Thank you.", to: "lead" });
      await story.workbench.runs.untilLeft(run);
      expect(seen.filter(({ topic }) => topic === `run/${run}`)).toEqual([]);
    });
  });
}
