import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { withTemporaryFolder } from "./scratch.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coppice-scratch-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test("what a process that died has left goes after a day, what another may be at work in stays", async () => {
  const parent = join(home, "git", "scratch");
  for (const name of ["bundle-dead", "index-busy"]) {
    mkdirSync(join(parent, name), { recursive: true });
    writeFileSync(join(parent, name, "refs.bundle"), "x");
  }
  const before = Date.now() / 1000 - 2 * 24 * 60 * 60;
  utimesSync(join(parent, "bundle-dead"), before, before);
  const during = await withTemporaryFolder(home, "own-", () => Promise.resolve(readdirSync(parent).toSorted()));
  expect([during, readdirSync(parent)]).toEqual([["index-busy", expect.stringMatching(/^own-/)], ["index-busy"]]);
});
