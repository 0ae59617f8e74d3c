// Where another change set changes the lines of a hunk, in words. Pure.

import type { ChangesPage } from "../../../shared/contract/pages.ts";

type Places = ChangesPage["overlaps"][number]["places"];

/** `lines 88 to 104, as hunk 5 does`; empty where the lines cannot be compared. */
export function placeWords(path: string, places: Places): string {
  if (places === null) return "";
  const here = places.filter((one) => one.path === path);
  if (here.length === 0) return "other lines";
  return here.map(({ hunk, from, to }) => `${linesOf(from, to)}, as hunk ${hunk} does`).join("; ");
}

function linesOf(from: number, to: number): string {
  // Line 0 is what stands before the first.
  if (to === 0) return "the beginning";
  return from === to ? `line ${from}` : `lines ${Math.max(1, from)} to ${to}`;
}
