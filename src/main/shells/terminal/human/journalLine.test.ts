import { expect, it } from "vitest";

import type { RunEvent } from "../../../domain/events.ts";
import { renderEvent } from "./journalLine.ts";
import { approval, base, changeset, commit, createJournal, created, handoff, landing, plain } from "./story.ts";

it("an event is one line: ordinal, time, agent, type, facts", () => {
  const event = createJournal();
  const events: readonly RunEvent[] = [
    event("lead", "run.created", created),
    event("lead", "model.completed", {
      request: "r",
      text: "",
      toolCalls: [{ id: "c", name: "spawnSubagent", arguments: "{}" }],
      finish: "tool_calls",
      usage: null,
      costMicros: null,
    }),
    event(
      "lead",
      "handoff.recorded",
      handoff("subagent-2", "executor", "Fix it", [{ id: "subagent-1", until: "completed" }]),
    ),
    event("subagent-2", "subagent.started", { root: base }),
    event("subagent-2", "tool.dispatched", {
      call: "c",
      tool: "applyEdit",
      effect: "write",
      class: "verifiable",
      input: { changes: [{ path: "a.ts" }, { path: "b.ts" }] },
    }),
    event("subagent-2", "tool.settled", {
      call: "c",
      tool: "applyEdit",
      outcome: "executed",
      durationMs: 38,
      output: "ok\nmore",
      resultHash: "",
    }),
    event("subagent-2", "verification.ran", {
      by: "system",
      changeset,
      command: "npm test",
      exitCode: null,
      tree: commit,
      durationMs: 600_000,
      output: "",
      outcome: "timeout",
    }),
    event("subagent-2", "approval.requested", {
      approval,
      kind: "command",
      agent: "subagent-2",
      summary: "Run a script",
      command: "npm run x",
    }),
    event("lead", "changeset.landed", landing),
    event("lead", "run.paused", {}),
  ];
  expect(events.map((event) => renderEvent(event, { ...plain, columns: 110 }))).toEqual([
    "    1  12:00:01  lead         run.created             Payments are sometimes charged twice · /home/ada/shop ·…",
    "    2  12:00:02  lead         model.completed         tool_calls · usage unknown · spawnSubagent",
    "    3  12:00:03  lead         handoff.recorded        subagent-2 · executor · Fix it · after subagent-1 · llm",
    "    4  12:00:04  subagent-2   subagent.started        root 4f1c2ab",
    "    5  12:00:05  subagent-2   tool.dispatched         applyEdit · a.ts and 1 more · write",
    "    6  12:00:06  subagent-2   tool.settled            applyEdit · executed · 0.0 s · ok ↵ more",
    "    7  12:00:07  subagent-2   verification.ran        npm test · timeout · 10 m 00 s · tree 9f8e7d6",
    "    8  12:00:08  subagent-2   approval.requested      k3v9x2m7qa-a1 · command · Run a script · npm run x",
    "    9  12:00:09  lead         changeset.landed        subagent-3.1 · coppice/k3v9x2m7qa · 9f8e7d6 · src/charg…",
    "   10  12:00:10  lead         run.paused",
  ]);
});

it("an event obeys nothing, is cut to its columns, and may be of a type that is not known", () => {
  const event = createJournal();
  const note = event("lead", "note.added", {
    kind: "issue",
    text: "\u001b]0;x\u0007first\n    2  12:00:02  lead  run.stopped",
  });
  const unknown = { ...note, type: "run.sung" } as unknown as RunEvent;
  expect([renderEvent(note, { ...plain, columns: 60, unicode: false }), renderEvent(unknown, plain)]).toEqual([
    "    1  12:00:01  lead         note.added  issue - first \\...",
    "    1  12:00:01  lead         run.sung",
  ]);
});
