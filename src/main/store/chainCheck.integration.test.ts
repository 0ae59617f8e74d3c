import { mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";

import { expect, test } from "vitest";

import type { RunId } from "../../shared/contract/ids.ts";
import { verifyRun } from "./chainCheck.ts";
import { fence, handoff, note, request, runId, start } from "./fixture.ts";
import { openForTest } from "./fixtureChild.ts";
import { openParts } from "./fixtureParts.ts";
import type { Parts } from "./fixtureParts.ts";
import { payloadPath } from "./payloads.ts";

const [root, child, other] = [runId("root"), runId("child"), runId("other")];
const agent = "subagent-1" as const;

/** Two sound runs, the first with a child and a large payload. The guards are off, so that a test can break one. */
function build(): Parts {
  const parts = openParts();
  const codes = parts.codes(
    start(parts, root),
    request(parts, root, [handoff(root, child, agent), note(child, "c1"), note(root, "x".repeat(1_100_000))], {
      fences: [fence(root, 1)],
      starts: [{ run: child, agent }],
    }),
    start(parts, other, {
      events: [note(other, "elsewhere"), note(other, "and on")],
    }),
  );
  if (codes.some((code) => code !== "stored")) throw new Error("the runs to verify could not be built");
  parts.db.exec(
    "DROP TRIGGER events_refuse_update; DROP TRIGGER events_refuse_delete; DROP TRIGGER events_refuse_replace",
  );
  parts.db.pragma("foreign_keys = OFF");
  return parts;
}

const verify = ({ db, folder }: Parts, run: RunId): readonly string[] => verifyRun(db, folder, run);

test("a sound run has nothing wrong with it, whoever asks", async () => {
  const parts = build();
  const store = await openForTest(parts.folder);
  expect([verify(parts, root), verify(parts, other), await store.verifyRun(root)]).toEqual([[], [], []]);
});

test("a run that is not there is not sound", () => {
  const parts = build();
  expect([verify(parts, runId("nowhere")), verify(parts, child)]).toEqual([
    ["There is no run nowhere"],
    ["There is no run child"],
  ]);
});

const damages: readonly (readonly [what: string, found: readonly string[], sql: string])[] = [
  [
    "a changed event",
    ["Event 3 of run root does not have the hash of its content"],
    "UPDATE events SET at = at + 1 WHERE root = 'root' AND n = 3",
  ],
  [
    "a missing event",
    [
      "Stream root holds 2 events numbered 1 to 3, and notes 3",
      "Journal root holds 3 events numbered 1 to 4, and notes 4",
      "Event 3 of run root begins stream child but does not follow the handoff that names it",
      "Event 4 of run root does not follow the event before it",
    ],
    "DELETE FROM events WHERE root = 'root' AND n = 2",
  ],
  [
    "a head that is behind",
    ["Stream child holds 1 events numbered 1 to 1, and notes 0"],
    "UPDATE runs SET head_seq = 0 WHERE run = 'child'",
  ],
  [
    "a count that is ahead",
    ["Journal root holds 4 events numbered 1 to 4, and notes 9"],
    "UPDATE runs SET count = 9 WHERE run = 'root'",
  ],
  [
    "a head hash of another event",
    ["Run child notes a head that is not its last event's hash"],
    "UPDATE runs SET head_hash = 'x' WHERE run = 'child'",
  ],
  [
    "a changed payload",
    ["Event 1 of run root has data that is not what was written"],
    "UPDATE payloads SET bytes = replace(bytes, 'begin', 'begun')",
  ],
  [
    "a payload that is gone",
    ["Event 1 of run root has data that is gone"],
    "DELETE FROM payloads WHERE hash = (SELECT payload_hash FROM events WHERE root = 'root' AND n = 1)",
  ],
  ["damage in another run", [], "UPDATE events SET at = at + 1 WHERE root = 'other'"],
];

test.each(damages)("%s is told in a sentence", (_what, found, sql) => {
  const parts = build();
  parts.db.exec(sql);
  expect(verify(parts, root)).toEqual(found);
});

test("a payload file that is gone is told in a sentence, and the rest is verified all the same", () => {
  const parts = build();
  const hash = parts.db.prepare<[], string>("SELECT hash FROM payloads WHERE bytes IS NULL").pluck().get() ?? "";
  rmSync(payloadPath(parts.folder, hash));
  parts.db.exec("UPDATE runs SET head_hash = 'x' WHERE run = 'child'");
  expect(verify(parts, root)).toEqual([
    "Event 4 of run root has data that is gone",
    "Run child notes a head that is not its last event's hash",
  ]);
});

test("what the system cannot read is said to be that, and no run is set aside for it", async () => {
  const parts = build();
  const hash = parts.db.prepare<[], string>("SELECT hash FROM payloads WHERE bytes IS NULL").pluck().get() ?? "";
  const file = payloadPath(parts.folder, hash);
  renameSync(file, `${file}.aside`);
  // Reading it fails, as on a failing disk, with an error of the system's.
  mkdirSync(file);
  const said = /^The system could not read or write the journal. Check the disk. \(EISDIR/;
  expect(() => verify(parts, root)).toThrow(said);
  const store = await openForTest(parts.folder);
  const unread = { code: "STORE_UNAVAILABLE", message: expect.stringMatching(said) as string };
  await expect(store.verifyRun(root)).rejects.toMatchObject(unread);
  await expect(store.readJournal(root)).rejects.toMatchObject(unread);
  expect((await store.listRuns()).map(({ status }) => status)).not.toContain("quarantined");
  rmdirSync(file);
  renameSync(`${file}.aside`, file);
  expect(await store.verifyRun(root)).toEqual([]);
});
