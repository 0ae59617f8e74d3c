// Backups of a store, and what they are for: what stood there comes back, and what was damaged is kept.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { soundJournal, soundRun, storeJournal } from "../../../test/support/journals.ts";
import { progressWords } from "../../shared/contract/progress.ts";
import { backUp, listBackups } from "./backup.ts";
import { checkStore } from "./check.ts";
import { requireStore } from "./fixture.ts";
import { openStore } from "./openStore.ts";
import { restoreBackup } from "./restore.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-backup-"));
const noon = Date.UTC(2026, 10, 30, 12);
const dayMs = 24 * 60 * 60_000;
/** A home with one run, one payload of it so large that it is a file. */
const origin = join(folder, "origin");

beforeAll(async () => {
  const store = await requireStore(origin);
  await storeJournal(store, soundJournal({ note: "x".repeat(1_200_000) }));
  await store.close();
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function homeFor(name: string): string {
  const home = join(folder, name);
  cpSync(origin, home, { recursive: true });
  return home;
}

async function journalOf(home: string): Promise<unknown> {
  const store = await requireStore(home);
  try {
    return await store.readJournal(soundRun);
  } finally {
    await store.close();
  }
}

/** Flips bytes in the middle of the file, as a failing disk does. */
function damage(file: string): void {
  const bytes = readFileSync(file);
  for (let at = Math.floor(bytes.length / 4); at < bytes.length; at += 64) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
}

describe("a backup", { timeout: 60_000 }, () => {
  test("of a store that is at work is one moment of it, whole, with its large payloads; three are kept", async () => {
    const home = homeFor("kept");
    const store = await requireStore(home);
    try {
      for (const day of [0, 1, 2]) expect(await backUp(home, noon + day * dayMs)).toMatchObject({ runs: 1 });
      const told: string[] = [];
      const { events } = await backUp(home, noon + 3 * dayMs, (proved) => told.push(progressWords(proved)));
      expect([told[0], told.at(-1)]).toEqual([0, events].map((done) => `${done} of ${events} events`));
    } finally {
      await store.close();
    }
    expect(listBackups(home).map(({ name, at }) => [name, at])).toEqual(
      [3, 2, 1].map((day) => [`journal-2026120${day}T120000000Z`, noon + day * dayMs]),
    );
    const copy = join(home, "backups", listBackups(home)[0]?.name ?? "");
    expect(checkStore({ folder: copy }).flatMap(({ details }) => details)).toEqual([]);
    expect(await journalOf(copy)).toEqual(await journalOf(home));
  });

  test("of a damaged store does not count, and leaves the earlier ones as they are", async () => {
    const home = homeFor("unsound");
    const first = await backUp(home, noon);
    const db = new Database(join(home, "journal.db"));
    db.exec("DROP TRIGGER events_refuse_update; UPDATE events SET at = at + 1 WHERE n = 3");
    db.close();
    await expect(backUp(home, noon + dayMs)).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    damage(join(home, "journal.db"));
    await expect(backUp(home, noon + 2 * dayMs)).rejects.toMatchObject({
      message: expect.stringMatching(/damaged|malformed|not a database/),
    });
    expect(listBackups(home)).toEqual([first]);
    expect(readdirSync(join(home, "backups"))).toEqual([first.name]);
  });

  test("restored puts back what stood there, and keeps the damaged set", async () => {
    const home = homeFor("restored");
    const journal = await journalOf(home);
    const backup = await backUp(home, noon);
    damage(join(home, "journal.db"));
    const damaged = readFileSync(join(home, "journal.db"));
    rmSync(join(home, "payloads"), { recursive: true });
    const restored = restoreBackup(home, null, noon);
    if (!restored.ok) throw new Error(restored.error.message);
    expect(restored.value.backup).toEqual(backup);
    expect(readFileSync(join(restored.value.aside, "journal.db"))).toEqual(damaged);
    expect(await journalOf(home)).toEqual(journal);
    expect(checkStore({ folder: home }).flatMap(({ details }) => details)).toEqual([]);
  });

  test("whose restoring was cut is restored again, and what stood there stays together", async () => {
    const home = homeFor("cut");
    const journal = await journalOf(home);
    await backUp(home, noon);
    // Died after the first of the set had gone aside.
    const begun = join(home, "damaged", "20261130T110000000Z");
    mkdirSync(begun, { recursive: true });
    renameSync(join(home, "journal.db"), join(begun, "journal.db"));
    writeFileSync(join(home, "journal.db-wal"), "the end of it");
    writeFileSync(join(home, "journal.db.half"), "not all of it");
    const opened = await openStore({ folder: home });
    expect(opened).toMatchObject({ ok: false, error: { code: "STORE_UNAVAILABLE" } });
    expect(restoreBackup(home, null, noon)).toMatchObject({ ok: true, value: { aside: begun } });
    expect(readdirSync(begun)).toEqual(expect.arrayContaining(["journal.db", "journal.db-wal"]));
    expect([readFileSync(join(begun, "journal.db-wal"), "utf8"), await journalOf(home)]).toEqual([
      "the end of it",
      journal,
    ]);
  });

  test("that cannot be restored leaves nothing half done", async () => {
    const home = homeFor("stuck");
    await backUp(home, noon);
    rmSync(join(home, "payloads"), { recursive: true });
    writeFileSync(join(home, "payloads"), "no folder");
    expect(restoreBackup(home, null, noon)).toMatchObject({ ok: false, error: { code: "STORE_UNAVAILABLE" } });
    expect(existsSync(join(home, "journal.db.half"))).toBe(false);
  });

  test("is not restored while somebody has the store open, nor where it is damaged itself, nor where there is none", async () => {
    const home = homeFor("held");
    expect(restoreBackup(home, null, noon)).toMatchObject({ ok: false, error: { code: "NO_BACKUP" } });
    const { name } = await backUp(home, noon);
    const store = await requireStore(home);
    expect(restoreBackup(home, name, noon)).toMatchObject({ ok: false, error: { code: "STORE_IN_USE" } });
    await store.close();
    damage(join(home, "backups", name, "journal.db"));
    expect(restoreBackup(home, name, noon)).toMatchObject({ ok: false });
    expect([existsSync(join(home, "damaged")), await journalOf(home)]).toEqual([false, await journalOf(origin)]);
  });
});
