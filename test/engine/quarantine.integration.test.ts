// Damage to the store: to one run, which is set aside while the others go on, and to the file, which is then only read.

import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import Database from "better-sqlite3";
import { afterEach, describe, expect, test } from "vitest";

import type { RunListSnapshot } from "../../src/shared/contract/snapshots.ts";
import { connectModel, openWorkbench } from "../../src/main/workbench.ts";
import { newRunId } from "../../src/main/runs/assignment.ts";
import { endStories, openStory, say, type Story } from "../support/workbenchStory.ts";

afterEach(endStories);

/** Past every guard, as a failing disk would. */
function plant({ home }: Story, sql: string): void {
  const db = new Database(join(home, "journal.db"));
  try {
    const guards = db
      .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
      .all();
    for (const { name } of guards) db.exec(`DROP TRIGGER "${name}"`);
    db.exec(sql);
    for (const guard of guards) db.exec(guard.sql);
  } finally {
    db.close();
  }
}

const statuses = async ({ workbench }: Story) =>
  Object.fromEntries((await workbench.listRuns()).map(({ run, status }) => [run, status]));

describe("a damaged run", { timeout: 60_000 }, () => {
  test("is set aside: neither driven nor forked nor exported, while another goes on; whole again, it is taken back", async () => {
    const story = await openStory([{ match: /./, turns: [say("Done.")] }]);
    const { workbench } = story;
    const damaged = await story.begin("First");
    await damaged.release();
    const other = await story.begin("Second");
    plant(story, `UPDATE events SET at = at + 1 WHERE root = '${damaged.run}' AND n = 2`);

    await expect(story.takeOver(damaged.run)).rejects.toThrow("JOURNAL_DAMAGED");
    await other.drive(true);
    await other.release();
    expect(await statuses(story)).toEqual({ [damaged.run]: "quarantined", [other.run]: "stopped" });
    expect(await workbench.runs.fork(damaged.run, { run: newRunId(), at: 1, base: "line" })).toMatchObject({
      ok: false,
      error: { code: "JOURNAL_DAMAGED" },
    });
    const row = await workbench.findRun(damaged.run);
    expect(row.ok && (await workbench.history.exportRun(row.value, join(story.home, "x.coppice")))).toMatchObject({
      ok: false,
      error: { code: "JOURNAL_DAMAGED" },
    });
    const topic = await workbench.source.subscribe(`run/${damaged.run}`, () => undefined);
    expect(topic).toMatchObject({ ok: true, value: { first: { status: "quarantined" } } });
    if (topic.ok) topic.value.unsubscribe();

    plant(story, `UPDATE events SET at = at - 1 WHERE root = '${damaged.run}' AND n = 2`);
    const again = await story.takeOver(damaged.run);
    await again.drive(true);
    await again.release();
    expect(await statuses(story)).toEqual({ [damaged.run]: "stopped", [other.run]: "stopped" });
  });
});

describe("a damaged file", { timeout: 60_000 }, () => {
  test("is only read: its runs are shown with the trouble, every write is refused, and the file stays as it is", async () => {
    const story = await openStory([{ match: /./, turns: [say("Done.")] }]);
    const run = await story.run("Only");
    const home = join(story.home, "copy");
    mkdirSync(home);
    for (const name of ["journal.db", "journal.db-wal"]) cpSync(join(story.home, name), join(home, name));
    const file = join(home, "journal.db");
    markUnclean(file);
    damageIndex(file);
    const before = readFileSync(file);

    const opened = await openWorkbench({ home });
    if (!opened.ok) throw new Error(opened.error.message);
    const safe = opened.value;
    expect(safe.trouble).toMatchObject({ code: "STORE_CORRUPT" });
    const list = await safe.source.subscribe("runs", () => undefined);
    const first = list.ok ? (list.value.first as RunListSnapshot) : null;
    expect(first).toMatchObject({ trouble: { code: "STORE_CORRUPT" }, runs: [{ run: run.run, status: "stopped" }] });
    if (list.ok) list.value.unsubscribe();
    expect(await safe.journal(run.run)).toEqual(run.journal());
    const model = connectModel({ baseUrl: story.server.baseUrl, apiKey: "none" });
    expect(await safe.startRun(story.assign("More"), model)).toMatchObject({
      ok: false,
      error: { code: "STORE_CORRUPT" },
    });
    expect(await safe.care.setPinned(run.run, true)).toMatchObject({ ok: false, error: { code: "STORE_CORRUPT" } });
    await safe.close();
    expect(readFileSync(file)).toEqual(before);
  });
});

/** The last process did not say that it ended, so the next one looks at the file. */
function markUnclean(file: string): void {
  const db = new Database(file);
  db.exec("UPDATE boots SET ended_at = NULL, is_clean = NULL, pid = 999999999");
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}

/** Breaks the pages of one index: what is read without it stays readable. */
function damageIndex(file: string): void {
  const db = new Database(file);
  const page =
    db.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_payload'").pluck().get() ?? 0;
  const size = Number(db.pragma("page_size", { simple: true }));
  db.close();
  const bytes = readFileSync(file);
  bytes.fill(0xee, (page - 1) * size + 8, page * size);
  writeFileSync(file, bytes);
}
