import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import type { RunId } from "../../shared/contract/ids.ts";
import type { RowChange } from "../domain/projections/tables.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { checkStore } from "./check.ts";
import { fence, handoff, note, request, runId, start } from "./fixture.ts";
import { makeFolder, openForTest, startChild } from "./fixtureChild.ts";
import { migration001 } from "./migrations/001.ts";
import { openReader, openWriter } from "./openDatabase.ts";
import { createPayloads, payloadFolder, payloadPath } from "./payloads.ts";

const [root, child, other] = [runId("root"), runId("child"), runId("other")];
const large = "x".repeat(1_100_000);

/** A run with a child, rows, an open request, a large payload, and text that another run may share. The lease is given up. */
async function writeRun(store: StorePort, run: RunId, ownChild: RunId): Promise<void> {
  const agent = "subagent-1" as const;
  const rows: readonly RowChange[] = [
    { table: "effects", key: { run, call: "call-1" }, set: { status: "settled" } },
    { table: "approvals", key: { id: `${run}-a1` }, set: { run, status: "open" } },
  ];
  const results = [
    await store.append(start(store, run)),
    await store.append(
      request(store, run, [handoff(run, ownChild, agent), note(ownChild, "shared"), note(run, `${large} of ${run}`)], {
        fences: [fence(run, 1)],
        starts: [{ run: ownChild, agent }],
        rows,
      }),
    ),
  ];
  if (results.some((result) => !result.ok)) throw new Error("the run to delete could not be written");
  await store.putRequest(run, "message", null);
  await store.release(run);
}

/** How many rows of each table are left, and of which runs. */
function remains(folder: string): unknown {
  const db = openReader(folder);
  const tables = ["runs", "events", "payloads", "leases", "requests", "effects", "approvals", "tombstones"];
  const counts = tables.map((table) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  db.close();
  return counts;
}

describe("deleteRun", () => {
  test("takes a run with its children out of every table, with the payloads that nobody else uses", async () => {
    const folder = makeFolder();
    const store = await openForTest(folder);
    await writeRun(store, root, child);
    await writeRun(store, other, runId("other-1"));
    const before = remains(folder);
    const head = (await store.readJournal(root)).findLast((event) => event.run === root)?.hash;
    const removed = await store.deleteRun(root);
    const db = openReader(folder);
    const tombstones = db.prepare("SELECT root, head_hash FROM tombstones").all();
    db.close();
    expect({
      before,
      after: remains(folder),
      removed,
      tombstones,
      files: readdirSync(payloadFolder(folder)).length,
      other: (await store.readJournal(other)).length,
      violations: checkStore({ folder }).filter((check) => !check.ok),
    }).toEqual({
      before: [4, 8, 6, 4, 2, 2, 2, 0],
      after: [2, 4, 4, 2, 1, 1, 1, 1],
      removed: { ok: true, value: { payloads: 2, bytes: expect.any(Number) as number } },
      tombstones: [{ root, head_hash: head }],
      files: 1,
      other: 4,
      violations: [],
    });
  });

  test("leaves an id that no run can have again", async () => {
    const store = await openForTest(makeFolder());
    await writeRun(store, root, child);
    await store.deleteRun(root);
    expect([
      await store.append(start(store, root)),
      await store.findRun(root),
      await store.deleteRun(root),
    ]).toMatchObject([
      { ok: false, error: { code: "UNEXPECTED_HEAD" } },
      { ok: false, error: { code: "RUN_NOT_FOUND" } },
      { ok: false, error: { code: "RUN_NOT_FOUND" } },
    ]);
  });

  test("refuses a pinned run until the pin is off", async () => {
    const folder = makeFolder();
    const store = await openForTest(folder);
    await writeRun(store, root, child);
    const pinned = [await store.setPinned(root, true), (await store.listRuns()).map((row) => row.pinned)];
    const before = remains(folder);
    const refused = await store.deleteRun(root);
    const after = remains(folder);
    await store.setPinned(root, false);
    expect([pinned, refused, after, (await store.deleteRun(root)).ok]).toMatchObject([
      [{ ok: true }, [true]],
      { ok: false, error: { code: "RUN_PINNED" } },
      before,
      true,
    ]);
  });

  test("refuses a run that this process drives", async () => {
    const store = await openForTest(makeFolder());
    await store.append(start(store, root));
    expect(await store.deleteRun(root)).toMatchObject({ ok: false, error: { code: "NOT_ALLOWED_NOW" } });
  });

  test("refuses a run that another process drives, until that process is gone", async () => {
    const folder = makeFolder();
    const store = await openForTest(folder);
    await writeRun(store, root, child);
    const holder = await startChild(folder);
    holder.send({ order: "acquire", run: root });
    await holder.next("acquired");
    const refused = await store.deleteRun(root);
    await holder.kill();
    expect([refused, (await store.deleteRun(root)).ok]).toMatchObject([
      { ok: false, error: { code: "DRIVEN_ELSEWHERE", retryable: true } },
      true,
    ]);
  });
});

describe("setPinned", () => {
  test("knows no run that is not there, nor a child's stream", async () => {
    const store = await openForTest(makeFolder());
    await writeRun(store, root, child);
    expect([await store.setPinned(other, true), await store.setPinned(child, true)]).toMatchObject([
      { ok: false, error: { code: "RUN_NOT_FOUND" } },
      { ok: false, error: { code: "RUN_NOT_FOUND" } },
    ]);
  });
});

describe("sweepPayloads", () => {
  test("removes files that no event names, and halves that nobody has written to for an hour", async () => {
    const folder = makeFolder();
    const store = await openForTest(folder);
    await writeRun(store, root, child);
    const [named = ""] = readdirSync(payloadFolder(folder));
    const at = (name: string): string => join(payloadFolder(folder), name);
    const orphan = `${"0".repeat(64)}.json`;
    const [fresh, stale, foreign] = [`${orphan}.1.half`, `${orphan}.2.half`, "notes.txt"];
    for (const name of [orphan, fresh, stale, foreign]) writeFileSync(at(name), "12345");
    utimesSync(at(stale), 1, 1);
    expect([await store.sweepPayloads(), readdirSync(payloadFolder(folder)).toSorted()]).toEqual([
      { payloads: 2, bytes: 10 },
      [named, fresh, foreign].toSorted(),
    ]);
  });

  test("finds nothing where there is nothing", async () => {
    const store = await openForTest(makeFolder());
    expect(await store.sweepPayloads()).toEqual({ payloads: 0, bytes: 0 });
  });

  test("never leaves a row without its file: one that is swept between preparing and entering it is written again", () => {
    const folder = makeFolder();
    const db = openWriter(folder);
    const payloads = createPayloads(db, folder);
    const prepared = payloads.prepare({ text: large });
    // What another process's sweep does.
    const path = payloadPath(folder, prepared.hash);
    const wasThere = existsSync(path);
    rmSync(path);
    db.transaction(() => payloads.insert(prepared)).immediate();
    db.close();
    expect([wasThere, statSync(path).size]).toEqual([true, Buffer.byteLength(prepared.text)]);
  });
});

test("diskUse counts the journal, its log and the payload files", async () => {
  const folder = makeFolder();
  const store = await openForTest(folder);
  const before = await store.diskUse();
  await writeRun(store, root, child);
  const after = await store.diskUse();
  const [file = ""] = readdirSync(payloadFolder(folder));
  expect([before.payloads, before.database > 0, after.payloads, after.wal > before.wal]).toEqual([
    0,
    true,
    statSync(join(payloadFolder(folder), file)).size,
    true,
  ]);
});

test("a file of version 1 opens with its runs unpinned, and a backup of it beside it", async () => {
  const folder = makeFolder();
  const old = openWriter(folder, [migration001]);
  old
    .prepare(
      "INSERT INTO runs (run, root, agent, kind, title, head_hash) VALUES ('root', 'root', 'lead', 'root', 'Old', ?)",
    )
    .run("0".repeat(64));
  old.close();
  const store = await openForTest(folder);
  expect([
    (await store.listRuns()).map(({ title, pinned }) => [title, pinned]),
    readdirSync(join(folder, "backups")).map((name) => name.split("-").slice(0, 2).join("-")),
    (await store.setPinned(root, true)).ok,
    (await store.listRuns()).map((row) => row.pinned),
  ]).toEqual([[["Old", false]], ["journal-v1"], true, [true]]);
});
