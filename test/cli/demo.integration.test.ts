import { rmSync } from "node:fs";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { type Desk, openDesk } from "../support/commandLine.ts";
import { numberingFaults } from "../support/commandStories.ts";
import { runGit } from "../support/tempRepository.ts";

let desk: Desk;
const folders: string[] = [];
beforeAll(async () => {
  await buildCommandLine();
  desk = await openDesk();
}, buildLimitMs);
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  await desk[Symbol.asyncDispose]();
});

/** Nobody: no key, no git identity, no server. */
const nobody = { OPENAI_API_KEY: undefined, OPENAI_BASE_URL: "http://127.0.0.1:1/v1", GIT_AUTHOR_NAME: undefined };

describe("coppice demo", () => {
  test(
    "lands a checked fix without a key, a network or a git identity, twice in a row, and says where",
    { timeout: 120_000 },
    async () => {
      for (const _ of [1, 2]) {
        const demo = await desk.coppice(["demo"], { env: nobody });
        expect({ code: demo.code, stderr: demo.stderr }).toEqual({ code: 0, stderr: "" });
        const [, commit = "", branch = "", folder = ""] =
          /^landed ([0-9a-f]+) on (\S+) in (\S+)$/m.exec(demo.stdout) ?? [];
        folders.push(folder);
        expect(runGit(folder, ["rev-parse", branch]).toString()).toMatch(new RegExp(`^${commit}`));
        expect(runGit(folder, ["diff", "--name-only", "main", branch]).toString()).toContain("src/payments.js");
        expect(runGit(folder, ["status", "--porcelain"]).toString()).toBe("");
        expect(runGit(folder, ["worktree", "list"]).toString().trimEnd().split("\n")).toHaveLength(1);
      }
      expect(new Set(folders).size).toBe(2);
      expect((await desk.coppice(["runs", "--json"])).lines()).toMatchObject([
        { repo: folders[1], status: "stopped", stopReason: "final_answer" },
        { repo: folders[0], status: "stopped", stopReason: "final_answer" },
      ]);
    },
  );

  test(
    "with --json prints the run's events and its summary, and nothing else; its replay verifies",
    { timeout: 120_000 },
    async () => {
      const demo = await desk.coppice(["demo", "--json"], { env: nobody });
      folders.push(String(demo.events()[0]?.data["repo"]));
      expect(demo.code).toBe(0);
      expect(numberingFaults(demo.events())).toEqual([]);
      expect(demo.summary()).toMatchObject({
        stopReason: "final_answer",
        partial: false,
        waiting: [],
        landed: [{ target: expect.any(String), files: expect.arrayContaining(["src/payments.js"]) }],
      });
      const log = await desk.coppice(["log", demo.summary().run, "--json"]);
      expect(log.lines()).toEqual(demo.events());
      // Every event of a real run, with executors, checks and landings, is what the rules make of what came from outside.
      const verified = await desk.coppice(["replay", demo.summary().run, "--verify", "--json"]);
      expect(verified.lines()).toMatchObject([{ events: demo.events().length, decided: demo.events().length }]);
    },
  );
});
