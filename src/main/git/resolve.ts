// Merges what is to land as a person chose it: what merges by itself as git does, and at each place in conflict the side, or the text,
// that was picked there. A choice holds for the two files that it was made between; anything else is told, and nothing is guessed.

import type { ConflictPick, FileResolution } from "../../shared/contract/resolutions.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { MergeSides, ResolvedMerge } from "../engine/ports/git.ts";
import { joinLines } from "./amend.ts";
import { piecesIn } from "./conflicts.ts";
import { type MergeStages, mergeStages } from "./landing.ts";
import type { Piece } from "./mergeFile.ts";
import { showPath } from "./names.ts";
import { writeBlob } from "./objects.ts";
import { type TreeEntry, treeWith } from "./treeWith.ts";

/** `clean` when every conflict is resolved and every resolution fits. `outdated`: those that do not, among the paths. */
export async function mergeResolved(
  dataFolder: string,
  repo: RepositoryFacts,
  { base, target, tree }: MergeSides,
  resolutions: readonly FileResolution[],
): Promise<ResolvedMerge> {
  const merged = await mergeStages(repo, base, target, tree);
  const conflicts = merged.kind === "clean" ? [] : merged.conflicts;
  const byPath = new Map(conflicts.map((stages) => [showPath(stages.path), stages]));
  const entries: TreeEntry[] = [];
  const outdated: string[] = [];
  for (const resolution of resolutions) {
    const stages = byPath.get(resolution.path);
    const entry = stages === undefined ? null : await entryOf(dataFolder, repo, stages, resolution);
    if (entry === null) outdated.push(resolution.path);
    else {
      entries.push(entry);
      byPath.delete(resolution.path);
    }
  }
  // In what is no one file's nobody can choose.
  const ofNoFile = merged.kind === "conflict" ? merged.folders.map(showPath) : [];
  const paths = [...new Set([...byPath.keys(), ...outdated, ...ofNoFile])].toSorted();
  if (paths.length > 0) return { kind: "conflict", paths, outdated };
  return {
    kind: "clean",
    tree: entries.length === 0 ? merged.tree : await treeWith(dataFolder, repo, merged.tree, entries),
  };
}

/** The file as it is to land; `null` where the choice was made between other files. */
async function entryOf(
  dataFolder: string,
  repo: RepositoryFacts,
  stages: MergeStages,
  { target, proposed, picks }: FileResolution,
): Promise<TreeEntry | null> {
  const { path } = stages;
  if (target !== (stages.target?.blob ?? null) || proposed !== (stages.proposed?.blob ?? null)) return null;
  const pieces = await piecesIn(dataFolder, repo, stages);
  if (pieces === null) {
    const [pick, ...more] = picks;
    if ((pick !== "target" && pick !== "proposed") || more.length > 0) return null;
    return { path, side: stages[pick] };
  }
  const bytes = resolvedBytes(pieces, picks);
  return bytes === null ? null : { path, side: { mode: modeOf(stages), blob: await writeBlob(repo, bytes) } };
}

/** The file with `picks` at its places, in order; `null` when these are more or fewer. */
export function resolvedBytes(pieces: readonly Piece[], picks: readonly ConflictPick[]): Buffer | null {
  const places = pieces.filter(({ kind }) => kind === "conflict").length;
  if (places !== picks.length) return null;
  let at = 0;
  return joinLines(
    pieces.flatMap((piece) => {
      if (piece.kind === "merged") return [piece.bytes];
      const pick = picks[at++] ?? "target";
      if (typeof pick !== "string") return [Buffer.from(pick.text, "utf8")];
      return pick === "both" ? [piece.target, piece.proposed] : [piece[pick]];
    }),
  );
}

/** The mode of the side that changed it. */
export function modeOf({ base, target, proposed }: MergeStages): string {
  const theirs = proposed?.mode ?? "100644";
  return target === null || target.mode === base?.mode ? theirs : target.mode;
}
