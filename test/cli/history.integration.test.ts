// `fork`, `export`, `import`, `backup` and `doctor --repair` as they are scripted against.

import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { type Desk, openDesk } from "../support/commandLine.ts";
import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { runGit } from "../support/tempRepository.ts";
import type { Ended } from "../support/commandProcess.ts";
import { call, say, spawn, calls, submit, wait } from "../support/workbenchStory.ts";

const limit = { timeout: 120_000 };

let desk: Desk;
let ran: Ended;
let run: string;
beforeAll(async () => {
  await buildCommandLine();
  desk = await openDesk([
    { match: /^Look/, turns: [calls(spawn("ONE")), wait(["subagent-1"]), say("Done.")] },
    { match: /^ONE/, turns: [call("listFiles", {}), submit("one")] },
  ]);
  ran = await desk.coppice(desk.runArgs("Look."));
  run = ran.summary().run;
}, buildLimitMs);
afterAll(() => desk[Symbol.asyncDispose]());

/** A data folder of its own with what the run left. */
function homeFor(name: string): string {
  const home = join(desk.repository.outside, name);
  cpSync(desk.home, home, { recursive: true });
  return home;
}

const at = (home: string) => ({ env: { COPPICE_HOME: home } });

describe("fork", limit, () => {
  test("makes a paused run that goes on from the moment, and leaves the other as it is; the rules decide both as they did", async () => {
    const home = homeFor("forks");
    const before = (await desk.coppice(["log", run, "--json"], at(home))).events();
    const started = before.find(({ type }) => type === "subagent.started");
    const forked = await desk.coppice(["fork", run, "--at", String(started?.n), "--json"], at(home));
    const [line] = forked.lines();
    expect({ code: forked.code, line }).toMatchObject({
      code: 0,
      line: {
        run: expect.any(String),
        origin: run,
        at: started?.n,
        base: ran.events()[0]?.data["base"],
        cancelled: ["subagent-1"],
      },
    });
    const fork = String(line?.["run"]);
    const shown = await desk.coppice(["show", fork, "--json"], at(home));
    expect(shown.lines()[0]).toMatchObject({ status: "paused", forkedFrom: { run, at: started?.n } });
    const resumed = await desk.coppice(["resume", fork, "--json"], at(home));
    expect({ code: resumed.code, summary: resumed.summary() }).toMatchObject({
      code: 0,
      summary: {
        status: "stopped",
        stopReason: "final_answer",
        subagents: [{ id: "subagent-1", status: "cancelled", code: "FORKED" }],
      },
    });
    expect((await desk.coppice(["log", run, "--json"], at(home))).events()).toEqual(before);
    expect((await desk.coppice(["doctor"], at(home))).code).toBe(0);
    // Both are what the rules make of what was recorded; of the fork, from where its own history begins.
    const verified = await desk.coppice(["replay", run, "--verify", "--json"], at(home));
    expect({ code: verified.code, lines: verified.lines() }).toEqual({
      code: 0,
      lines: [{ run, events: before.length, decided: before.length, differences: 0 }],
    });
    expect((await desk.coppice(["replay", fork, "--verify"], at(home))).code).toBe(0);
  });

  test("asks for a moment that there is", async () => {
    const codes = await Promise.all(
      [
        ["fork", run],
        ["fork", run, "--at", "0"],
        ["fork", run, "--at", "9999"],
        ["fork", run, "--at", "3", "--base", "x"],
      ].map(async (args) => (await desk.coppice(args)).code),
    );
    expect(codes).toEqual([2, 2, 2, 2]);
  });
});

describe("export and import", limit, () => {
  test("carry a run to another data folder, where it is shown, replayed and never driven", async () => {
    const file = join(desk.repository.outside, "run.coppice");
    const exported = await desk.coppice(["export", run, "-o", file, "--json"]);
    expect({ code: exported.code, line: exported.lines()[0] }).toMatchObject({
      code: 0,
      line: { run, file, events: ran.events().length, commits: true },
    });
    const elsewhere = join(desk.repository.outside, "elsewhere");
    const clone = join(desk.repository.outside, "clone");
    runGit(desk.repository.outside, ["clone", "--quiet", desk.repository.folder, clone]);
    const imported = await desk.coppice(["import", file, "--repo", clone, "--json"], at(elsewhere));
    expect({ code: imported.code, line: imported.lines()[0] }).toMatchObject({
      code: 0,
      line: { run, events: ran.events().length, refs: [`refs/coppice/${run}/base`] },
    });
    const log = await desk.coppice(["log", run, "--json"], at(elsewhere));
    const facts = (events: typeof ran) => events.events().map(({ n, seq, type, data }) => ({ n, seq, type, data }));
    expect(facts(log)).toEqual(facts(ran));
    expect((await desk.coppice(["runs", "--json"], at(elsewhere))).lines()[0]).toMatchObject({
      run,
      status: "imported",
    });
    const refused = await Promise.all(
      [
        ["resume", run],
        ["message", run, "More."],
        ["fork", run, "--at", "3"],
      ].map(async (args) => (await desk.coppice([...args, "--json"], at(elsewhere))).lines().at(-1)?.["error"]),
    );
    expect(refused).toMatchObject([{ code: "RUN_READ_ONLY" }, { code: "RUN_READ_ONLY" }, { code: "RUN_READ_ONLY" }]);
    writeFileSync(file, readFileSync(file).subarray(0, 500));
    const cut = await desk.coppice(["import", file, "--json"], at(elsewhere));
    expect({ code: cut.code, error: cut.lines().at(-1) }).toMatchObject({
      code: 2,
      error: { error: { code: "ARCHIVE_FOREIGN" } },
    });
  });
});

describe("backup", limit, () => {
  test("is made, listed, and put in the place of a damaged journal, which was only read until then", async () => {
    const home = homeFor("backups");
    const made = await desk.coppice(["backup", "--json"], at(home));
    const [backup] = made.lines();
    expect({ code: made.code, backup }).toMatchObject({ code: 0, backup: { runs: 1, events: ran.events().length } });
    expect((await desk.coppice(["backup", "--list", "--json"], at(home))).lines()).toEqual([backup]);

    breakFile(join(home, "journal.db"));
    const listed = await desk.coppice(["runs", "--json"], at(home));
    expect({ code: listed.code, lines: listed.lines() }).toMatchObject({
      code: 5,
      lines: [{ run, status: "stopped" }],
    });
    expect(listed.stderr).toContain("coppice backup --restore");
    const pinned = await desk.coppice(["pin", run, "--json"], at(home));
    expect({ code: pinned.code, last: pinned.lines().at(-1) }).toMatchObject({
      code: 5,
      last: { error: { code: "STORE_CORRUPT" } },
    });

    const restored = await desk.coppice(["backup", "--restore", "--json"], at(home));
    expect({ code: restored.code, line: restored.lines()[0] }).toMatchObject({
      code: 0,
      line: { restored: backup?.["backup"] },
    });
    expect(existsSync(join(String(restored.lines()[0]?.["aside"]), "journal.db"))).toBe(true);
    expect((await desk.coppice(["log", run, "--json"], at(home))).events()).toEqual(ran.events());
    expect((await desk.coppice(["doctor"], at(home))).code).toBe(0);
  });
});

describe("doctor --repair", limit, () => {
  test("mends rows that differ from their events, says so, and then finds nothing", async () => {
    const home = homeFor("repairs");
    const db = new Database(join(home, "journal.db"));
    db.exec("UPDATE runs SET status = 'running' WHERE kind = 'root'; DELETE FROM handoffs;");
    db.close();
    const broken = await desk.coppice(["doctor", "--json"], at(home));
    const repaired = await desk.coppice(["doctor", "--repair", "--json"], at(home));
    expect([broken.code, repaired.code]).toEqual([1, 0]);
    expect(repaired.lines()[0]?.["repaired"]).toMatch(new RegExp(`^Run ${run}: \\d+ faults in its rows`));
    expect(
      repaired
        .lines()
        .slice(1)
        .map((line) => line["id"]),
    ).toEqual([...Array.from({ length: 20 }, (_, index) => `I${index + 1}`), "SANDBOX"]);
  });
});

/** The last process did not say that it ended, and one index is broken: it is found at the next start, and read around. */
function breakFile(file: string): void {
  const db = new Database(file);
  db.exec("UPDATE boots SET ended_at = NULL, is_clean = NULL, pid = 999999999");
  const root =
    db.prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'events_by_payload'").pluck().get() ?? 0;
  const size = Number(db.pragma("page_size", { simple: true }));
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  const bytes = readFileSync(file);
  bytes.fill(0xee, (root - 1) * size + 8, root * size);
  writeFileSync(file, bytes);
}
