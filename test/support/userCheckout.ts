// A user's checkout in tests: everything that a landing may not change unasked, and commits made beside it.

import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Oid } from "../../src/shared/contract/ids.ts";
import { runGit } from "./tempRepository.ts";

export interface CheckoutLook {
  /** `mode mtime inode content` by path. */
  readonly files: ReadonlyMap<string, string>;
  /** `tag mode blob stage` by path and stage. */
  readonly index: ReadonlyMap<string, string>;
  /** Commits by full ref name. */
  readonly refs: ReadonlyMap<string, string>;
  readonly head: string;
  readonly stashes: string;
  /** What stands in the git dir and beside its branches and worktrees: a lock or an unfinished operation shows here. */
  readonly names: readonly string[];
}

/** Files to inode and time, index entries, refs, stashes, locks. `folder` is a main checkout. */
export function lookAt(folder: string): CheckoutLook {
  const git = (...args: string[]) => runGit(folder, args).toString().trimEnd().split("\n").filter(Boolean);
  const files = new Map<string, string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const place = join(entry.parentPath, entry.name);
    const path = place.slice(folder.length + 1);
    if (entry.isDirectory() || path.startsWith(".git/")) continue;
    const { mode, mtimeNs, ino } = lstatSync(place, { bigint: true });
    const content = entry.isSymbolicLink() ? readlinkSync(place) : readFileSync(place, "utf8");
    files.set(path, `${mode.toString(8)} ${mtimeNs} ${ino} ${content}`);
  }
  const index = git("ls-files", "-s", "-t").map((line) => line.split("\t"));
  const refs = git("for-each-ref", "--format=%(refname) %(objectname)").map((line) => line.split(" "));
  const stashLog = join(folder, ".git/logs/refs/stash");
  const folders = [".git", ".git/refs/heads", ".git/worktrees"].map((name) => join(folder, name)).filter(existsSync);
  return {
    files,
    index: new Map(index.map(([entry = "", path = ""]) => [`${path} ${entry.slice(-1)}`, entry])),
    refs: new Map(refs.map(([ref = "", commit = ""]) => [ref, commit])),
    head: readFileSync(join(folder, ".git/HEAD"), "utf8"),
    stashes: existsSync(stashLog) ? readFileSync(stashLog, "utf8") : "",
    names: folders.flatMap((name) => readdirSync(name)).toSorted(),
  };
}

/** The content of a file in a look; `undefined` where there is none. */
export const contentOf = (file: string | undefined): string | undefined => file?.split(" ").slice(3).join(" ");

/** A commit over `parent` with these files (`null`: gone), through the index file `aside`: nothing of the checkout moves. */
export function commitAside(
  folder: string,
  aside: string,
  parent: string,
  contents: Readonly<Record<string, string | null>>,
): Oid {
  const env = { GIT_INDEX_FILE: aside };
  const run = (args: readonly string[], input = "") => runGit(folder, args, { env, input }).toString().trim();
  run(["read-tree", parent]);
  const entries = Object.entries(contents);
  const removed = entries.filter(([, content]) => content === null).map(([path]) => `0 ${"0".repeat(40)}\t${path}\n`);
  const store = (content: string) => {
    const oid = createHash("sha1")
      .update(`blob ${Buffer.byteLength(content)}\0${content}`)
      .digest("hex");
    // Property tests store the same few contents over and over: a process less each time.
    const isStored = existsSync(join(folder, ".git/objects", oid.slice(0, 2), oid.slice(2)));
    return isStored ? oid : run(["hash-object", "-w", "--stdin"], content);
  };
  const added = entries.flatMap(([path, content]) => (content === null ? [] : [`100644 ${store(content)}\t${path}\n`]));
  run(["update-index", "--replace", "--index-info"], [...removed, ...added].join(""));
  return run(["commit-tree", run(["write-tree"]), "-p", parent, "-m", "agent"]) as Oid;
}
