import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, describe, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { type Desk, openDesk } from "../support/commandLine.ts";
import { oneChange } from "../support/commandStories.ts";
import { runGit } from "../support/tempRepository.ts";
import { say } from "../support/workbenchStory.ts";

beforeAll(buildCommandLine, buildLimitMs);

const answers = [{ match: /./, turns: [say("Done.")] }];
const place = (desk: Desk) => join(desk.repository.outside, "place");

const unusable: Readonly<Record<string, { readonly code: string; make(desk: Desk): void }>> = {
  "that is not there": { code: "REPOSITORY_NOT_FOUND", make: () => undefined },
  "that is a file": { code: "REPOSITORY_NOT_FOUND", make: (desk) => writeFileSync(place(desk), "") },
  "that is a plain folder": { code: "NOT_A_REPOSITORY", make: (desk) => mkdirSync(place(desk)) },
  "without commits": {
    code: "NO_COMMITS",
    make: (desk) => void runGit(desk.repository.outside, ["init", "--quiet", "place"]),
  },
  "that is bare": {
    code: "BARE_REPOSITORY",
    make: (desk) =>
      void runGit(desk.repository.outside, ["clone", "--quiet", "--bare", desk.repository.folder, "place"]),
  },
  "that is the git folder of another": {
    code: "NOT_A_REPOSITORY",
    make: (desk) => symlinkSync(join(desk.repository.folder, ".git"), place(desk)),
  },
  "that is a link to nowhere": {
    code: "REPOSITORY_NOT_FOUND",
    make: (desk) => symlinkSync("/nowhere/at/all", place(desk)),
  },
};

describe("a repository", () => {
  test.concurrent.for(Object.entries(unusable))(
    "[A01] %s is refused with exit 2 and one sentence, and nothing is left",
    { timeout: 60_000 },
    async ([, { code, make }], { expect }) => {
      await using desk = await openDesk(answers);
      make(desk);
      const before = listing(place(desk));
      const ended = await desk.coppice([...desk.runArgs("Look."), "--repo", place(desk)]);
      expect({ code: ended.code, stderr: ended.stderr, lines: ended.lines() }).toEqual({
        code: 2,
        stderr: expect.stringMatching(new RegExp(`^${code}: .*(?:place|repo/\\.git).*\n$`)),
        lines: [{ error: { code, message: expect.stringMatching(/place|repo\/\.git/) } }],
      });
      expect(listing(place(desk))).toEqual(before);
      expect(desk.server.requests).toEqual([]);
    },
  );

  test.concurrent(
    "[A25] that brings commands of its own is refused until they are trusted, and from then on runs with them",
    { timeout: 60_000 },
    async ({ expect }) => {
      await using desk = await openDesk(answers, { ".coppice/config.json": `{ "setup": ["true"] }` });
      const run = async (...more: readonly string[]) => {
        const ended = await desk.coppice(desk.runArgs("Look.", ...more));
        const [first] = ended.lines();
        return [ended.code, (first as { readonly data?: { readonly options: object } }).data?.options ?? first];
      };
      const refused = {
        error: {
          code: "COMMANDS_UNTRUSTED",
          message: expect.stringMatching(/: set-up `true`\. .*--repository-commands trust/),
        },
      };
      const taken = [0, expect.objectContaining({ setup: ["true"], verify: ["true"] })];
      expect([await run(), await run("--repository-commands", "trust"), await run()]).toEqual([
        [2, refused],
        taken,
        taken,
      ]);
    },
  );

  test.concurrent(
    "is found from a subfolder, through a link, and from where the person stands",
    { timeout: 60_000 },
    async ({ expect }) => {
      await using desk = await openDesk(answers, { "a.txt": "one\n", "deep/er/b.txt": "two\n" });
      symlinkSync(join(desk.repository.folder, "deep"), place(desk));
      const repos = async (args: readonly string[], cwd: string) => {
        const ended = await desk.coppice(
          ["run", "--task", "Look.", "--model", "scripted", "--base-url", desk.server.baseUrl, ...args, "--json"],
          { cwd },
        );
        return [ended.code, ended.events()[0]?.data["repo"]];
      };
      const { folder, outside } = desk.repository;
      expect(await repos(["--repo", join(folder, "deep/er")], outside)).toEqual([0, folder]);
      expect(await repos(["--repo", "place"], outside)).toEqual([0, folder]);
      expect(await repos([], join(folder, "deep"))).toEqual([0, folder]);
      expect(await desk.coppice(["runs", "--json"]).then((ended) => ended.lines().map((line) => line["repo"]))).toEqual(
        [folder, folder, folder],
      );
    },
  );

  test.concurrent(
    "is not taken from INIT_CWD, which any npm script above has set",
    { timeout: 60_000 },
    async ({ expect }) => {
      await using desk = await openDesk(answers);
      const ended = await desk.coppice(
        ["run", "--task", "Look.", "--model", "scripted", "--base-url", desk.server.baseUrl, "--json"],
        { cwd: desk.repository.folder, env: { INIT_CWD: "/" } },
      );
      expect([ended.code, ended.events()[0]?.data["repo"]]).toEqual([0, desk.repository.folder]);
    },
  );
});

describe("a branch to land on", () => {
  test.concurrent(
    "is the run's own by default, and steps aside for a branch named coppice",
    { timeout: 60_000 },
    async ({ expect }) => {
      await using desk = await openDesk(oneChange);
      const first = await desk.coppice(desk.runArgs("Change it.", "--land-on", "run-branch"));
      desk.repository.git("update-ref", "-d", `refs/heads/${first.summary().landed[0]?.target}`);
      desk.repository.git("branch", "coppice");
      const second = await desk.coppice(desk.runArgs("Change it.", "--land-on", "run-branch"));
      expect([first, second].map((ended) => [ended.code, ended.summary().landed[0]?.target])).toEqual([
        [0, `coppice/change-it-${first.summary().run}`],
        [0, `coppice-change-it-${second.summary().run}`],
      ]);
      expect(desk.repository.git("show", `coppice-change-it-${second.summary().run}:a.txt`)).toContain("zwei");
    },
  );

  test.concurrent(
    "whose name is in another's way is refused before anything starts",
    { timeout: 60_000 },
    async ({ expect }) => {
      await using desk = await openDesk(oneChange);
      desk.repository.git("branch", "fix");
      const ended = await desk.coppice(desk.runArgs("Change it.", "--land-on", "branch:fix/this"));
      expect({ code: ended.code, lines: ended.lines() }).toEqual({
        code: 2,
        lines: [{ error: { code: "BAD_BRANCH_NAME", message: expect.stringContaining("fix") } }],
      });
      expect(desk.server.requests).toEqual([]);
      expect(desk.repository.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/fix\nrefs/heads/main");
    },
  );
});

/** What is below a folder, by name; nothing for a file or for what is not there. */
function listing(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()
    : [];
}
