// Where a change and a branch changed the same lines of a file otherwise: both sides and what they come from. Reads objects only.

import type { RepositoryFacts } from "../domain/records.ts";
import type { FileConflict, LineConflict, MergeSides } from "../engine/ports/git.ts";
import { type MergeStages, mergeStages, type StageEntry } from "./landing.ts";
import { mergeByLines, type Piece, type Sides } from "./mergeFile.ts";
import { showPath } from "./names.ts";
import { readBlob } from "./objects.ts";

const plainFile = /^100/;
/** Larger files are not merged line by line. */
const maxBytes = 8 * 1024 * 1024;
/** Merged lines shown before and after a place. */
const contextLines = 3;

/** The places at which the file `path` is in conflict; `none` where it is not. `whole` where it is not a text file on both sides. */
export async function conflictsIn(
  dataFolder: string,
  repo: RepositoryFacts,
  { base, target, tree }: MergeSides,
  path: string,
): Promise<FileConflict> {
  const merged = await mergeStages(repo, base, target, tree);
  const stages = merged.kind === "clean" ? undefined : merged.conflicts.find((one) => showPath(one.path) === path);
  if (stages === undefined) return { kind: "none", target: null, proposed: null, regions: [] };
  const blobs = { target: stages.target?.blob ?? null, proposed: stages.proposed?.blob ?? null };
  const pieces = await piecesIn(dataFolder, repo, stages);
  return pieces === null
    ? { kind: "whole", ...blobs, regions: [] }
    : { kind: "lines", ...blobs, regions: regionsOf(pieces) };
}

/** A file in conflict in pieces; `null` where it can only be told as a whole: gone on one side, no text, or too large. */
export async function piecesIn(
  dataFolder: string,
  repo: RepositoryFacts,
  stages: MergeStages,
): Promise<readonly Piece[] | null> {
  const sides = await textSides(repo, stages);
  const pieces = sides === null ? null : await mergeByLines(dataFolder, repo, sides);
  // Both sides may have the same lines, and differ in their modes.
  return pieces?.some(({ kind }) => kind === "conflict") === true ? pieces : null;
}

async function textSides(repo: RepositoryFacts, { base, target, proposed }: MergeStages): Promise<Sides | null> {
  if (target === null || proposed === null) return null;
  // Added on both sides: each is a change to nothing.
  const [old, one, other] = await Promise.all([
    base === null ? Buffer.of() : textOf(repo, base),
    textOf(repo, target),
    textOf(repo, proposed),
  ]);
  return old === null || one === null || other === null ? null : { base: old, target: one, proposed: other };
}

async function textOf(repo: RepositoryFacts, { mode, blob }: StageEntry): Promise<Buffer | null> {
  if (!plainFile.test(mode)) return null;
  const bytes = await readBlob(repo, blob, maxBytes + 1);
  return bytes.length > maxBytes || bytes.subarray(0, 8_000).includes(0) ? null : bytes;
}

function regionsOf(pieces: readonly Piece[]): readonly LineConflict[] {
  const regions: LineConflict[] = [];
  let line = 1;
  pieces.forEach((piece, index) => {
    if (piece.kind === "conflict") {
      regions.push({
        line,
        before: mergedLines(pieces[index - 1]).slice(-contextLines),
        base: linesOf(piece.base),
        target: linesOf(piece.target),
        proposed: linesOf(piece.proposed),
        after: mergedLines(pieces[index + 1]).slice(0, contextLines),
        endsWithLine: [piece.target, piece.proposed].every((side) => side.length === 0 || side.at(-1) === 0x0a),
      });
    }
    line += linesOf(piece.kind === "merged" ? piece.bytes : piece.target).length;
  });
  return regions;
}

function mergedLines(piece: Piece | undefined): readonly string[] {
  return piece?.kind === "merged" ? linesOf(piece.bytes) : [];
}

function linesOf(bytes: Buffer): readonly string[] {
  const lines = bytes.toString("utf8").split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
