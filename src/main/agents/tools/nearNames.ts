// Paths that a model may have meant when it named one that is not there.

import { basename, dirname } from "node:path/posix";
import { walkTree } from "./walk.ts";

const maxVisited = 5000;
const maxNames = 5;

/** Single-character insertions, deletions and replacements between two short strings. */
function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...left].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...right].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** How far a path is from the wanted one; `null` when it is another thing altogether. The name weighs more than the folder. */
function distanceOf(path: string, wanted: string): number | null {
  const name = basename(path).toLowerCase();
  const wantedName = basename(wanted).toLowerCase();
  if (Math.abs(name.length - wantedName.length) > 2) return null;
  const letters = editDistance(name, wantedName);
  if (letters > Math.min(2, Math.floor(wantedName.length / 3))) return null;
  return letters * 2 + (dirname(path) === dirname(wanted) ? 0 : 1);
}

/** At most five files whose names are nearest to `wanted` (relative to `root`), nearest first; a bounded look. */
export async function findNearNames(root: string, wanted: string): Promise<readonly string[]> {
  const found: { readonly path: string; readonly distance: number }[] = [];
  let visited = 0;
  const { entries } = await walkTree(root, ".");
  for await (const { path, kind } of entries) {
    visited += 1;
    if (visited > maxVisited) break;
    const distance = kind === "file" ? distanceOf(path, wanted) : null;
    if (distance !== null) found.push({ path, distance });
  }
  return found
    .toSorted((left, right) => left.distance - right.distance)
    .slice(0, maxNames)
    .map(({ path }) => path);
}
