// Walks the files below a root as git would show them: ignore rules respected, `.git` never entered, symlinks never followed.

import { readdir, readFile, lstat } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { errnoOf, isGitName } from "./paths.ts";

export interface WalkEntry {
  /** Relative to the root, `/` separated. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link";
  /** Folders below `from`: its own entries are at 1. */
  readonly depth: number;
}

/** The rules of one folder's `.gitignore`; `base` ends with `/` or is empty. */
interface RuleLevel {
  readonly base: string;
  readonly rules: Ignore;
}

const maxRuleBytes = 1024 * 1024;

async function readRules(root: string, folder: string): Promise<RuleLevel | null> {
  const file = join(root, folder, ".gitignore");
  try {
    const entry = await lstat(file);
    if (!entry.isFile() || entry.size > maxRuleBytes) return null;
    return { base: folder === "" ? "" : `${folder}/`, rules: ignore().add(await readFile(file, "utf8")) };
  } catch (error) {
    if (errnoOf(error) !== null) return null; // no rules, or none that can be read: nothing is ignored by them
    throw error;
  }
}

/** The deepest folder with a word on it decides, as in git. */
function isIgnored(levels: readonly RuleLevel[], path: string, isFolder: boolean): boolean {
  for (const { base, rules } of levels.toReversed()) {
    const verdict = rules.test(path.slice(base.length) + (isFolder ? "/" : ""));
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

/** Rules that hold inside `folder`; `null` when the folder itself is ignored. */
async function rulesInside(root: string, folder: string): Promise<readonly RuleLevel[] | null> {
  const names = folder === "." ? [] : folder.split("/");
  const levels: RuleLevel[] = [];
  for (let depth = 0; depth <= names.length; depth += 1) {
    const path = names.slice(0, depth).join("/");
    if (depth > 0 && isIgnored(levels, path, true)) return null;
    const own = await readRules(root, path);
    if (own !== null) levels.push(own);
  }
  return levels;
}

async function listFolder(
  root: string,
  folder: string,
): Promise<readonly { readonly name: string; readonly kind: WalkEntry["kind"] }[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: unknown) => {
    if (errnoOf(error) !== null) return []; // gone or closed to us since its parent was listed
    throw error;
  });
  return entries
    .filter((entry) => !isGitName(entry.name))
    .flatMap((entry) => {
      const kind = entry.isDirectory() ? "folder" : entry.isSymbolicLink() ? "link" : entry.isFile() ? "file" : null;
      return kind === null ? [] : [{ name: entry.name, kind } as const];
    })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

async function* walkFolder(
  root: string,
  folder: string,
  levels: readonly RuleLevel[] | null,
  depth: number,
  maxDepth: number,
): AsyncGenerator<WalkEntry> {
  for (const { name, kind } of await listFolder(root, folder)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (levels !== null && isIgnored(levels, path, kind === "folder")) continue;
    yield { path, kind, depth };
    if (kind !== "folder" || depth >= maxDepth) continue;
    const own = levels === null ? null : await readRules(root, path);
    yield* walkFolder(root, path, own === null ? levels : [...(levels ?? []), own], depth + 1, maxDepth);
  }
}

/**
 * Entries below `from` (relative to `root`, `.` = the root), depth first, names in code-unit order, folders before what is in them.
 * A folder that is itself ignored was asked for by name, so everything below it is shown: `isIgnoredFolder` says so.
 */
export async function walkTree(
  root: string,
  from: string,
  maxDepth = Number.POSITIVE_INFINITY,
): Promise<{ readonly isIgnoredFolder: boolean; readonly entries: AsyncGenerator<WalkEntry> }> {
  const levels = await rulesInside(root, from);
  return { isIgnoredFolder: levels === null, entries: walkFolder(root, from === "." ? "" : from, levels, 1, maxDepth) };
}
