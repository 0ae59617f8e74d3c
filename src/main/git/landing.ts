// Merges in memory what is to land. Neither an index nor a work tree takes part, so there is nothing to abort or to clean up.

import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { MergeOutcome } from "../engine/ports/git.ts";
import { GitError, longTimeoutMs } from "./git.ts";
import { keyOf, requireOid, showPath, splitNul } from "./names.ts";
import { commitTree, gitObjects, treeOf } from "./objects.ts";

/** One version of a file in conflict; `mode` is six octal digits. */
export interface StageEntry {
  readonly mode: string;
  readonly blob: Oid;
}

/** A path in conflict and the versions that git has of it there; `null` where a side has no such file. */
export interface MergeStages {
  readonly path: Buffer;
  readonly base: StageEntry | null;
  readonly target: StageEntry | null;
  readonly proposed: StageEntry | null;
}

export type StagedMerge =
  | { readonly kind: "clean"; readonly tree: Oid }
  /**
   * `tree` holds what merged, and at each of `conflicts` what git makes of it. `folders`: what is in conflict and no one file's:
   * a folder that was renamed in two directions, or a file where the other side has a folder or a link, which git puts beside it
   * under a name of its own.
   */
  | {
      readonly kind: "conflict";
      readonly tree: Oid;
      readonly conflicts: readonly MergeStages[];
      readonly folders: readonly Buffer[];
    };

/**
 * Three-way merge of the tree of `target` and of `tree`. Both are put on synthetic commits whose only parent is `base`, so that
 * the recorded base is the merge base whatever the history says, and what was dropped since does not come back.
 */
export async function mergeTrees(repo: RepositoryFacts, base: Oid, target: Oid, tree: Oid): Promise<MergeOutcome> {
  const merged = await mergeStages(repo, base, target, tree);
  return merged.kind === "clean" ? merged : { kind: "conflict", paths: conflictPaths(merged) };
}

/** The paths in conflict, sorted; never none. */
export function conflictPaths({ conflicts, folders }: Extract<StagedMerge, { kind: "conflict" }>): readonly string[] {
  return [...conflicts.map(({ path }) => path), ...folders].map(showPath).toSorted();
}

/** The same, with what stands on each side of a conflict. `env` may name another folder for what is written on the way. */
export async function mergeStages(
  repo: RepositoryFacts,
  base: Oid,
  target: Oid,
  tree: Oid,
  env: Readonly<Record<string, string>> = {},
): Promise<StagedMerge> {
  const synthesize = (side: Oid) => commitTree(repo, { tree: side, parent: base, message: "merge input", at: 0 }, env);
  const ours = await synthesize(await treeOf(repo, target, env));
  const theirs = await synthesize(requireOid(tree));
  const args = ["merge-tree", "--write-tree", "-z", ours, theirs];
  const { exitCode, stdout } = await gitObjects(repo, { args, answers: [0, 1], timeoutMs: longTimeoutMs, env });
  const [merged, ...told] = splitNul(stdout);
  if (merged === undefined) throw new GitError("GIT_FAILED", "git merge-tree answered with nothing.", args);
  const oid = requireOid(merged.toString("utf8"));
  if (exitCode === 0) return { kind: "clean", tree: oid };
  // What it says of the merge comes after an empty field.
  const end = told.findIndex((field) => field.length === 0);
  const [entries, messages] = end === -1 ? [told, []] : [told.slice(0, end), told.slice(end + 1)];
  const staged = stagesOf(entries);
  const folders = ofNoFile(messages, new Set(staged.map(({ path }) => keyOf(path))));
  // One that git gives no word for is somewhere all the same.
  if (staged.length === 0 && folders.size === 0) folders.set(".", Buffer.from("."));
  const conflicts = staged.filter(({ path }) => !folders.has(keyOf(path)));
  return { kind: "conflict", tree: oid, conflicts, folders: [...folders.values()] };
}

/** Kinds of conflict, in git's words, whose file git has put under a name that neither side knows. */
const putAside = new Set(["CONFLICT (file/directory)", "CONFLICT (distinct modes)"]);

/**
 * What is in conflict and cannot be chosen file by file, among git's messages, each of which is: how many paths, the paths, its
 * kind, its text. `staged`: keys of the paths that git has versions of.
 */
function ofNoFile(fields: readonly Buffer[], staged: ReadonlySet<string>): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < fields.length;) {
    const count = Number(fields[at]?.toString("latin1"));
    if (!Number.isInteger(count)) break;
    const paths = fields.slice(at + 1, at + 1 + count);
    const kind = fields[at + 1 + count]?.toString("latin1") ?? "";
    const isAnyStaged = paths.some((path) => staged.has(keyOf(path)));
    if (kind.startsWith("CONFLICT") && (!isAnyStaged || putAside.has(kind)))
      for (const path of paths) found.set(keyOf(path), path);
    at += count + 3;
  }
  return found;
}

const stageNames = ["base", "target", "proposed"] as const;

/** `<mode> <blob> <stage>` TAB path, one for each version. */
function stagesOf(entries: readonly Buffer[]): readonly MergeStages[] {
  const stages = new Map<string, MergeStages>();
  for (const entry of entries) {
    const tab = entry.indexOf(0x09);
    if (tab === -1) continue;
    const [mode = "", blob = "", stage = ""] = entry.toString("latin1", 0, tab).split(" ");
    const path = entry.subarray(tab + 1);
    const key = keyOf(path);
    const name = stageNames[Number(stage) - 1];
    if (name === undefined) throw new GitError("GIT_FAILED", `git merge-tree named a stage ${stage}.`);
    const before = stages.get(key) ?? { path, base: null, target: null, proposed: null };
    stages.set(key, { ...before, [name]: { mode, blob: requireOid(blob) } });
  }
  return [...stages.values()];
}

/**
 * The tree that takes the landing `parent` → `landed` back on top of `tip`. The landing is the base and its parent one of the two
 * sides, so what came after it stays, and what has changed since at the same lines is a conflict.
 */
export async function revertTree(
  repo: RepositoryFacts,
  undo: { readonly landed: Oid; readonly parent: Oid; readonly tip: Oid },
): Promise<MergeOutcome> {
  return mergeTrees(repo, undo.landed, undo.tip, await treeOf(repo, undo.parent));
}
