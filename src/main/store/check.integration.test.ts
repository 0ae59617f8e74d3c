import { readFileSync, writeFileSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import type { RunEvent } from "../domain/events.ts";
import type { RowChange } from "../domain/projections/tables.ts";
import type { NewEvent } from "../engine/ports/store.ts";
import { registerBoot } from "./boots.ts";
import { checkStore } from "./check.ts";
import { createEventStore } from "./eventStore.ts";
import { fence, handoff, note, request, runId, start } from "./fixture.ts";
import { makeFolder } from "./fixtureChild.ts";
import { openWriter } from "./openDatabase.ts";
import { createPayloads, payloadPath } from "./payloads.ts";
import { identifyThisProcess } from "./processIdentity.ts";

const [root, child] = [runId("root"), runId("child")];
const agent = "subagent-1" as const;

function dispatched(call: string): NewEvent {
  return {
    agent: "lead",
    type: "tool.dispatched",
    run: root,
    version: 1,
    at: 1,
    data: { call, tool: "readFile", effect: "read", class: "pure", input: {} },
  };
}

function settled(call: string): NewEvent {
  return {
    agent: "lead",
    type: "tool.settled",
    run: root,
    version: 1,
    at: 1,
    data: { call, tool: "readFile", outcome: "executed", durationMs: 1, output: "", resultHash: "" },
  };
}

/** A fold of its own for I16: each dispatch is an open effect, each settle closes it. */
function expectedRows(journal: readonly RunEvent[]): readonly RowChange[] {
  return journal.flatMap((event): RowChange[] => {
    if (event.type !== "tool.dispatched" && event.type !== "tool.settled") return [];
    return [
      {
        table: "effects",
        key: { run: event.root, call: event.data.call },
        set: { status: event.type === "tool.settled" ? "settled" : "open" },
      },
    ];
  });
}

const rows: readonly RowChange[] = [
  { table: "effects", key: { run: root, call: "call-1" }, set: { status: "settled" } },
];

/** A sound journal with a child and a settled effect; `extra` follows as it is. The guards are off, so that a test can break it. */
function build(extra: readonly NewEvent[] = []) {
  const folder = makeFolder();
  const db = openWriter(folder);
  onTestFinished(() => void db.close());
  const boot = registerBoot(db, identifyThisProcess());
  const results = createEventStore(db, boot, createPayloads(db, folder)).commitGroup([
    start({ boot }, root),
    request(
      { boot },
      root,
      [handoff(root, child, agent), note(child, "c1"), dispatched("call-1"), settled("call-1"), ...extra],
      { fences: [fence(root, 1)], starts: [{ run: child, agent }], rows },
    ),
  ]);
  if (results.some((result) => !result.ok)) throw new Error("the journal to check could not be built");
  db.exec("DROP TRIGGER events_refuse_update; DROP TRIGGER events_refuse_delete; DROP TRIGGER events_refuse_replace");
  db.pragma("foreign_keys = OFF");
  return { folder, db };
}

function failing(folder: string): readonly string[] {
  return checkStore({ folder, expectedRows }).flatMap((check) => (check.ok ? [] : [check.id]));
}

test("a sound journal passes every check", () => {
  expect(checkStore({ folder: build().folder, expectedRows }).map(({ id, ok, details }) => [id, ok, details])).toEqual(
    ["I1", "I2", "I3", "I5", "I16", "I19", "I20"].map((id) => [id, true, []]),
  );
});

const violations: readonly (readonly [what: string, ids: readonly string[], sql: string])[] = [
  ["a gap in a stream and the journal", ["I1", "I2"], "DELETE FROM events WHERE run = 'root' AND seq = 2"],
  ["a head that is behind", ["I1"], "UPDATE runs SET head_seq = 3 WHERE run = 'root'"],
  ["a count that is behind", ["I1"], "UPDATE runs SET count = 3 WHERE run = 'root'"],
  ["a head hash that is not the last event's", ["I2"], "UPDATE runs SET head_hash = 'x' WHERE run = 'child'"],
  ["a changed column of an event", ["I2"], "UPDATE events SET at = at + 1 WHERE n = 2"],
  ["a changed payload", ["I2"], "UPDATE payloads SET bytes = replace(bytes, 'begin', 'begun')"],
  [
    "a payload whose file is gone",
    ["I2", "I16"],
    "UPDATE payloads SET bytes = NULL WHERE hash IN (SELECT payload_hash FROM events WHERE n = 1)",
  ],
  ["an epoch that goes back", ["I2", "I3"], "UPDATE events SET epoch = 2 WHERE run = 'root' AND seq = 2"],
  ["a lease behind its events", ["I3"], "UPDATE leases SET epoch = 0 WHERE run = 'child'"],
  ["a row that differs", ["I16"], "UPDATE effects SET status = 'open'"],
  ["a row that is missing", ["I16"], "DELETE FROM effects"],
  ["a row without an event", ["I16"], "INSERT INTO effects (run, call) VALUES ('root', 'call-9')"],
];

test.each(violations)("%s fails %j and nothing else", (_what, ids, sql) => {
  const { folder, db } = build();
  db.exec(sql);
  expect(failing(folder)).toEqual(ids);
});

test.each([
  ["a second dispatch", [dispatched("call-1")]],
  ["a second settle", [settled("call-1")]],
  ["a settle without dispatch", [settled("call-2")]],
])("%s fails I5", (_what, extra) => {
  const { folder } = build(extra);
  expect(checkStore({ folder }).flatMap((check) => (check.ok ? [] : [check.id]))).toEqual(["I5"]);
});

test("a flipped byte in a payload file is found", () => {
  const large = note(root, "x".repeat(1_100_000));
  const { folder, db } = build([large]);
  const hash = db.prepare<[], string>("SELECT hash FROM payloads WHERE bytes IS NULL").pluck().get() ?? "";
  const path = payloadPath(folder, hash);
  const sound = failing(folder);
  const bytes = readFileSync(path);
  bytes[500_000] = (bytes[500_000] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  expect([sound, failing(folder)]).toEqual([[], ["I2"]]);
});
