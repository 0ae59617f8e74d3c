// The lines of one hunk as a person accepted them: without some of its changed lines, or with a text of their own. Pure, in bytes.

import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import type { Hunk } from "../domain/records.ts";
import { GitError } from "./git.ts";
import { lineRanges } from "./patch.ts";

const newline = 0x0a;
const carriageReturn = 0x0d;

/** The two sides of a hunk, line ends included. */
export interface HunkSides {
  readonly old: Buffer;
  readonly next: Buffer;
}

/**
 * What stands in place of the hunk's old lines. `marks` has one sign a line of the hunk's: a space, `+` or `-`. A line left out
 * that would be removed stays where it was. Throws `GIT_REFUSED` for a changed line that the hunk does not have.
 */
export function amendHunk(hunk: Hunk, { old, next }: HunkSides, marks: string, amendment: HunkAmendment): Buffer {
  if ("text" in amendment) return Buffer.from(amendment.text, "utf8");
  const leftOut = new Set(amendment.leftOut);
  const [oldLines, newLines] = [linesOf(old), linesOf(next)];
  const kept: Buffer[] = [];
  let [oldAt, newAt, changed] = [0, 0, 0];
  for (const mark of marks) {
    const isChange = mark !== " ";
    if (isChange) changed += 1;
    const isLeftOut = isChange && leftOut.has(changed);
    const line = mark === "-" ? oldLines[oldAt] : newLines[newAt];
    if (mark !== "+") oldAt += 1;
    if (mark !== "-") newAt += 1;
    if (line !== undefined && isLeftOut === (mark === "-")) kept.push(line);
  }
  const beyond = amendment.leftOut.find((line) => line > changed);
  if (beyond !== undefined)
    throw new GitError(
      "GIT_REFUSED",
      `Hunk ${hunk.number} of ${amendment.path} has ${changed} changed lines; asked to leave out ${beyond}.`,
    );
  return joinLines(kept);
}

/** `parts` one after the other. Where one that ended its file without a line end is followed by more, it gets one, as the lines next to it have it. */
export function joinLines(parts: readonly Buffer[]): Buffer {
  const filled = parts.filter((part) => part.length > 0);
  return Buffer.concat(
    filled.flatMap((part, index) => {
      const following = filled[index + 1];
      return following === undefined || part.at(-1) === newline
        ? [part]
        : [part, lineEndLike([following, ...filled.slice(0, index + 1).toReversed()])];
    }),
  );
}

function lineEndLike(texts: readonly Buffer[]): Buffer {
  const text = texts.find((one) => one.includes(newline)) ?? Buffer.of();
  const end = text.indexOf(newline);
  return Buffer.from(end > 0 && text[end - 1] === carriageReturn ? "\r\n" : "\n");
}

function linesOf(bytes: Buffer): readonly Buffer[] {
  return Array.from(lineRanges(bytes), ({ start, end }) => bytes.subarray(start, Math.min(end + 1, bytes.length)));
}
