// Which gits are alive that may be at work in a repository, as Linux tells it in /proc. Errs on the side of "may be".

import { readdir, readFile, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { RepositoryFacts } from "../domain/records.ts";
import { findNames, findText, isWithin } from "./files.ts";
import { markVariable } from "./git.ts";

export interface LivingGit {
  readonly pid: number;
  /** The mark that a process of ours gave it; `null` for anybody else's. */
  readonly mark: string | null;
}

/** `null` where processes cannot be looked at. */
export async function livingGits(repo: RepositoryFacts): Promise<readonly LivingGit[] | null> {
  const names = await readdir("/proc").catch(() => null);
  const pids = names?.filter((name) => /^\d+$/.test(name)) ?? [];
  if (pids.length === 0) return null;
  const places = await placesOf(repo);
  const found = await Promise.all(pids.map((pid) => lookAt(pid, places)));
  return found.filter((git) => git !== null);
}

async function lookAt(pid: string, places: readonly string[]): Promise<LivingGit | null> {
  const words = await fields(`/proc/${pid}/cmdline`);
  if (!/^git(-.*)?$/.test(basename(words?.[0] ?? ""))) return null;
  const environment = (await fields(`/proc/${pid}/environ`)) ?? [];
  const marked = environment.find((entry) => entry.startsWith(`${markVariable}=`));
  const git = { pid: Number(pid), mark: marked?.slice(markVariable.length + 1) ?? null };
  const named = environment.find((entry) => entry.startsWith("GIT_DIR="))?.slice("GIT_DIR=".length);
  // Once it works, git stands at the top of its checkout or in its git dir. Where that cannot be read it may be here.
  const at = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  const mayBeNamed = words?.some((word) => /^--(git-dir|work-tree)/.test(word)) === true;
  const isHere = [at, named].some(
    (path) => path !== null && path !== undefined && places.some((one) => isWithin(one, path)),
  );
  return isHere || mayBeNamed || at === null || named?.startsWith("/") === false ? git : null;
}

/** The folders that a git of this repository can stand in. */
async function placesOf(repo: RepositoryFacts): Promise<readonly string[]> {
  const parent = join(repo.commonDir, "worktrees");
  const links = await Promise.all(
    ((await findNames(parent)) ?? []).map((name) => findText(join(parent, name, "gitdir"))),
  );
  return [repo.topLevel, repo.commonDir, ...links.flatMap((link) => (link ? [dirname(link.trimEnd())] : []))];
}

/** `null` for a process that has ended, or whose texts are not ours to read. */
async function fields(file: string): Promise<readonly string[] | null> {
  const text = await readFile(file, "utf8").catch(() => null);
  return text?.split("\0").filter((part) => part !== "") ?? null;
}
