// The executors' worktrees, with real git.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, runGit, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "./createGit.ts";

let temp: TempRepository;
let port: GitPort;
let repo: RepositoryFacts;
let root: Oid;

const need = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const at = (name: string) => join(temp.outside, "places", name);
const listed = () =>
  temp
    .git("worktree", "list", "--porcelain")
    .split("\n")
    .filter((line) => line.startsWith("worktree "));
const statusIn = (path: string) => runGit(path, ["status", "--porcelain", "--untracked-files=all"]).toString();

beforeEach(async () => {
  temp = createTempRepository({ "a.txt": "one\ntwo\n", "-dash": "x", 'dé/q"\t\n.md': "y", ".gitignore": "ignored\n" });
  port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = need(await port.openRepository(temp.folder));
  repo = opened.facts;
  root = opened.head;
});
afterEach(() => temp.cleanup());

describe("addWorktree", () => {
  test("makes a locked, clean, detached worktree that git lists", async () => {
    const place = need(await port.addWorktree(repo, at("w"), root));
    expect({
      place,
      status: statusIn(place.path),
      head: runGit(place.path, ["rev-parse", "HEAD"]).toString().trim(),
      listed: listed(),
      isLocked: existsSync(join(repo.commonDir, "worktrees/w/locked")),
    }).toEqual({
      place: { kind: "worktree", path: at("w"), root, gitDir: join(repo.commonDir, "worktrees/w") },
      status: "",
      head: root,
      listed: [`worktree ${temp.folder}`, `worktree ${at("w")}`],
      isLocked: true,
    });
  });

  test("a path that a shell would read otherwise arrives as it is, and is looked at", async () => {
    const name = "C:\\tmp\\w \"$HOME\" 'q' %PATH%\\";
    const path = at(name);
    expect(need(await port.addWorktree(repo, path, root)).path).toBe(path);
    expect([readdirSync(join(temp.outside, "places")), statusIn(path), listed().at(-1)]).toEqual([
      [name],
      "",
      `worktree ${path}`,
    ]);
  });

  test("makes many side by side, one after another", async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, index) => port.addWorktree(repo, at(`w${index}`), root)),
    );
    expect([made.every((one) => one.ok), listed().length]).toEqual([true, 7]);
  });

  test("[A14] does not run hooks and does not mind a held config.lock", async () => {
    const marker = join(temp.outside, "hook-ran");
    writeFileSync(join(repo.commonDir, "hooks/post-checkout"), `#!/bin/sh\ntouch ${marker}\nexit 1\n`);
    chmodSync(join(repo.commonDir, "hooks/post-checkout"), 0o755);
    writeFileSync(join(repo.commonDir, "config.lock"), "");
    writeFileSync(join(repo.commonDir, "index.lock"), "");
    const place = need(await port.addWorktree(repo, at("w"), root));
    expect([
      existsSync(marker),
      existsSync(join(repo.commonDir, "config.lock")),
      readFileSync(join(place.path, "a.txt"), "utf8"),
    ]).toEqual([false, true, "one\ntwo\n"]);
  });

  test("adopts a worktree that was registered but not filled to the end", async () => {
    const place = need(await port.addWorktree(repo, at("w"), root));
    rmSync(join(temp.outside, "data/git/indexes"), { recursive: true });
    rmSync(join(place.gitDir ?? "", "index"));
    rmSync(join(place.path, "a.txt"));
    writeFileSync(join(place.gitDir ?? "", "index.lock"), "half");
    const found = await port.findWorktree(repo, at("w"), root);
    const again = need(await port.addWorktree(repo, at("w"), root));
    expect([found, again, statusIn(at("w")), listed().length]).toEqual([null, place, "", 2]);
  });

  test("keeps the edits in a whole worktree that it is asked for again", async () => {
    need(await port.addWorktree(repo, at("w"), root));
    writeFileSync(join(at("w"), "a.txt"), "work\n");
    need(await port.addWorktree(repo, at("w"), root));
    expect(readFileSync(join(at("w"), "a.txt"), "utf8")).toBe("work\n");
  });

  test("[A05] makes it anew when its folder was deleted by hand, and leaves other vanished entries alone", async () => {
    temp.git("worktree", "add", "--quiet", "-b", "users", join(temp.outside, "users"));
    rmSync(join(temp.outside, "users"), { recursive: true });
    need(await port.addWorktree(repo, at("w"), root));
    rmSync(at("w"), { recursive: true });
    need(await port.addWorktree(repo, at("w"), root));
    expect([statusIn(at("w")), readdirSync(join(repo.commonDir, "worktrees")).toSorted()]).toEqual([
      "",
      ["users", "w"],
    ]);
  });

  test("[A32] takes over a folder with nothing but a broken link to git, and refuses one with files", async () => {
    mkdirSync(at("w"), { recursive: true });
    mkdirSync(at("full"), { recursive: true });
    writeFileSync(join(at("w"), ".git"), "gitdir: /nowhere\n");
    writeFileSync(join(at("full"), "notes"), "mine");
    const outcomes = [await port.addWorktree(repo, at("w"), root), await port.addWorktree(repo, at("full"), root)];
    expect([
      outcomes.map((one) => (one.ok ? "made" : one.error.code)),
      readFileSync(join(at("full"), "notes"), "utf8"),
      listed().length,
    ]).toEqual([["made", "WORKTREE_FAILED"], "mine", 2]);
  });

  test("[A26] refuses a place inside the checkout or around it", async () => {
    const outcomes = [
      await port.addWorktree(repo, join(temp.folder, "wt"), root),
      await port.addWorktree(repo, join(temp.folder, ".."), root),
    ];
    expect([outcomes.map((one) => (one.ok ? "made" : one.error.code)), statusIn(temp.folder)]).toEqual([
      ["WORKTREE_FAILED", "WORKTREE_FAILED"],
      "",
    ]);
  });

  test("[F17] fails with git's words for a commit that is not there, and leaves nothing", async () => {
    const outcome = await port.addWorktree(repo, at("w"), "1".repeat(40) as Oid);
    expect([outcome, existsSync(at("w")), listed().length]).toEqual([
      { ok: false, error: { code: "WORKTREE_FAILED", message: expect.stringContaining("1".repeat(40)) } },
      false,
      1,
    ]);
  });

  test("[A13] works where the shared settings say bare and worktrees have their own", async () => {
    temp.git("config", "extensions.worktreeConfig", "true");
    temp.git("config", "core.bare", "true");
    const place = need(await port.addWorktree(repo, at("w"), root));
    expect(statusIn(place.path)).toBe("");
  });

  test("gives the whole tree of a sparse checkout, so that nothing looks deleted", async () => {
    temp.git("sparse-checkout", "set", "--no-cone", "/a.txt");
    const place = need(await port.addWorktree(repo, at("w"), root));
    writeFileSync(join(place.path, "a.txt"), "edit\n");
    const shot = need(await port.snapshot(repo, place, root, "refs/coppice/r/subagent-1/1", "m"));
    expect((await port.changesBetween(repo, root, shot.commit)).map((change) => change.path)).toEqual(["a.txt"]);
  });
});

describe("findWorktree", () => {
  test("finds what was made, also where its agent broke its git files, and nothing else", async () => {
    const place = need(await port.addWorktree(repo, at("w"), root));
    rmSync(join(place.path, ".git"));
    rmSync(join(place.gitDir ?? "", "index"));
    const found = await port.findWorktree(repo, at("w"), root);
    const none = await port.findWorktree(repo, at("none"), root);
    await port.removeWorkPlace(repo, place);
    expect([found, none, await port.findWorktree(repo, at("w"), root)]).toEqual([place, null, null]);
  });
});

describe("resetWorktree", () => {
  test("removes what only the commit before tracked, though it is ignored", async () => {
    temp.write({ ignored: "tracked all the same" });
    temp.git("add", "-f", "ignored");
    const before = temp.commitAll("tracks an ignored file") as Oid;
    need(await port.addWorktree(repo, at("w"), before));
    const standing = await port.findWorktree(repo, at("w"), root);
    if (standing !== null) need(await port.resetWorktree(repo, standing, root));
    expect([existsSync(join(at("w"), "ignored")), statusIn(at("w"))]).toEqual([false, ""]);
  });

  test("brings tracked, untracked and nested things to the other commit and keeps ignored ones", async () => {
    const place = need(await port.addWorktree(repo, at("w"), root));
    writeFileSync(join(temp.folder, "b.txt"), "b\n");
    const next = temp.commitAll("next") as Oid;
    writeFileSync(join(place.path, "a.txt"), "eXe\ntwo\n");
    writeFileSync(join(place.path, "ignored"), "cache");
    writeFileSync(join(place.path, "secret.tmp"), "x");
    mkdirSync(join(place.path, "sub"));
    writeFileSync(join(place.path, "sub/.gitignore"), "hidden\n");
    writeFileSync(join(place.path, "sub/hidden"), "x");
    runGit(place.path, ["init", "--quiet", "nested"]);
    runGit(place.path, ["update-index", "--assume-unchanged", "a.txt"]);
    runGit(place.path, [
      "-c",
      "user.name=x",
      "-c",
      "user.email=x",
      "commit",
      "--quiet",
      "--allow-empty",
      "-m",
      "agent's",
    ]);
    const fresh = need(await port.resetWorktree(repo, place, next));
    expect({
      root: fresh.root,
      head: runGit(place.path, ["rev-parse", "HEAD"]).toString().trim(),
      names: readdirSync(place.path).toSorted(),
      a: readFileSync(join(place.path, "a.txt"), "utf8"),
      status: statusIn(place.path),
    }).toEqual({
      root: next,
      head: next,
      names: ["-dash", ".git", ".gitignore", "a.txt", "b.txt", "dé", "ignored"],
      a: "one\ntwo\n",
      status: "",
    });
  });

  test("refuses the user's checkout", async () => {
    const users = { kind: "worktree", path: temp.folder, root, gitDir: repo.commonDir } as const;
    writeFileSync(join(temp.folder, "mine"), "x");
    const outcome = await port.resetWorktree(repo, users, root);
    expect([outcome.ok, existsSync(join(temp.folder, "mine"))]).toEqual([false, true]);
  });
});

describe("removeWorkPlace", () => {
  test("removes folder and entry, whatever the agent did to its own git files, and no other entry", async () => {
    const [place, other] = [
      need(await port.addWorktree(repo, at("w"), root)),
      need(await port.addWorktree(repo, at("other"), root)),
    ];
    writeFileSync(join(place.path, ".git"), `gitdir: ${repo.commonDir}\n`);
    mkdirSync(join(place.path, "closed"));
    writeFileSync(join(place.path, "closed/x"), "x");
    chmodSync(join(place.path, "closed"), 0o000);
    await port.removeWorkPlace(repo, place);
    expect([existsSync(place.path), listed(), statusIn(other.path)]).toEqual([
      false,
      [`worktree ${temp.folder}`, `worktree ${other.path}`],
      "",
    ]);
  });

  test("leaves no trace when the last one goes, and does not mind one that is gone already", async () => {
    const place = need(await port.addWorktree(repo, at("w"), root));
    await port.removeWorkPlace(repo, place);
    await port.removeWorkPlace(repo, place);
    expect(existsSync(join(repo.commonDir, "worktrees"))).toBe(false);
  });

  test("removes by its path one that was registered and never filled, at whatever point its making ended", async () => {
    const unfilled = { kind: "worktree", path: at("w"), root, gitDir: null } as const;
    const ends: readonly ((gitDir: string) => void)[] = [
      () => rmSync(join(temp.outside, "data/git/indexes"), { recursive: true }),
      () => rmSync(at("w"), { recursive: true }),
      (gitDir) => rmSync(join(gitDir, "gitdir")),
    ];
    const left: unknown[] = [];
    for (const end of ends) {
      const { gitDir } = need(await port.addWorktree(repo, at("w"), root));
      end(gitDir ?? "");
      await port.removeWorkPlace(repo, unfilled);
      left.push(existsSync(at("w")), existsSync(gitDir ?? ""));
    }
    expect(left).toEqual([false, false, false, false, false, false]);
  });

  test("[A31] refuses a worktree that the user has locked, with their reason, and the user's checkout", async () => {
    const place = need(await port.addWorktree(repo, at("w"), root));
    writeFileSync(join(place.gitDir ?? "", "locked"), "usb stick\n");
    const users = { kind: "worktree", path: temp.folder, root, gitDir: join(repo.commonDir, "worktrees/w") } as const;
    const outcomes = await Promise.allSettled([port.removeWorkPlace(repo, place), port.removeWorkPlace(repo, users)]);
    expect([
      outcomes.map((one) => one.status),
      String((outcomes[0] as PromiseRejectedResult).reason),
      existsSync(place.path),
    ]).toEqual([["rejected", "rejected"], expect.stringContaining("usb stick"), true]);
  });
});
