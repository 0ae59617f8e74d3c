import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { makeFolder } from "./fixtureChild.ts";
import { applicationId, latestVersion, migrations } from "./migrate.ts";
import { journalPath, openReader, openWriter, requireDurable } from "./openDatabase.ts";
import type { Connection } from "./openDatabase.ts";

const next = { version: latestVersion() + 1, sql: "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;" };
const broken = {
  version: latestVersion() + 2,
  sql: "CREATE TABLE half (id INTEGER) STRICT; INSERT INTO nowhere VALUES (1);",
};

function settings(db: Connection): Record<string, unknown> {
  const names = ["journal_mode", "synchronous", "foreign_keys", "recursive_triggers", "trusted_schema", "busy_timeout"];
  return Object.fromEntries(names.map((name) => [name, db.pragma(name, { simple: true })]));
}

function hashOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

describe("a connection", () => {
  const durable = {
    journal_mode: "wal",
    synchronous: 2,
    foreign_keys: 1,
    recursive_triggers: 1,
    trusted_schema: 0,
    busy_timeout: 5_000,
  };

  test("reads back FULL after a transaction, on the first and the second launch, writing and reading", () => {
    const folder = makeFolder();
    const found = [1, 2].map(() => {
      const [writer, reader] = [openWriter(folder), openReader(folder)];
      writer.exec("BEGIN IMMEDIATE; INSERT OR REPLACE INTO meta VALUES ('probe', '1'); COMMIT");
      const both = [settings(writer), settings(reader)];
      reader.close();
      writer.close();
      return both;
    });
    expect(found).toEqual([
      [durable, durable],
      [durable, durable],
    ]);
  });

  test("is refused when it would not wait for the disk", () => {
    const db = openWriter(makeFolder());
    db.pragma("synchronous = NORMAL");
    expect(() => requireDurable(db)).toThrow(/synchronous=1 where FULL is needed/);
    db.close();
  });

  test("that reads cannot write", () => {
    const folder = makeFolder();
    openWriter(folder).close();
    const reader = openReader(folder);
    expect(() => reader.exec("DELETE FROM meta")).toThrow(/readonly/);
    reader.close();
  });
});

describe("a file", () => {
  test("carries application id and version", () => {
    const db = openWriter(makeFolder());
    expect([db.pragma("application_id", { simple: true }), db.pragma("user_version", { simple: true })]).toEqual([
      applicationId,
      latestVersion(),
    ]);
    db.close();
  });

  test("of a newer build is refused and stays as it was", () => {
    const folder = makeFolder();
    openWriter(folder, [...migrations, next]).close();
    const before = hashOf(journalPath(folder));
    expect(() => openWriter(folder)).toThrow(expect.objectContaining({ code: "STORE_TOO_NEW" }));
    expect(hashOf(journalPath(folder))).toBe(before);
  });

  test("of another program is refused and stays as it was", () => {
    const folder = makeFolder();
    const db = openWriter(folder);
    db.pragma("application_id = 7");
    db.close();
    const before = hashOf(journalPath(folder));
    expect(() => openWriter(folder)).toThrow(expect.objectContaining({ code: "STORE_FOREIGN" }));
    expect(hashOf(journalPath(folder))).toBe(before);
  });

  test("is backed up before it is migrated", () => {
    const folder = makeFolder();
    const old = openWriter(folder);
    old.exec("INSERT INTO meta VALUES ('kept', 'yes')");
    old.close();
    const db = openWriter(folder, [...migrations, next]);
    const [backup = ""] = readdirSync(join(folder, "backups"));
    db.exec(`ATTACH '${join(folder, "backups", backup)}' AS backup`);
    const facts = [db.pragma("user_version", { simple: true }), db.pragma("backup.user_version", { simple: true })];
    expect([...facts, db.prepare("SELECT value FROM backup.meta WHERE name = 'kept'").pluck().get()]).toEqual([
      next.version,
      latestVersion(),
      "yes",
    ]);
    db.close();
  });

  test("is never between two versions: a step that fails leaves the one before it", () => {
    const folder = makeFolder();
    openWriter(folder).close();
    expect(() => openWriter(folder, [...migrations, next, broken])).toThrow(/nowhere/);
    const db = openWriter(folder, [...migrations, next]);
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE name IN ('later', 'half')").pluck().all();
    expect([db.pragma("user_version", { simple: true }), tables]).toEqual([next.version, ["later"]]);
    db.close();
  });

  test("without content is migrated without a backup", () => {
    const folder = makeFolder();
    openWriter(folder).close();
    expect(existsSync(join(folder, "backups"))).toBe(false);
  });
});
