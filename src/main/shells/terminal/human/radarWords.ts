// What the conflict radar has found, in lines for a person who watches.

import type { RadarConflict, RadarPicture } from "../../../../shared/contract/snapshots.ts";
import { firstLine } from "./plainText.ts";

/** A line for each conflict and one with the order that it suggests; one alone when nothing conflicts any more. */
export function radarWords({ conflicts, order }: RadarPicture): readonly string[] {
  if (conflicts.length === 0) return ["Radar: what is being worked on fits together again."];
  const lines = conflicts.map(
    (conflict) =>
      `Radar: ${conflict.agent} would conflict with ${conflict.other ?? "its target"} in ${pathWords(conflict)}.`,
  );
  return order.length === 0
    ? lines
    : [...lines, `Radar: land in the order ${order.join(", ")}, and send the rest back.`];
}

function pathWords({ paths, fileCount }: RadarConflict): string {
  const shown = paths.map((path) => firstLine(path)).join(", ");
  return fileCount > paths.length ? `${shown} and ${fileCount - paths.length} more` : shown;
}
