// Which hunks of a change set a person accepts.

import type { FileChange, HunkSelection } from "./events.ts";

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

/** Whether a selection takes every hunk of every file. */
export function isWhole(files: readonly FileChange[], selection: HunkSelection): boolean {
  if (selection === "all") return true;
  return files.every((file) => file.hunks.every((hunk) => selection[file.path]?.includes(hunk.number) === true));
}
