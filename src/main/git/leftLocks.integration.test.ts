// What a git of ours has left that was killed, and what others hold, with real git.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import { createGit } from "./createGit.ts";
import { type LockTexts, notingLocks, packedLock, refLock } from "./leftLocks.ts";

const ref = "refs/coppice/r/base";

function open() {
  const temp = createTempRepository();
  onTestFinished(() => temp.cleanup());
  const dataFolder = join(temp.outside, "data");
  const commonDir = join(temp.folder, ".git");
  const repo = { topLevel: temp.folder, commonDir, rootCommit: temp.git("rev-parse", "HEAD") as Oid };
  const lock = join(commonDir, `${ref}.lock`);
  mkdirSync(dirname(lock), { recursive: true });
  return { temp, dataFolder, repo, lock, port: createGit({ dataFolder }), base: repo.rootCommit };
}

/** What a git of ours leaves that dies with these locks in its hands. */
function dieWith(dataFolder: string, locks: LockTexts, text: string): Promise<void> {
  return notingLocks(dataFolder, locks, async () => {
    for (const lock of Object.keys(locks)) writeFileSync(lock, text);
    await Promise.resolve();
  });
}

test
  .runIf(process.platform === "linux")
  .concurrent(
    "[A33] a ref's lock that a git of ours died over is in nobody's way, whatever it had written of it",
    async () => {
      const { dataFolder, repo, lock, port, base } = open();
      await dieWith(dataFolder, refLock(repo, ref, base), base.slice(0, 7));
      await port.pin(repo, ref, base);
      expect([await port.readRef(repo, ref), existsSync(lock), readdirSync(join(dataFolder, "git/locks"))]).toEqual([
        base,
        false,
        [],
      ]);
    },
  );

test
  .runIf(process.platform === "linux")
  .concurrent("all that a deletion left goes with the first of it that is met", async () => {
    const { temp, dataFolder, repo, port, base } = open();
    const refs = [ref, "refs/coppice/r/1"].map((name) => ({ ref: name, commit: base }));
    for (const { ref: name } of refs) await port.pin(repo, name, base);
    temp.git("pack-refs", "--all");
    mkdirSync(join(repo.commonDir, "refs/coppice/r"), { recursive: true });
    const locks = Object.assign({}, packedLock(repo), ...refs.map(({ ref: name }) => refLock(repo, name))) as LockTexts;
    await dieWith(dataFolder, locks, "");
    expect([await port.deleteHiddenRefs(repo, refs), await port.listHiddenRefs(repo)]).toEqual([[], []]);
  });

test.concurrent("[A19] what anybody else may hold stays, and is told with what to do", async () => {
  const { dataFolder, repo, lock, port, base } = open();
  writeFileSync(lock, "");
  // Noted only after it was there, and once more with another text.
  await dieWith(dataFolder, {}, "");
  await notingLocks(dataFolder, refLock(repo, ref, base), () => Promise.resolve());
  await expect(port.pin(repo, ref, base)).rejects.toThrow(
    /^Another git holds .*\/refs\/coppice\/r\/base\.lock, since \d s\. Wait for the git that holds it; if none is running, remove the file\.$/,
  );
  expect(existsSync(lock)).toBe(true);
});

test.concurrent("a lock of ours with what no git of ours writes stays", async () => {
  const { dataFolder, repo, lock, port, base } = open();
  await dieWith(dataFolder, refLock(repo, ref, base), `${"1".repeat(40)}\n`);
  await expect(port.pin(repo, ref, base)).rejects.toThrow("Another git holds");
  expect(existsSync(lock)).toBe(true);
});

test.concurrent("as long as a person's git is at work there, nothing is taken from it", async () => {
  const { temp, dataFolder, repo, lock, port, base } = open();
  const theirs = spawn("git", ["cat-file", "--batch-check"], { cwd: temp.folder, stdio: ["pipe", "pipe", "ignore"] });
  theirs.stdin.write("HEAD\n");
  await once(theirs.stdout, "data");
  await dieWith(dataFolder, refLock(repo, ref, base), "");
  await expect(port.pin(repo, ref, base)).rejects.toThrow("Another git holds");
  expect(existsSync(lock)).toBe(true);
  theirs.stdin.end();
});

test.concurrent("[A33] an entry that git died over in its making, so that it lists no worktrees, is removed with its folder; somebody else's is not", async () => {
  const { temp, repo, port, base } = open();
  const at = (name: string) => join(temp.outside, "places", name);
  const cut = async (name: string) => {
    await port.addWorktree(repo, at(name), base);
    rmSync(join(at(name), "a.txt"));
    writeFileSync(join(repo.commonDir, "worktrees", name, "commondir"), "");
  };
  await cut("calm-otter-1-e1-subagent-1");
  const before = await port.checkedOutAt(repo, "refs/heads/main");
  await cut("calm-otter-1-e2-subagent-1");
  const made = await port.addWorktree(repo, at("calm-otter-1-e3-subagent-1"), base);
  expect([before, made.ok, readdirSync(at("")), readdirSync(join(repo.commonDir, "worktrees"))]).toEqual([
    [temp.folder],
    true,
    ["calm-otter-1-e3-subagent-1"],
    ["calm-otter-1-e3-subagent-1"],
  ]);
  await cut("theirs");
  await expect(port.checkedOutAt(repo, "refs/heads/main")).rejects.toThrow("commondir");
});
