// Builds the tree that is the base with just the selected hunks applied, as amended, byte for byte. Ranges of lines are taken from the two
// blobs; no patch text is applied, so line ends, encodings and a missing newline at the end come through as they are.

import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { Hunk, HunkSelection, RepositoryFacts } from "../domain/records.ts";
import { amendHunk, joinLines } from "./amend.ts";
import { type DetailedChange, detailedChanges, type Side } from "./changeset.ts";
import { GitError } from "./git.ts";
import { readBlob, treeOf, writeBlob } from "./objects.ts";
import { lineRanges } from "./patch.ts";
import { type TreeEntry, treeWith } from "./treeWith.ts";

interface Picked {
  readonly change: DetailedChange;
  readonly hunks: readonly Hunk[];
  readonly amendments: ReadonlyMap<number, HunkAmendment>;
}

/** How a picked hunk stands in the file: `null` as it was proposed. */
type LinesOfHunk = (hunk: Hunk, old: Buffer, next: Buffer) => Buffer | null;

/**
 * `selection` names hunks as `changesBetween(base, commit)` numbers them; a file's rename or mode goes with any hunk of it.
 * Throws `GIT_REFUSED` for a path or number that the change does not have, for files that cannot stand beside what was left out,
 * and for an amendment of what has no lines or was not selected.
 */
export async function composeTree(
  dataFolder: string,
  repo: RepositoryFacts,
  base: Oid,
  commit: Oid,
  selection: HunkSelection,
  amendments: readonly HunkAmendment[] = [],
): Promise<Oid> {
  if (selection === "all" && amendments.length === 0) return treeOf(repo, commit);
  const changes = await detailedChanges(repo, base, commit);
  const picked = pick(changes, selection === "all" ? everything(changes) : selection, amendments);
  requireRoom(changes, picked);
  const entries: TreeEntry[] = [];
  for (const one of picked) {
    const { old, next } = one.change;
    if (old !== null && (next === null || !old.path.equals(next.path))) entries.push({ path: old.path, side: null });
    if (next !== null) entries.push({ path: next.path, side: { mode: next.mode, blob: await composeBlob(repo, one) } });
  }
  return treeWith(dataFolder, repo, base, entries);
}

/** `base` with the ranges of `hunks` replaced by theirs in `next`, or by what `linesOf` gives. Hunks do not overlap; their order does not matter. */
export function spliceLines(base: Buffer, next: Buffer, hunks: readonly Hunk[], linesOf: LinesOfHunk): Buffer {
  const oldEnds = lineEnds(base);
  const newEnds = lineEnds(next);
  const parts: Buffer[] = [];
  let at = 0;
  for (const hunk of hunks.toSorted((a, b) => a.oldStart - b.oldStart)) {
    const [from, to] = byteRange(oldEnds, hunk.oldStart, hunk.oldLines);
    const lines = next.subarray(...byteRange(newEnds, hunk.newStart, hunk.newLines));
    parts.push(base.subarray(at, from), linesOf(hunk, base.subarray(from, to), lines) ?? lines);
    at = to;
  }
  return joinLines([...parts, base.subarray(at)]);
}

function everything(changes: readonly DetailedChange[]): Exclude<HunkSelection, "all"> {
  return Object.fromEntries(changes.map(({ shown }) => [shown.path, shown.hunks.map(({ number }) => number)]));
}

function pick(
  changes: readonly DetailedChange[],
  selection: Exclude<HunkSelection, "all">,
  amendments: readonly HunkAmendment[],
): Picked[] {
  requireLines(changes, selection, amendments);
  const byPath = new Map(changes.map((change) => [change.shown.path, change]));
  return Object.entries(selection).flatMap(([path, numbers]) => {
    const change = byPath.get(path);
    if (change === undefined) throw new GitError("GIT_REFUSED", `The change set does not touch ${path}.`);
    const wanted = new Set(numbers);
    const hunks = change.shown.hunks.filter((hunk) => wanted.has(hunk.number));
    if (hunks.length !== wanted.size)
      throw new GitError(
        "GIT_REFUSED",
        `${path} has hunks 1 to ${change.shown.hunks.length}; asked for ${numbers.join(", ")}.`,
      );
    const own = new Map(amendments.filter((one) => one.path === path).map((one) => [one.hunk, one]));
    return hunks.length === 0 ? [] : [{ change, hunks, amendments: own }];
  });
}

function requireLines(
  changes: readonly DetailedChange[],
  selection: Exclude<HunkSelection, "all">,
  amendments: readonly HunkAmendment[],
): void {
  for (const { path, hunk } of amendments) {
    const change = changes.find(({ shown }) => shown.path === path);
    if (change?.marks[hunk - 1] === undefined)
      throw new GitError("GIT_REFUSED", `${path} has no hunk ${hunk} of whose lines some could be left out or edited.`);
    if (selection[path]?.includes(hunk) !== true)
      throw new GitError("GIT_REFUSED", `Hunk ${hunk} of ${path} is amended, but not accepted.`);
  }
}

/** A file and a folder of one name cannot both be: git would drop, unasked, the one whose removal was not accepted. */
function requireRoom(changes: readonly DetailedChange[], picked: readonly Picked[]): void {
  const accepted = new Set(picked.map(({ change }) => change));
  const added = picked.map(({ change }) => change.next).filter((side) => side !== null);
  const kept = changes.filter(
    (change) => !accepted.has(change) && change.old !== null && !change.next?.path.equals(change.old.path),
  );
  for (const { old, shown } of kept) {
    const blocked = old === null ? undefined : added.find((side) => stands(side, old) || stands(old, side));
    if (blocked !== undefined) {
      throw new GitError(
        "GIT_REFUSED",
        `${blocked.path.toString("utf8")} cannot land while ${old?.path.toString("utf8")} stays. Accept the change of ${shown.path} too.`,
      );
    }
  }
}

/** Whether `file` is where `other` needs a folder. */
function stands(file: Side, other: Side): boolean {
  return other.path.toString("latin1").startsWith(`${file.path.toString("latin1")}/`);
}

async function composeBlob(repo: RepositoryFacts, { change, hunks, amendments }: Picked): Promise<Oid> {
  const { old, next, shown, marks } = change;
  if (next === null) throw new GitError("GIT_REFUSED", `${shown.path} is deleted by the change set.`);
  const isAll = old === null || !change.isByLine || hunks.length === shown.hunks.length;
  if (amendments.size === 0 && isAll) return next.blob;
  const before = old === null ? Buffer.of() : await readBlob(repo, old.blob);
  const lines: LinesOfHunk = (hunk, oldLines, newLines) => {
    const amendment = amendments.get(hunk.number);
    const sides = { old: oldLines, next: newLines };
    return amendment === undefined ? null : amendHunk(hunk, sides, marks[hunk.number - 1] ?? "", amendment);
  };
  return writeBlob(repo, spliceLines(before, await readBlob(repo, next.blob), hunks, lines));
}

/** Offsets at which lines end, newline included, with 0 before the first. */
function lineEnds(bytes: Buffer): number[] {
  const ends = [0];
  for (const { end } of lineRanges(bytes)) ends.push(Math.min(end + 1, bytes.length));
  return ends;
}

/** Lines count from 1; an empty range names the line before it. */
function byteRange(ends: readonly number[], start: number, count: number): [from: number, to: number] {
  const first = count === 0 ? start : start - 1;
  const from = ends[first];
  const to = ends[first + count];
  if (from === undefined || to === undefined)
    throw new RangeError(`Lines ${start},${count} are outside a file of ${ends.length - 1} lines.`);
  return [from, to];
}
