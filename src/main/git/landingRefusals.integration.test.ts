// Landing on a branch that somebody has checked out: what stops it. Everything then stays as it is. With real git.

import { chmodSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import { commitAside, lookAt } from "../../../test/support/userCheckout.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { CheckoutLanding, GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";
import { landOnCheckout } from "./landOnCheckout.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let old: Oid;

const ref = "refs/heads/main";
const files = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "dir/c.txt": "c\n",
  "run.sh": "#!/bin/sh\n",
  ".gitignore": "*.log\n.env\n",
};
const at = (path: string) => join(temp.folder, path);
const write = (contents: Record<string, string>) => temp.write(contents);

/** A commit over `old` with these files (`null`: gone). */
const change = (contents: Record<string, string | null>, parent: Oid = old) =>
  commitAside(temp.folder, join(temp.outside, "aside"), parent, contents);
const land = (next: Oid, checkout = temp.folder): Promise<CheckoutLanding> =>
  landOnCheckout(join(temp.outside, "data"), repo, { ref, old, next, checkout, reason: "coppice: land c1" }, [1, 1]);
const look = () => lookAt(temp.folder);
const codeOf = (landing: CheckoutLanding) => (landing.kind === "refused" ? landing.code : landing.kind);
const pathsOf = (landing: CheckoutLanding) => (landing.kind === "refused" ? landing.paths : undefined);

beforeEach(async () => {
  temp = createTempRepository(files);
  chmodSync(at("run.sh"), 0o755);
  symlinkSync("a.txt", at("link"));
  temp.commitAll("more");
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  repo = opened.value.facts;
  old = opened.value.head;
});
afterEach(() => temp.cleanup());

describe("a refusal leaves everything as it is and names the paths:", () => {
  const stops: Record<
    string,
    { prepare(): void; contents: Record<string, string | null>; code: string; paths?: readonly string[] }
  > = {
    "[B02] a file edited": {
      prepare: () => write({ "a.txt": "mine\n" }),
      contents: { "a.txt": "agent\n", "b.txt": "x\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file edited and staged": {
      prepare: () => {
        write({ "a.txt": "mine\n" });
        temp.git("add", "a.txt");
      },
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file deleted, though not staged": {
      prepare: () => rmSync(at("a.txt")),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file deleted and staged": {
      prepare: () => void temp.git("rm", "--quiet", "a.txt"),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file kept on disk but no longer tracked": {
      prepare: () => void temp.git("rm", "--cached", "--quiet", "a.txt"),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file renamed": {
      prepare: () => renameSync(at("a.txt"), at("z.txt")),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file made executable": {
      prepare: () => chmodSync(at("a.txt"), 0o755),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "a file to be deleted edited": {
      prepare: () => write({ "b.txt": "mine\n" }),
      contents: { "b.txt": null },
      code: "LOCAL_CHANGES",
      paths: ["b.txt"],
    },
    "an edited file hidden by a flag": {
      prepare: () => {
        temp.git("update-index", "--assume-unchanged", "a.txt");
        write({ "a.txt": "mine\n" });
      },
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["a.txt"],
    },
    "[B04] an ignored file where one is added": {
      prepare: () => write({ ".env": "SECRET=real\n" }),
      contents: { ".env": "FAKE=1\n" },
      code: "PATH_OCCUPIED",
      paths: [".env"],
    },
    "an untracked file where one is added": {
      prepare: () => write({ "n.txt": "mine" }),
      contents: { "n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["n.txt"],
    },
    "a staged new file where one is added": {
      prepare: () => {
        write({ "n.txt": "mine" });
        temp.git("add", "n.txt");
      },
      contents: { "n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["n.txt"],
    },
    "a dangling link where a file is added": {
      prepare: () => symlinkSync("/nowhere", at("n.txt")),
      contents: { "n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["n.txt"],
    },
    "an untracked folder with a file in it on the way": {
      prepare: () => write({ "new/mine": "m" }),
      contents: { "new/n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["new/n.txt"],
    },
    "a file on the way": {
      prepare: () => write({ new: "m" }),
      contents: { "new/n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["new/n.txt"],
    },
    "a link to a folder on the way": {
      prepare: () => symlinkSync(temp.outside, at("new")),
      contents: { "new/n.txt": "n" },
      code: "PATH_OCCUPIED",
      paths: ["new/n.txt"],
    },
    "a tracked folder that became a link to its copy": {
      prepare: () => {
        renameSync(at("dir"), join(temp.outside, "dir"));
        symlinkSync(join(temp.outside, "dir"), at("dir"));
      },
      contents: { "dir/c.txt": "agent\n" },
      code: "LOCAL_CHANGES",
      paths: ["dir/c.txt"],
    },
    "an ignored file in a folder that becomes a file": {
      prepare: () => write({ "dir/x.log": "l" }),
      contents: { "dir/c.txt": null, dir: "d" },
      code: "PATH_OCCUPIED",
      paths: ["dir"],
    },
    "two names that are one where case is ignored": {
      prepare: () => void temp.git("config", "core.ignoreCase", "true"),
      contents: { "New.txt": "1", "new.txt": "2" },
      code: "PATH_OCCUPIED",
      paths: ["New.txt", "new.txt"],
    },
    "an index that is gone": {
      prepare: () => rmSync(at(".git/index")),
      contents: { "a.txt": "agent\n" },
      code: "LOCAL_CHANGES",
    },
    "another branch checked out": {
      prepare: () => void temp.git("switch", "--quiet", "-c", "other"),
      contents: { "a.txt": "agent\n" },
      code: "NOT_CHECKED_OUT",
    },
    "a detached HEAD": {
      prepare: () => void temp.git("checkout", "--quiet", "--detach"),
      contents: { "a.txt": "agent\n" },
      code: "NOT_CHECKED_OUT",
    },
    "the branch in a second worktree": {
      prepare: () => void temp.git("worktree", "add", "--quiet", "--force", join(temp.outside, "second"), "main"),
      contents: { "a.txt": "agent\n" },
      code: "CHECKED_OUT_TWICE",
    },
    "a bisect": {
      prepare: () => void temp.git("bisect", "start"),
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "a merge": {
      prepare: () => {
        temp.git("branch", "side", change({ "b.txt": "side\n" }));
        temp.git("merge", "--quiet", "--no-commit", "--no-ff", "side");
      },
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "a revert": {
      prepare: () => void temp.git("revert", "--no-commit", "HEAD"),
      contents: { "b.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "a cherry-pick with a conflict": {
      prepare: () => {
        const side = change({ "b.txt": "side\n" }, change({ "b.txt": "before\n" }));
        expect(() => temp.git("cherry-pick", side)).toThrow("could not apply");
      },
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "a rebase of the branch": {
      prepare: () => {
        temp.git("branch", "side", change({ "b.txt": "side\n" }));
        write({ "b.txt": "ours\n" });
        temp.git("commit", "--quiet", "-am", "ours");
        expect(() => temp.git("rebase", "side")).toThrow("could not apply");
      },
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
    },
    "conflicts in the index alone, as a stash leaves them": {
      prepare: () => {
        const blob = temp.git("rev-parse", "HEAD:b.txt");
        const lines = [`0 ${"0".repeat(40)}\tb.txt`, `100644 ${blob} 1\tb.txt`, `100644 ${blob} 2\tb.txt`, ""];
        runGit(temp.folder, ["update-index", "--index-info"], { input: lines.join("\n") });
      },
      contents: { "a.txt": "agent\n" },
      code: "WORKTREE_BUSY",
      paths: ["b.txt"],
    },
  };

  test.each(Object.entries(stops))("%s", async (_, { prepare, contents, code, paths }) => {
    const next = change(contents);
    prepare();
    const before = look();
    const landing = await land(next);
    expect([codeOf(landing), pathsOf(landing), look()]).toEqual([code, paths, before]);
  });
});
