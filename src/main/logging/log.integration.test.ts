import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { openLog } from "./log.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coppice-log-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const file = () => join(home, "logs", "coppice.log");
const events = () =>
  readFileSync(file(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly event: string; readonly skippedCount?: number });

test("what is noted is on disk at once, a line each, for its owner alone", () => {
  const log = openLog(home);
  log.note("request.refused", { channel: "host/call", reason: "not a call" });
  expect(events()).toMatchObject([{ event: "request.refused", channel: "host/call", reason: "not a call" }]);
  expect(statSync(file()).mode & 0o077).toBe(0);
  log.close();
});

test("a flood of one event is cut, counted, and hides no other", () => {
  let time = 0;
  const log = openLog(home, () => time);
  for (let i = 0; i < 1_000; i += 1) log.note("request.refused");
  log.note("page.crashed");
  time += 60_000;
  log.note("request.refused");
  log.close();
  expect(events().length).toBe(63);
  expect(events().slice(-3)).toMatchObject([
    { event: "page.crashed" },
    { event: "request.refused", skippedCount: 940 },
    { event: "request.refused" },
  ]);
});

test("a file that has grown large is set aside", () => {
  openLog(home).close();
  writeFileSync(file(), "x".repeat(3_000_000));
  const log = openLog(home);
  log.note("page.crashed");
  log.close();
  expect(statSync(`${file()}.1`).size).toBe(3_000_000);
  expect(events()).toHaveLength(1);
});
