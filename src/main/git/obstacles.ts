// Looks, before anything moves, at what stands where a landing would write. Git overwrites ignored files without a word, writes
// through a folder that became a link, and brings back a file that somebody deleted: here each of these stops the landing.

import type { BigIntStats } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import type { PathChange } from "./changeset.ts";
import type { IndexEntries } from "./checkoutIndex.ts";
import { isMissing } from "./files.ts";
import { keyOf, placeOf } from "./names.ts";

export interface Obstacle {
  /** `occupied`: something that git does not track stands there; `changed`: a tracked file is gone or is something else now. */
  readonly kind: "occupied" | "changed";
  readonly path: Buffer;
}

interface Ground {
  readonly workTree: string;
  readonly entries: IndexEntries;
  /** Folders that the index has something in. */
  readonly folders: ReadonlySet<string>;
  /** Paths that the landing takes away. */
  readonly removed: ReadonlyMap<string, PathChange>;
  readonly looked: Map<string, BigIntStats | null>;
}

const gitlink = "160000";

/** What is in the way of `changes`, at most one obstacle a change. Reads the file system only. */
export async function findObstacles(
  workTree: string,
  entries: IndexEntries,
  changes: readonly PathChange[],
): Promise<Obstacle[]> {
  const removed = new Map(changes.filter(({ next }) => next === null).map((change) => [keyOf(change.path), change]));
  const ground: Ground = { workTree, entries, folders: foldersOf(entries), removed, looked: new Map() };
  const found: Obstacle[] = [];
  for (const change of changes) {
    const kind = await findObstacle(ground, change);
    if (kind !== null) found.push({ kind, path: change.path });
  }
  return found;
}

/** Added paths that would be one file where names differ by more than case or composition of letters. */
export function findTwins(changes: readonly PathChange[]): Buffer[] {
  const first = new Map<string, Buffer>();
  const twins: Buffer[] = [];
  for (const { path, old } of changes) {
    if (old !== null) continue;
    const folded = path.toString("utf8").normalize("NFC").toLowerCase();
    const other = first.get(folded);
    if (other === undefined) first.set(folded, path);
    else twins.push(other, path);
  }
  return twins;
}

async function findObstacle(ground: Ground, change: PathChange): Promise<Obstacle["kind"] | null> {
  const { path, old, next } = change;
  const wrong = old === null ? "occupied" : "changed";
  for (let end = path.indexOf(0x2f); end !== -1; end = path.indexOf(0x2f, end + 1)) {
    const folder = path.subarray(0, end);
    const entry = await look(ground, folder);
    if (entry === null) return old === null ? null : whenGone(ground, change);
    if (entry.isDirectory()) {
      const isTracked = ground.folders.has(keyOf(folder));
      if (old === null && !isTracked && (await filesBelow(ground.workTree, folder)).length > 0) return "occupied";
    } else {
      // A file may become a folder: git itself sees to it that the file is as it was.
      return old === null && ground.removed.has(keyOf(folder)) ? null : wrong;
    }
  }
  const leaf = await look(ground, path);
  if (leaf === null) return old === null ? null : whenGone(ground, change);
  if (next === null) return null;
  if (old !== null) {
    // Git removes the folder of a submodule with all that is in it where something else takes its place.
    const isReplaced = old.mode === gitlink && next.mode !== gitlink && leaf.isDirectory();
    return isReplaced && (await filesBelow(ground.workTree, path)).length > 0 ? "occupied" : null;
  }
  if (leaf.isDirectory()) {
    const held = await filesBelow(ground.workTree, path);
    return held.every((file) => ground.removed.has(keyOf(file))) ? null : "occupied";
  }
  return (await isRespelt(ground, path, leaf)) ? null : "occupied";
}

/** A tracked file is not there. That is as it should be when the landing removes it, or when it is left out on purpose. */
function whenGone(ground: Ground, { path, old, next }: PathChange): "changed" | null {
  const isLeftOut = ground.entries.get(keyOf(path))?.isLeftOut === true;
  return next === null || isLeftOut || old?.mode === gitlink ? null : "changed";
}

/** Whether what stands at `path` is a file that the landing takes away under another spelling: one that differs by case only. */
async function isRespelt(ground: Ground, path: Buffer, leaf: BigIntStats): Promise<boolean> {
  const fold = (name: Buffer) => name.toString("utf8").normalize("NFC").toLowerCase();
  for (const change of ground.removed.values()) {
    if (fold(change.path) !== fold(path)) continue;
    const other = await look(ground, change.path);
    if (other !== null && other.ino === leaf.ino && other.dev === leaf.dev) return true;
  }
  return false;
}

async function look(ground: Ground, path: Buffer): Promise<BigIntStats | null> {
  const key = keyOf(path);
  const known = ground.looked.get(key);
  if (known !== undefined) return known;
  const entry = await lstat(placeOf(ground.workTree, path), { bigint: true }).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  ground.looked.set(key, entry);
  return entry;
}

/** Everything below a folder that is no folder, links not followed. */
async function filesBelow(workTree: string, folder: Buffer): Promise<Buffer[]> {
  const entries = await readdir(placeOf(workTree, folder), { withFileTypes: true, encoding: "buffer" });
  const found: Buffer[] = [];
  for (const entry of entries) {
    const path = Buffer.concat([folder, Buffer.from("/"), entry.name]);
    if (entry.isDirectory()) found.push(...(await filesBelow(workTree, path)));
    else found.push(path);
  }
  return found;
}

function foldersOf(entries: IndexEntries): Set<string> {
  const folders = new Set<string>();
  for (const path of entries.keys()) {
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
