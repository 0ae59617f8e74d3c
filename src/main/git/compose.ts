// Builds the tree that is the base with just the selected hunks applied, byte for byte. Ranges of lines are taken from the two
// blobs; no patch text is applied, so line ends, encodings and a missing newline at the end come through as they are.

import type { Oid } from "../../shared/contract/ids.ts";
import type { Hunk, HunkSelection, RepositoryFacts } from "../domain/events.ts";
import { type DetailedChange, detailedChanges, type Side } from "./changeset.ts";
import { GitError } from "./git.ts";
import { requireOid } from "./names.ts";
import { gitObjects, readBlob, treeOf, writeBlob } from "./objects.ts";
import { lineRanges } from "./patch.ts";
import { withTemporaryIndex } from "./scratch.ts";

interface Picked {
  readonly change: DetailedChange;
  readonly hunks: readonly Hunk[];
}

/**
 * `selection` names hunks as `changesBetween(base, commit)` numbers them; a file's rename or mode goes with any hunk of it.
 * Throws `GIT_REFUSED` for a path or number that the change does not have, and for files that cannot stand beside what was left out.
 */
export async function composeTree(
  dataFolder: string,
  repo: RepositoryFacts,
  base: Oid,
  commit: Oid,
  selection: HunkSelection,
): Promise<Oid> {
  if (selection === "all") return treeOf(repo, commit);
  const changes = await detailedChanges(repo, base, commit);
  const picked = pick(changes, selection);
  requireRoom(changes, picked);
  const removals: Buffer[] = [];
  const additions: Buffer[] = [];
  for (const { change, hunks } of picked) {
    const { old, next } = change;
    if (old !== null && (next === null || !old.path.equals(next.path)))
      removals.push(entry("0", "0".repeat(base.length), old.path));
    if (next !== null) additions.push(entry(next.mode, await composeBlob(repo, change, hunks), next.path));
  }
  return withTemporaryIndex(dataFolder, async (indexFile) => {
    await gitObjects(repo, { args: ["read-tree", requireOid(base)], indexFile });
    const input = Buffer.concat([...removals, ...additions]);
    await gitObjects(repo, { args: ["update-index", "-z", "--index-info"], indexFile, input });
    const { stdout } = await gitObjects(repo, { args: ["write-tree"], indexFile });
    return requireOid(stdout.toString("utf8").trim());
  });
}

/** `base` with the ranges of `hunks` replaced by theirs in `next`. Hunks do not overlap; their order does not matter. */
export function spliceLines(base: Buffer, next: Buffer, hunks: readonly Hunk[]): Buffer {
  const oldEnds = lineEnds(base);
  const newEnds = lineEnds(next);
  const parts: Buffer[] = [];
  let at = 0;
  for (const hunk of hunks.toSorted((a, b) => a.oldStart - b.oldStart)) {
    const [from, to] = byteRange(oldEnds, hunk.oldStart, hunk.oldLines);
    parts.push(base.subarray(at, from), next.subarray(...byteRange(newEnds, hunk.newStart, hunk.newLines)));
    at = to;
  }
  return Buffer.concat([...parts, base.subarray(at)]);
}

function pick(changes: readonly DetailedChange[], selection: Exclude<HunkSelection, "all">): Picked[] {
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
    return hunks.length === 0 ? [] : [{ change, hunks }];
  });
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

async function composeBlob(repo: RepositoryFacts, change: DetailedChange, hunks: readonly Hunk[]): Promise<Oid> {
  const { old, next, shown } = change;
  if (next === null) throw new GitError("GIT_REFUSED", `${shown.path} is deleted by the change set.`);
  if (old === null || !change.isByLine || hunks.length === shown.hunks.length) return next.blob;
  return writeBlob(repo, spliceLines(await readBlob(repo, old.blob), await readBlob(repo, next.blob), hunks));
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

function entry(mode: string, blob: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mode} ${blob}\t`), path, Buffer.of(0)]);
}
