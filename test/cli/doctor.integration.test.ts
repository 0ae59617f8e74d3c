import { readdirSync } from "node:fs";
import { join } from "node:path";

import Database from "better-sqlite3";
import { beforeAll, describe, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { openDesk } from "../support/commandLine.ts";
import { say } from "../support/workbenchStory.ts";

beforeAll(buildCommandLine, buildLimitMs);

/** Each turns one line of `coppice doctor`; triggers that would refuse it are taken off first, as a broken disk would not ask them. */
const violations: Readonly<Record<string, { readonly id: string; readonly sql: string }>> = {
  "an event that is gone": { id: "I1", sql: "DELETE FROM events WHERE n = 3" },
  "a byte of a payload": { id: "I2", sql: "UPDATE payloads SET bytes = replace(bytes, 'Look.', 'Hook.') WHERE bytes LIKE '%Look.%'" },
  "an epoch that goes back": { id: "I3", sql: "UPDATE events SET epoch = 9 WHERE n = 2" },
  "a run that is said to be running": { id: "I16", sql: "UPDATE runs SET status = 'running'" },
};

describe("doctor", () => {
  test.concurrent.for(Object.entries(violations))("finds %s: its line and exit 1", { timeout: 60_000 }, async ([, { id, sql }], { expect }) => {
    await using desk = await openDesk([{ match: /./, turns: [say("Done.")] }]);
    const ended = await desk.coppice(desk.runArgs("Look."));
    damage(join(desk.home, "journal.db"), sql);
    const doctor = await desk.coppice(["doctor", "--json"]);
    const broken = doctor.lines().filter((line) => line["ok"] === false);
    expect({ code: doctor.code, ids: broken.map((line) => line["id"]) }).toEqual({ code: 1, ids: expect.arrayContaining([id]) });
    expect(String(broken.find((line) => line["id"] === id)?.["details"])).toMatch(/\w/);
    expect((await desk.coppice(["doctor"])).code).toBe(1);
    expect(ended.code).toBe(0);
  });

  test.concurrent("repairs nothing and writes nothing into a whole journal", { timeout: 60_000 }, async ({ expect }) => {
    await using desk = await openDesk([{ match: /./, turns: [say("Done.")] }]);
    const ended = await desk.coppice(desk.runArgs("Look."));
    const before = readdirSync(desk.home);
    await desk.coppice(["doctor"]);
    expect(readdirSync(desk.home)).toEqual(before);
    expect((await desk.coppice(["log", ended.summary().run, "--json"])).events()).toEqual(ended.events());
  });
});

function damage(file: string, sql: string): void {
  const db = new Database(file);
  try {
    const triggers = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    for (const name of triggers) db.exec(`DROP TRIGGER "${name}"`);
    if (db.prepare(sql).run().changes === 0) throw new Error(`Nothing was damaged by ${sql}`);
  } finally {
    db.close();
  }
}
