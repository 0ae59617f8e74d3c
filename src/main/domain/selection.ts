// What of a change set a person accepts: which hunks, and which of them otherwise than proposed.

import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import type { FileResolution } from "../../shared/contract/resolutions.ts";
import type { FileChange, HunkSelection } from "./records.ts";

export interface Accepted {
  readonly hunks: HunkSelection;
  readonly amendments: readonly HunkAmendment[];
  /** How files land that are in conflict with the target. */
  readonly resolutions: readonly FileResolution[];
}

/** All of it, as it was proposed. */
export const wholly: Accepted = { hunks: "all", amendments: [], resolutions: [] };

/** What is wrong with a selection, in a sentence; `null` when every file and hunk it names exists and it names at least one. */
export function checkSelection(files: readonly FileChange[], selection: HunkSelection): string | null {
  if (selection === "all") return null;
  const entries = Object.entries(selection);
  if (entries.every(([, numbers]) => numbers.length === 0))
    return "The selection names no hunk; reject the change set instead.";
  for (const [path, numbers] of entries) {
    const file = files.find((one) => one.path === path);
    if (!file) return `The change set has no file ${path}; it has ${files.map((one) => one.path).join(", ")}.`;
    const missing = numbers.find((number) => !file.hunks.some((hunk) => hunk.number === number));
    if (missing !== undefined) return `${path} has no hunk ${missing}; it has ${file.hunks.length}, numbered from 1.`;
  }
  return null;
}

/** What is wrong with the amendments, in a sentence; `null` when each is of an accepted hunk of its own that has lines. How many of these are changed git alone knows. */
export function checkAmendments(
  files: readonly FileChange[],
  { hunks, amendments }: Pick<Accepted, "hunks" | "amendments">,
): string | null {
  const seen = new Set<string>();
  for (const amendment of amendments) {
    const { path, hunk: number } = amendment;
    const file = files.find((one) => one.path === path);
    const hunk = file?.hunks.find((one) => one.number === number);
    const isAccepted = hunks === "all" || hunks[path]?.includes(number) === true;
    if (!file || !hunk || !isAccepted)
      return `Hunk ${number} of ${path} is not accepted, so nothing in it can be amended.`;
    const key = `${number} ${path}`;
    if (seen.has(key)) return `Hunk ${number} of ${path} is amended twice.`;
    seen.add(key);
    if (file.change === "deleted" || hunk.oldLines + hunk.newLines === 0)
      return `${path} lands whole, or not at all: it has no lines that could be left out or edited.`;
    if ("text" in amendment) continue;
    const beyond = amendment.leftOut.find((line) => line > hunk.oldLines + hunk.newLines);
    if (beyond !== undefined) return `Hunk ${number} of ${path} has no changed line ${beyond}.`;
    if (amendment.leftOut.length === 0) return `Hunk ${number} of ${path} is amended by nothing.`;
  }
  return null;
}

/** What is wrong with the resolutions, in a sentence; `null` when each is of an accepted file of its own. Whether they fit what meets git alone knows. */
export function checkResolutions(files: readonly FileChange[], { hunks, resolutions }: Accepted): string | null {
  const seen = new Set<string>();
  for (const { path, picks } of resolutions) {
    const isAccepted = files.some((one) => one.path === path) && (hunks === "all" || (hunks[path]?.length ?? 0) > 0);
    if (!isAccepted) return `Nothing of ${path} is accepted, so there is no conflict in it to resolve.`;
    if (seen.has(path)) return `The conflicts of ${path} are resolved twice.`;
    if (picks.length === 0) return `The conflicts of ${path} are resolved by nothing.`;
    seen.add(path);
  }
  return null;
}

/** Whether every hunk of every file is accepted as it was proposed. */
export function isWhole(
  files: readonly FileChange[],
  { hunks, amendments }: Pick<Accepted, "hunks" | "amendments">,
): boolean {
  if (amendments.length > 0) return false;
  if (hunks === "all") return true;
  return files.every((file) => file.hunks.every((hunk) => hunks[file.path]?.includes(hunk.number) === true));
}
