// What the doctor finds in a store and what it mends: a violation planted for each line that a journal's events alone
// cannot break, and no more repaired than loses nothing.

import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { soundJournal, soundRun, storeJournal } from "../../../test/support/journals.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { openStore } from "../store/openStore.ts";
import { checkJournal, ruleCount } from "./checkJournal.ts";
import { checkFolds, foldInOtherProcess } from "./foldElsewhere.ts";
import { repairStore } from "./repair.ts";

const folder = mkdtempSync(join(tmpdir(), "coppice-doctor-"));
const origin = join(folder, "origin");
const clock = { now: () => 1_000, monotonic: () => 0, after: () => () => undefined };
const secret = "AKIAQ3EGVNX5TKTZ4ABC";

async function withStore<T>(home: string, act: (store: StorePort) => Promise<T>): Promise<T> {
  const store = await openStore({ folder: home });
  if (!store.ok) throw new Error(store.error.message);
  try {
    return await act(store.value);
  } finally {
    await store.value.close();
  }
}

beforeAll(() => withStore(origin, (store) => storeJournal(store, soundJournal())), 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function homeFor(name: string): string {
  const home = join(folder, name);
  cpSync(origin, home, { recursive: true });
  return home;
}

/** Past every guard, as a broken disk would. */
function plant(home: string, sql: string): void {
  const db = new Database(join(home, "journal.db"));
  try {
    for (const name of db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
      db.exec(`DROP TRIGGER "${name}"`);
    db.exec(sql);
  } finally {
    db.close();
  }
}

const broken = (home: string) => checkJournal(home).flatMap(({ id, ok }) => (ok ? [] : [id]));
const repair = (home: string) => withStore(home, (store) => repairStore({ home, store, clock }));

describe("the doctor", { timeout: 60_000 }, () => {
  test("has a line for each invariant, in order, and they hold of a sound store, here and in another time zone", async () => {
    let rules = 0;
    expect(checkJournal(origin, () => (rules += 1)).map(({ id, ok }) => [id, ok])).toEqual(
      Array.from({ length: 20 }, (_, index) => `I${index + 1}`).flatMap((id) => (id === "I17" ? [] : [[id, true]])),
    );
    expect(await checkFolds(origin)).toMatchObject({ id: "I17", ok: true, details: [] });
    expect(rules + 1).toBe(ruleCount);
  });

  test.each([
    ["a call that was never settled", ["I16", "I19"], "UPDATE effects SET status = 'dispatched'"],
    ["a lease of a process that has ended", ["I19"], "UPDATE leases SET owner = (SELECT boot FROM boots LIMIT 1)"],
    ["a run that is said to be running", ["I16"], "UPDATE runs SET status = 'running' WHERE kind = 'root'"],
    ["a run's journal that is no JSON", ["I2", "I4", "I5", "I16"], "UPDATE payloads SET bytes = '{'"],
  ])("finds %s: %j", (what, ids, sql) => {
    const home = homeFor(what.replaceAll(" ", "-"));
    plant(home, sql);
    expect(broken(home)).toEqual(ids);
  });

  test("finds that the end of the journal is gone, where all that is left is whole", async () => {
    const home = homeFor("lost-end");
    const before = join(folder, "before.db");
    copyFileSync(join(home, "journal.db"), before);
    const other = JSON.parse(JSON.stringify(soundJournal()).replaceAll(soundRun, "paymentr02")) as ReturnType<
      typeof soundJournal
    >;
    await withStore(home, (store) => storeJournal(store, other));
    expect(broken(home)).toEqual([]);
    copyFileSync(before, join(home, "journal.db"));
    for (const name of ["journal.db-wal", "journal.db-shm"]) rmSync(join(home, name), { force: true });
    expect(broken(home)).toEqual(["I20"]);
  });

  test("finds a page that the disk has damaged, also where no event and no row of a run stands", () => {
    const home = homeFor("damaged-page");
    const path = join(home, "journal.db");
    const db = new Database(path, { readonly: true });
    const page =
      db.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'requests'").pluck().get() ?? 0;
    const size = db.pragma("page_size", { simple: true }) as number;
    db.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, (page - 1) * size, page * size));
    expect(broken(home)).toEqual(["I20"]);
  });

  test("finds a fold that depends on where it is done, and says so when it cannot look", async () => {
    const elsewhere = await foldInOtherProcess(origin);
    const other = () => Promise.resolve(new Map([...elsewhere].map(([run]) => [run, "another"])));
    expect(await checkFolds(origin, other)).toMatchObject({ ok: false, details: [expect.stringContaining(soundRun)] });
    const failing = () => Promise.reject(new Error("no such program"));
    expect(await checkFolds(origin, failing)).toMatchObject({
      ok: false,
      details: [expect.stringContaining("no such program")],
    });
  });
});

describe("a repair", { timeout: 60_000 }, () => {
  test("writes rows anew from the events, frees what nobody holds, and does nothing twice", async () => {
    const home = homeFor("rows");
    plant(
      home,
      `UPDATE runs SET status = 'running' WHERE run = '${soundRun}'; DELETE FROM approvals; INSERT INTO effects (run, call) VALUES ('${soundRun}', 'x');`,
    );
    expect(broken(home)).toEqual(["I16"]);
    expect(await repair(home)).toEqual([expect.stringMatching(/faults in its rows/)]);
    plant(home, "UPDATE leases SET owner = (SELECT boot FROM boots WHERE ended_at IS NOT NULL LIMIT 1)");
    expect((await repair(home)).every((sentence) => sentence.includes("is free"))).toBe(true);
    expect([broken(home), await repair(home)]).toEqual([[], []]);
  });

  test("takes a secret out of a payload for good: noted in the journal, gone from every file, the chain whole", async () => {
    const home = join(folder, "secret");
    await withStore(home, (store) => storeJournal(store, soundJournal({ note: `The key is ${secret}.` })));
    expect(broken(home)).toEqual(["I18"]);
    const beside = await withStore(home, async (store) => {
      await store.acquire(soundRun);
      return repairStore({ home, store, clock });
    });
    expect(beside).toEqual([expect.stringContaining(`the secret in 1 payload stays, for ${soundRun} is driven`)]);
    expect(await repair(home)).toEqual([expect.stringMatching(/a secret was taken out of 1 payload/)]);
    const journal = await withStore(home, (store) => store.readJournal(soundRun));
    expect(journal.find((event) => event.type === "model.completed")?.data).toMatchObject({
      text: "The key is [redacted:aws].",
    });
    expect(journal.at(-1)).toMatchObject({ type: "payload.erased", data: { events: [4] } });
    expect(broken(home)).toEqual([]);
    const files = readdirSync(home, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes(secret))).toEqual([]);
  });

  test("leaves a run alone whose journal is not whole", async () => {
    const home = homeFor("damaged");
    plant(home, "UPDATE events SET at = at + 1 WHERE n = 3; DELETE FROM approvals;");
    const before = broken(home);
    expect([await repair(home), broken(home)]).toEqual([[], before]);
  });
});
