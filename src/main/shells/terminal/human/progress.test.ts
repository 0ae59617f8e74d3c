import { describe, expect, it } from "vitest";

import type { RunSnapshot } from "../../../../shared/contract/snapshots.ts";
import type { RunEvent } from "../../../domain/events.ts";
import { textWidth } from "./layout.ts";
import type { LookOptions } from "./look.ts";
import { createProgress } from "./progress.ts";
import {
  approval,
  base,
  changeset,
  commit,
  createJournal,
  created,
  handoff,
  landing,
  plain,
  question,
  snapshot,
  subagent,
} from "./story.ts";

const executor = subagent("subagent-3", {
  role: "executor",
  title: "Add an idempotency key",
  status: "awaiting_review",
});
const asking = snapshot({
  status: "waiting",
  subagents: [subagent("subagent-1", { status: "completed" }), executor],
  approvals: [question],
});
const spoken = { request: "r1", toolCalls: [], finish: "stop", usage: null, costMicros: null };
const estimate = { inputTokens: 1, outputTokens: 1, costMicros: null };

function tell(events: readonly RunEvent[], picture: RunSnapshot, options: LookOptions = plain): readonly string[] {
  const lines: string[] = [];
  const progress = createProgress({ ...options, write: (line) => lines.push(line) });
  for (const event of events) progress.event(event, picture);
  return lines;
}

describe("progress", () => {
  it("tells of a template's graph before any of it starts", () => {
    const budget = { steps: 75, toolCalls: 300, inputTokens: null, outputTokens: null, costMicros: null };
    const template = { name: "fan-out", about: "Three look.", nodes: [], width: 3, count: 3, budget };
    const lines = tell([createJournal()("lead", "run.created", { ...created, template })], snapshot());
    expect(lines.join(" ").replace(/\s+/g, " ")).toContain(
      "template fan-out · 3 subagents · at most 3 at once at most 75 steps",
    );
  });

  it("tells how work is handed over, queued, done and refused", () => {
    const event = createJournal();
    const events = [
      event("lead", "run.created", created),
      event("lead", "run.started", { epoch: 1 }),
      event("lead", "model.completed", { ...spoken, text: "I look at the entry points first.\n\n- payments.ts" }),
      event("lead", "handoff.recorded", handoff("subagent-1", "explorer", "Find the callbacks")),
      event("lead", "handoff.recorded", handoff("subagent-3", "executor", "Add an idempotency key")),
      event("lead", "handoff.refused", {
        code: "CHAIN_TOO_LONG",
        sentence: "Its chain would hold 4 nodes, the limit is 3.",
        task: "Guard refund()",
        call: "c",
      }),
      event("subagent-1", "subagent.queued", { code: "READY", sentence: "Nothing is in its way." }),
      event("subagent-3", "subagent.queued", { code: "DEPENDENCY", sentence: "Waits for subagent-1." }),
      event("subagent-3", "subagent.queued", { code: "SLOT", sentence: "All 10 slots of this run are taken." }),
      event("subagent-1", "subagent.started", { root: base }),
      event("subagent-1", "model.requested", { request: "r2", model: "m", estimate }),
      event("subagent-1", "model.retried", { request: "r2", attempt: 2, waitMs: 4_000, reason: "429" }),
      event("subagent-1", "tool.dispatched", {
        call: "c",
        tool: "readFile",
        effect: "read",
        class: "pure",
        input: { path: "src/payments.ts" },
      }),
      event("subagent-1", "tool.settled", {
        call: "c",
        tool: "readFile",
        outcome: "executed",
        durationMs: 2,
        output: "1 x",
        resultHash: "",
      }),
      event("subagent-1", "tool.settled", {
        call: "d",
        tool: "runCommand",
        outcome: "executed",
        exitCode: 1,
        durationMs: 3_100,
        output: "ok\n1 failing\n",
        resultHash: "",
      }),
      event("subagent-1", "tool.refused", {
        call: "e",
        tool: "applyEdit",
        code: "TOOL_NOT_ALLOWED",
        message: "An explorer does not write.",
      }),
      event("subagent-1", "subagent.result", {
        call: null,
        schema: "repaired",
        evidence: [
          { source: "a", mark: "found" },
          { source: "b", mark: "not found" },
        ],
        result: {
          status: "done_with_concerns",
          answer: "No dedupe.\nMore.",
          evidence: [],
          uncertainty: "low",
          followups: [],
        },
      }),
      event("subagent-1", "subagent.stopped", { status: "completed" }),
    ];
    expect(tell(events, asking)).toEqual([
      "12:00:01  ● lead                  Run k3v9x2m7qa: Payments are sometimes charged twice",
      "                                    /home/ada/shop",
      "                                    main 4f1c2ab → coppice/k3v9x2m7qa · model qwen3-coder",
      "                                    approve each",
      "12:00:03    lead                  I look at the entry points first.",
      "",
      "                                  - payments.ts",
      "12:00:04  ○ subagent-1 explorer   Handed over: Find the callbacks",
      "12:00:05  ○ subagent-3 executor   Handed over: Add an idempotency key",
      "12:00:06    lead                  Spawn refused, CHAIN_TOO_LONG: Its chain would hold 4 nodes, the",
      "                                  limit is 3.",
      "                                    Guard refund()",
      "12:00:08  ◌ subagent-3 executor   Waits for subagent-1.",
      "12:00:09  ○ subagent-3 executor   Queued: All 10 slots of this run are taken.",
      "12:00:10  ● subagent-1 explorer   Started",
      "12:00:12    subagent-1 explorer   Asks again in 4.0 s: attempt 2, 429",
      "12:00:13    subagent-1 explorer   readFile src/payments.ts",
      "12:00:15    subagent-1 explorer   runCommand exit 1: 3.1 s · 1 failing",
      "12:00:16    subagent-1 explorer   applyEdit refused, TOOL_NOT_ALLOWED: An explorer does not write.",
      "12:00:17    subagent-1 explorer   Result: No dedupe.",
      "                                    done with concerns · 1 of 2 sources found · uncertainty low",
      "                                    repaired",
      "12:00:18  ◉ subagent-1 explorer   Done",
    ]);
  });

  it("tells what is proposed, checked, asked, landed and held, with the commands that decide", () => {
    const event = createJournal();
    const file = { path: "src/charge.ts", change: "modified", added: 12, removed: 3 } as const;
    const check = {
      by: "system",
      changeset,
      command: "npm test",
      tree: commit,
      durationMs: 2_400,
      outcome: "exited",
    } as const;
    const events = [
      event("subagent-3", "changeset.proposed", {
        changeset,
        number: 1,
        base,
        commit,
        tree: commit,
        ref: "refs/coppice/x",
        hunks: [
          { file: file.path, number: 1, oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
          { file: ".github/ci.yml", number: 1, oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
        ],
        files: [file, { ...file, path: ".github/ci.yml", asks: "PROTECTED_PATH" }],
      }),
      event("subagent-3", "verification.ran", { ...check, exitCode: 1, output: "x\n1 failing\n" }),
      event("subagent-3", "verification.ran", { ...check, exitCode: 0, output: "" }),
      event("subagent-3", "approval.requested", {
        approval,
        kind: "changeset",
        agent: "subagent-3",
        summary: question.summary,
        why: "Its verification failed.",
        changeset,
      }),
      event("lead", "run.waiting", { for: "1 decision of yours" }),
      event("subagent-3", "approval.decided", {
        approval,
        decision: "approved",
        by: "ada",
        scope: "once",
        hunks: "all",
      }),
      event("lead", "changeset.held", { changeset, code: "BASE_MOVED", sentence: "main moved by 2 commits." }),
      event("lead", "changeset.landing", {
        landing: landing.landing,
        changeset,
        target: landing.target,
        old: base,
        new: commit,
        tree: commit,
        ref: `refs/heads/${landing.target}`,
      }),
      event("lead", "changeset.landed", landing),
      event("subagent-3", "subagent.stopped", { status: "failed", code: "REJECTED", sentence: "Not this way." }),
      event("lead", "run.stopped", { reason: "max_steps", answer: "", partial: true }),
    ];
    expect(tell(events, asking)).toEqual([
      "12:00:01  ◇ subagent-3 executor   Change set: subagent-3.1, 2 hunks in 2 files",
      "                                    M src/charge.ts +12 -3",
      "                                    M .github/ci.yml +12 -3  protected path",
      "12:00:02    subagent-3 executor   Check failed: npm test · exit 1 · 2.4 s",
      "                                    1 failing",
      "12:00:03    subagent-3 executor   Check passed: npm test · exit 0 · 2.4 s",
      "12:00:04  ◆ subagent-3 executor   Needs you, change set: Add an idempotency key to charge(): 2 hunks",
      "                                  in 1 file",
      "                                    Its verification failed.",
      "                                    coppice diff k3v9x2m7qa subagent-3",
      "                                    coppice approve k3v9x2m7qa-a1",
      "                                    coppice send-back k3v9x2m7qa-a1 --comment TEXT",
      "                                    coppice reject k3v9x2m7qa-a1",
      "12:00:05  ◆ lead                  Run waits for 1 decision of yours",
      "12:00:06    subagent-3 executor   Approved by ada",
      "12:00:07  ◆ subagent-3 executor   Held, BASE_MOVED: main moved by 2 commits.",
      "                                    coppice approve k3v9x2m7qa-a1",
      "                                    coppice send-back k3v9x2m7qa-a1 --comment TEXT",
      "                                    coppice reject k3v9x2m7qa-a1",
      "12:00:08  → subagent-3 executor   Landing: subagent-3.1 on coppice/k3v9x2m7qa as 9f8e7d6",
      "12:00:09  ⇥ subagent-3 executor   Landed: coppice/k3v9x2m7qa is at 9f8e7d6, 1 file",
      "                                    src/charge.ts",
      "12:00:10  ■ subagent-3 executor   Rejected: Not this way.",
      "12:00:11  ■ lead                  Run failed, out of steps",
    ]);
  });

  it("leaves out roles on a narrow terminal, and shows a command on all its lines", () => {
    const event = createJournal();
    const requested = event("subagent-3", "approval.requested", {
      approval,
      kind: "command",
      agent: "subagent-3",
      summary: "Run a script",
      command: "npm test\nrm -rf build",
    });
    expect(
      tell(
        [requested],
        { ...asking, approvals: [{ ...question, kind: "command" }] },
        { ...plain, columns: 60, unicode: false },
      ),
    ).toEqual([
      "12:00:01  ! subagent-3   Needs you, command: Run a script",
      "                           $ npm test",
      "                           $ rm -rf build",
      "                           coppice approve k3v9x2m7qa-a1",
      "                           coppice reject k3v9x2m7qa-a1",
    ]);
  });

  it("passes over a type that is not known", () => {
    const event = createJournal();
    const unknown = { ...event("lead", "run.paused", {}), type: "run.sung" } as unknown as RunEvent;
    expect(tell([unknown, event("lead", "run.paused", {})], asking)).toEqual([
      "12:00:02  ◌ lead                  Run paused",
    ]);
  });

  it("does not ask what the picture says is decided", () => {
    const event = createJournal();
    const requested = event("subagent-3", "approval.requested", {
      approval,
      kind: "changeset",
      agent: "subagent-3",
      summary: "x",
      changeset,
    });
    expect([tell([requested], snapshot({ at: 1 })), tell([requested], snapshot({ at: 0 })).length]).toEqual([[], 5]);
  });

  it("obeys nothing that a model, a path or a command says, and begins no line with it", () => {
    const event = createJournal();
    const evil =
      "ok\u001b[1A\u001b[2K\u001b]52;c;eA==\u0007\r12:00:09  ⇥ lead                  Landed: main\u009b2J\u202e";
    const file = { path: evil, change: "modified", added: 1, removed: 1, hunks: [] } as const;
    const lines = tell(
      [
        event("lead", "run.created", { ...created, title: evil, repo: evil, baseBranch: evil, target: evil }),
        event("lead", "model.completed", { ...spoken, text: evil }),
        event("subagent-3", "tool.dispatched", {
          call: "c",
          tool: evil,
          effect: "execute",
          class: "opaque",
          input: { command: evil },
        }),
        event("subagent-3", "tool.settled", {
          call: "c",
          tool: "runCommand",
          outcome: "failed",
          durationMs: 1,
          output: evil,
          resultHash: "",
          code: evil,
        }),
        event("subagent-3", "changeset.proposed", {
          changeset,
          number: 1,
          base,
          commit,
          tree: commit,
          ref: evil,
          hunks: [{ file: file.path, number: 1, oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 }],
          files: [file],
        }),
        event("subagent-3", "approval.requested", {
          approval,
          kind: "command",
          agent: "subagent-3",
          summary: evil,
          command: evil,
        }),
        event("lead", "input.received", { text: evil, from: evil, to: "lead" }),
        event("subagent-3", "subagent.stopped", { status: "failed", code: "X", sentence: evil }),
      ],
      { ...asking, subagents: [{ ...executor, role: evil }] },
      { ...plain, columns: 72 },
    );
    const isForged = (line: string) => line.startsWith("12:00:09");
    expect(lines.filter((line) => /[\p{Cc}\u202e]/u.test(line) || textWidth(line) > 72 || isForged(line))).toEqual([]);
  });
});
