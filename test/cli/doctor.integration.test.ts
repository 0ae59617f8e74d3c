import { cpSync } from "node:fs";
import { join } from "node:path";

import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { type Desk, openDesk } from "../support/commandLine.ts";
import type { Ended } from "../support/commandProcess.ts";
import { say } from "../support/workbenchStory.ts";

const limit = { timeout: 60_000 };

let desk: Desk;
let ran: Ended;
beforeAll(async () => {
  await buildCommandLine();
  desk = await openDesk([{ match: /./, turns: [say("Done.")] }]);
  ran = await desk.coppice(desk.runArgs("Look."));
}, buildLimitMs);
afterAll(() => desk[Symbol.asyncDispose]());

/** Each turns one line of `coppice doctor`; triggers that would refuse it are taken off first, as a broken disk would not ask them. */
const violations: Readonly<Record<string, { readonly id: string; readonly sql: string }>> = {
  "an event that is gone": { id: "I1", sql: "DELETE FROM events WHERE n = 3" },
  "a byte of a payload": {
    id: "I2",
    sql: "UPDATE payloads SET bytes = replace(bytes, 'Look.', 'Hook.') WHERE bytes LIKE '%Look.%'",
  },
  "an epoch that goes back": { id: "I3", sql: "UPDATE events SET epoch = 9 WHERE n = 2" },
  "a run that is said to be running": { id: "I16", sql: "UPDATE runs SET status = 'running'" },
};

describe("doctor", () => {
  test.concurrent.for(Object.entries(violations))(
    "finds %s: its line and exit 1",
    limit,
    async ([name, { id, sql }], { expect }) => {
      const home = join(desk.repository.outside, name.replaceAll(" ", "-"));
      cpSync(desk.home, home, { recursive: true });
      damage(join(home, "journal.db"), sql);
      const doctor = await desk.coppice(["doctor", "--json"], { env: { COPPICE_HOME: home } });
      const broken = doctor.lines().filter((line) => line["ok"] === false);
      expect({ code: doctor.code, ids: broken.map((line) => line["id"]) }).toEqual({
        code: 1,
        ids: expect.arrayContaining([id]),
      });
      expect(String(broken.find((line) => line["id"] === id)?.["details"])).toMatch(/\w/);
    },
  );

  test("repairs nothing and writes no event", limit, async () => {
    expect((await desk.coppice(["doctor"])).code).toBe(0);
    expect((await desk.coppice(["log", ran.summary().run, "--json"])).events()).toEqual(ran.events());
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
