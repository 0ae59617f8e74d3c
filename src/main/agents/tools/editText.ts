// One replacement in the text of one file, and what is shown of the file when it cannot be made. Pure.

import { fail, succeed, type Result } from "../../../shared/lib/result.ts";
import { numberLines, showUnits, toUnits, type FileText } from "./fileText.ts";
import type { Refusal } from "./paths.ts";
import { findMatches, replaceMatch, withPlainEndings } from "./textReplace.ts";

/** A refusal that may show fresh text; its hash then counts as seen. */
export interface EditRefusal extends Refusal {
  readonly seen?: { readonly [path: string]: string };
}

const regionRadius = 8;
const maxRegionLine = 400;

/** The fresh text round a line, numbered as `readFile` does. */
function showRegion(content: FileText, line: number): string {
  const lines = withPlainEndings(showUnits(content.encoding, content.units)).split("\n");
  const first = Math.max(1, line - regionRadius);
  return numberLines(
    lines
      .slice(first - 1, line + regionRadius)
      .map((row) => (row.length > maxRegionLine ? `${row.slice(0, maxRegionLine)}…` : row)),
    first,
  );
}

/** Where the text was most likely meant: the line that equals one of its lines, white space aside; else the first. */
function guessLine(content: FileText, oldText: string): number {
  const lines = withPlainEndings(showUnits(content.encoding, content.units))
    .split("\n")
    .map((line) => line.trim());
  for (const [index, wanted] of withPlainEndings(oldText).split("\n").entries()) {
    const at = wanted.trim() === "" ? -1 : lines.indexOf(wanted.trim());
    if (at !== -1) return Math.max(1, at + 1 - index);
  }
  return 1;
}

/** The lines of the file round the place that `oldText` was most likely meant for, numbered. */
export function showNear(content: FileText, oldText: string): string {
  return showRegion(content, guessLine(content, oldText));
}

/** The text with one replacement made. Codes: `NO_MATCH`, `AMBIGUOUS`, `ENCODING`. */
export function replaceOnce(
  content: FileText,
  path: string,
  oldText: string,
  newText: string,
): Result<FileText, EditRefusal> {
  const hasMark = content.encoding !== "utf-8" && content.encoding !== "8-bit";
  const bare = (value: string) => (hasMark ? value.replace(/^\ufeff/u, "") : value);
  const sought = toUnits(content.encoding, bare(oldText));
  const matches = sought === null || sought === "" ? [] : findMatches(content.units, sought);
  const [match] = matches;
  if (match === undefined) {
    const message = `oldText is not in ${path}. It reads there:\n${showNear(content, oldText)}`;
    return fail({
      code: "NO_MATCH",
      message,
      hint: "oldText must equal the file's text, white space included and line numbers left out.",
    });
  }
  if (matches.length > 1) {
    const lines = matches
      .slice(0, 20)
      .map(({ line }) => line)
      .join(", ");
    return fail({
      code: "AMBIGUOUS",
      message: `oldText stands ${matches.length} times in ${path}, at lines ${lines}.`,
      hint: "Add lines round it until it stands once, or send one change for each place.",
    });
  }
  const fresh = toUnits(content.encoding, bare(newText));
  const units = fresh === null ? null : replaceMatch(content.units, match, fresh);
  if (units === null || (content.encoding === "8-bit" && bringsNonAscii(content.units, units))) {
    return fail({
      code: "ENCODING",
      message: `${path} is not UTF-8 and does not say what it is, so only ASCII can be added to it.`,
      hint: "Use a command that knows its encoding.",
    });
  }
  return succeed({ ...content, units });
}

function bringsNonAscii(before: string, after: string): boolean {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return /[^\u0000-\u007f]/u.test(after.slice(head, after.length - tail));
}
