// Reads what a checkout holds, path by path: its index, and its files as git would store them. Of the user's it changes nothing.

import { lstat } from "node:fs/promises";
import type { Oid } from "../../shared/contract/ids.ts";
import type { PathChange, Side } from "./changeset.ts";
import { isMissing } from "./files.ts";
import { git, longTimeoutMs } from "./git.ts";
import { keyOf, placeOf, requireOid, splitNul } from "./names.ts";
import type { Checkout } from "./repository.ts";
import { withTemporaryIndex } from "./scratch.ts";
import { findUntouched } from "./snapshot.ts";
import { indexEntries } from "./treeWith.ts";

/** A checkout with the index that is in use there. */
export interface IndexedCheckout extends Checkout {
  readonly indexFile: string;
}

/** One entry of an index; `stage` is not 0 where a merge left it open, `isLeftOut` where the file is absent on purpose (sparse). */
export interface IndexEntry {
  readonly mode: string;
  readonly blob: Oid;
  readonly stage: number;
  readonly isLeftOut: boolean;
}

/** Entries by path (latin1, one key for every byte sequence). */
export type IndexEntries = ReadonlyMap<string, IndexEntry>;

/** Which side of a change something equals: `both` where the two sides look the same from there, `neither` for a third state. */
export type SideState = "old" | "next" | "both" | "neither";

export interface PathState extends PathChange {
  readonly inIndex: SideState;
  readonly onDisk: SideState;
}

/** The whole index. Of a path that is open in a merge the last stage counts. */
export async function readIndex(on: IndexedCheckout): Promise<IndexEntries> {
  const { stdout } = await git({ ...on, args: ["ls-files", "--stage", "-t", "-z"], timeoutMs: longTimeoutMs });
  const entries = new Map<string, IndexEntry>();
  for (const field of splitNul(stdout)) {
    const tab = field.indexOf(0x09);
    const [tag, mode = "", blob = "", stage] = field.toString("latin1", 0, tab).split(" ");
    const entry = { mode, blob: requireOid(blob), stage: Number(stage), isLeftOut: tag === "S" };
    entries.set(field.toString("latin1", tab + 1), entry);
  }
  return entries;
}

/** For each change, what the index and the files hold of it. Files are compared as git would store them, never by their times. */
export async function readStates(
  dataFolder: string,
  on: IndexedCheckout,
  changes: readonly PathChange[],
): Promise<PathState[]> {
  const entries = await readIndex(on);
  const own = new Set(changes.map(({ path }) => keyOf(path)));
  const differ = {
    old: await findDiffering(dataFolder, on, sidesOf(changes, "old")),
    next: await findDiffering(dataFolder, on, sidesOf(changes, "next")),
  };
  return Promise.all(
    changes.map(async (change) => {
      const key = keyOf(change.path);
      const entry = entries.get(key);
      const isAbsent = await isPathFree(on.workTree, change.path, own);
      const isLeftOut = isAbsent && entry?.isLeftOut === true;
      const holds = (side: "old" | "next") => isLeftOut || (change[side] === null ? isAbsent : !differ[side].has(key));
      const isEntry = (side: Side | null) =>
        side === null
          ? entry === undefined
          : entry?.stage === 0 && entry.mode === side.mode && entry.blob === side.blob;
      return {
        ...change,
        inIndex: sideState(isEntry(change.old), isEntry(change.next)),
        onDisk: sideState(holds("old"), holds("next")),
      };
    }),
  );
}

function sideState(isOld: boolean, isNext: boolean): SideState {
  if (isOld && isNext) return "both";
  if (isOld) return "old";
  return isNext ? "next" : "neither";
}

function sidesOf(changes: readonly PathChange[], side: "old" | "next"): Side[] {
  return changes.flatMap((change) => change[side] ?? []);
}

/** Keys of the sides whose file on disk is another, or is missing. */
async function findDiffering(
  dataFolder: string,
  on: IndexedCheckout,
  sides: readonly Side[],
): Promise<ReadonlySet<string>> {
  const [first] = sides;
  if (first === undefined) return new Set();
  return withTemporaryIndex(dataFolder, async (indexFile) => {
    const aside = { ...on, indexFile, timeoutMs: longTimeoutMs };
    const entries = sides.map((side) => ({ path: side.path, side }));
    await git({ ...aside, ...indexEntries(entries, first.blob) });
    await git({ ...aside, args: ["update-index", "-q", "--refresh"], answers: [0, 1] });
    const args = ["diff-files", "--name-only", "-z", "--ignore-submodules=all"];
    const differing = splitNul((await git({ ...aside, args })).stdout);
    const untouched = await findUntouched(aside, differing);
    return new Set(differing.filter((path) => !untouched.has(path)).map(keyOf));
  });
}

/**
 * Whether no file stands at `path`. A folder there is none. Behind a file or link in the way there is no place, which counts as
 * free only where that file is itself among the changes (`own`): otherwise somebody put it there.
 */
async function isPathFree(workTree: string, path: Buffer, own: ReadonlySet<string>): Promise<boolean> {
  try {
    for (let end = path.indexOf(0x2f); end !== -1; end = path.indexOf(0x2f, end + 1)) {
      const folder = path.subarray(0, end);
      if (!(await lstat(placeOf(workTree, folder))).isDirectory()) return own.has(keyOf(folder));
    }
    return (await lstat(placeOf(workTree, path))).isDirectory();
  } catch (error) {
    if (isMissing(error)) return true;
    throw error;
  }
}
