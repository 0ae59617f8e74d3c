// Brings another commit into a worktree of an agent's: its change is merged onto that, and where both changed the same lines
// both stand in the file, marked, for the agent to resolve. Never in a checkout of the user's.

import { join } from "node:path";
import type { Oid } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { Rebased, RebasePlan, WorkPlace } from "../engine/ports/git.ts";
import { piecesIn } from "./conflicts.ts";
import { git, longTimeoutMs } from "./git.ts";
import { conflictPaths, mergeStages } from "./landing.ts";
import type { Piece } from "./mergeFile.ts";
import { requireOid } from "./names.ts";
import { treeOf, writeBlob } from "./objects.ts";
import { modeOf } from "./resolve.ts";
import { copyIndex, keepIndex, keptIndexOf, seedIndex, withTemporaryIndex } from "./scratch.ts";
import { type TreeEntry, treeWith } from "./treeWith.ts";
import { answerFailure, moveHead, requireWorktree, wholeTree } from "./worktrees.ts";

/** Tracked files as merged, ignored ones kept, HEAD at the plan's root. The same again after it was cut is the same. Code `WORKTREE_FAILED`. Call under the lock of the common dir. */
export async function rebaseWorktree(
  dataFolder: string,
  repo: RepositoryFacts,
  place: WorkPlace,
  plan: RebasePlan,
): Promise<Result<Rebased>> {
  return answerFailure(place.path, async () => {
    const gitDir = requireWorktree(repo, place);
    const { tree, conflicts } = await mergeMarked(dataFolder, repo, plan);
    await withTemporaryIndex(dataFolder, async (indexFile) => {
      const on = { gitDir: repo.commonDir, workTree: place.path, indexFile, timeoutMs: longTimeoutMs };
      const readTree = (...args: readonly string[]) =>
        git({ ...on, args: [...wholeTree, "read-tree", "--reset", ...args] });
      await seedIndex(keptIndexOf(dataFolder, place.path), indexFile);
      // What the agent added has to go where the merge moved it, so the starting point is what stands there.
      await readTree(requireOid(plan.commit));
      await git({ ...on, args: [...wholeTree, "update-index", "-q", "--refresh"], answers: [0, 1] });
      await readTree("-u", "--no-recurse-submodules", tree);
      await keepIndex(dataFolder, place.path, indexFile);
      // To the agent's own git the merged files are a change to the new root.
      await readTree(requireOid(plan.root));
      await moveHead(repo, gitDir, plan.root);
      await copyIndex(indexFile, join(gitDir, "index"));
    });
    return { place: { ...place, root: plan.root }, conflicts };
  });
}

async function mergeMarked(
  dataFolder: string,
  repo: RepositoryFacts,
  { base, commit, root, name }: RebasePlan,
): Promise<{ readonly tree: Oid; readonly conflicts: readonly string[] }> {
  const merged = await mergeStages(repo, base, root, await treeOf(repo, commit));
  if (merged.kind === "clean") return { tree: merged.tree, conflicts: [] };
  const entries: TreeEntry[] = [];
  for (const stages of merged.conflicts) {
    const pieces = await piecesIn(dataFolder, repo, stages);
    // What cannot be told by lines stays as git left it.
    if (pieces === null) continue;
    const blob = await writeBlob(repo, markedBytes(pieces, name));
    entries.push({ path: stages.path, side: { mode: modeOf(stages), blob } });
  }
  const tree = entries.length === 0 ? merged.tree : await treeWith(dataFolder, repo, merged.tree, entries);
  return { tree, conflicts: conflictPaths(merged) };
}

/** The file with both sides, and what they come from, at each place in conflict. `name`: what the target is called. */
export function markedBytes(pieces: readonly Piece[], name: string): Buffer {
  const lineEnd = pieces.some((piece) => piece.kind === "conflict" && piece.target.includes("\r\n")) ? "\r\n" : "\n";
  const mark = (text: string) => Buffer.from(`${text}${lineEnd}`, "utf8");
  const whole = (side: Buffer) =>
    side.length === 0 || side.at(-1) === 0x0a ? [side] : [side, Buffer.from(lineEnd, "utf8")];
  return Buffer.concat(
    pieces.flatMap((piece) =>
      piece.kind === "merged"
        ? [piece.bytes]
        : [
            mark(`<<<<<<< ${name}`),
            ...whole(piece.target),
            mark("||||||| what both began with"),
            ...whole(piece.base),
            mark("======="),
            ...whole(piece.proposed),
            mark(">>>>>>> your change"),
          ],
    ),
  );
}
