// Marks what a subagent cites: is it there, in the node's own root? It judges places and quotes, never claims.

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import type { EvidenceClaim, EvidenceMark, MarkedEvidence } from "../domain/records.ts";
import { redact } from "./redact.ts";
import { openText, showUnits } from "./tools/fileText.ts";
import { resolveInside } from "./tools/paths.ts";

const maxFileBytes = 16 * 1024 * 1024;

interface Place {
  readonly path: string;
  readonly first: number | null;
  readonly last: number | null;
}

/** `path[:a[-b]]`; anything else that still could be a path has no range. */
function readSource(source: string): Place {
  const match = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/su.exec(source.trim());
  if (match === null) return { path: source.trim(), first: null, last: null };
  const first = Number(match[2]);
  return { path: match[1] ?? "", first, last: match[3] === undefined ? first : Number(match[3]) };
}

/** Whether a source that names no file was meant as one: no white space, and a slash, an extension or a line. */
function looksLikePath({ path, first }: Place): boolean {
  return !/\s/u.test(path) && (first !== null || /[/]|\.\w+$/u.test(path));
}

function squeeze(text: string): string {
  return text.replace(/\s+/gu, "");
}

/** The quote as it is, and without the line numbers of `readFile` when each line has one. */
function spellingsOf(quote: string): readonly string[] {
  const lines = quote.split("\n").filter((line) => line.trim() !== "");
  const bare = lines.map((line) => line.replace(/^\s*\d+\t/u, ""));
  const isNumbered = lines.every((line, index) => line !== bare[index]);
  return [squeeze(quote), ...(isNumbered ? [squeeze(bare.join("\n"))] : [])];
}

/** Whether the quote begins on a line of `first`..`last`. It may run on when one line is named, not when a range is. */
function standsIn(lines: readonly string[], quote: string, first: number, last: number): boolean {
  const inRange = squeeze(lines.slice(first - 1, last).join("\n"));
  const text = first === last ? squeeze(lines.slice(first - 1).join("\n")) : inRange;
  const at = text.indexOf(quote);
  return at !== -1 && at < inRange.length;
}

async function readLines(absolute: string): Promise<readonly string[] | null> {
  const file = await open(absolute, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    if ((await file.stat()).size > maxFileBytes) return null;
    const content = openText(await file.readFile());
    if (content === null) return null;
    const lines = showUnits(content.encoding, content.units).split("\n");
    return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  } finally {
    await file.close();
  }
}

function judge(lines: readonly string[], claim: EvidenceClaim, place: Place): EvidenceMark {
  const hasRange = place.first !== null || claim.line !== undefined;
  const first = place.first ?? claim.line ?? 1;
  const last = place.last ?? claim.line ?? lines.length;
  const named = [first, last, claim.line ?? first];
  if (hasRange && (last < first || named.some((line) => line < 1 || line > lines.length))) return "not found";
  const quote = claim.quote ?? "";
  if (squeeze(quote) === "") return "found";
  // The agent was shown the file without its secrets, and may quote it so.
  const shown = quote.includes("[redacted:") ? redact(lines.join("\n")).text.split("\n") : lines;
  const until = hasRange && shown.length === lines.length ? last : shown.length;
  const from = hasRange && shown.length === lines.length ? first : 1;
  return spellingsOf(quote).some((spelling) => standsIn(shown, spelling, from, until)) ? "found" : "not found";
}

async function markOne(claim: EvidenceClaim, root: string): Promise<EvidenceMark> {
  if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(claim.source.trim())) return "not checkable";
  // A file's own name may end like a range: as it is spelled comes first.
  const spelled: Place = { path: claim.source.trim(), first: null, last: null };
  for (const place of [spelled, readSource(claim.source)]) {
    if (place.path === "") continue;
    const resolved = await resolveInside(root, place.path);
    if (!resolved.ok) return "not checkable";
    const { kind, absolute } = resolved.value;
    if (kind === "file") {
      const lines = await readLines(absolute);
      return lines === null ? "not checkable" : judge(lines, claim, place);
    }
    if (kind === "folder")
      return place.first === null && claim.line === undefined && squeeze(claim.quote ?? "") === ""
        ? "found"
        : "not found";
  }
  return looksLikePath(readSource(claim.source)) ? "not found" : "not checkable";
}

/**
 * Each claim with its mark, in order. `source` is `path[:a[-b]]` below `root` (absolute). *found*: the file has these lines and the quote,
 * white space and line-number prefixes aside, begins in them. *not checkable*: URLs, prose, commands, what lies outside the root, files that are not text.
 */
export async function markEvidence(claims: readonly EvidenceClaim[], root: string): Promise<readonly MarkedEvidence[]> {
  const marked: MarkedEvidence[] = [];
  for (const claim of claims) {
    const mark = await markOne(claim, root).catch((): EvidenceMark => "not checkable"); // a file that cannot be read is recorded as just that
    marked.push({ ...claim, mark });
  }
  return marked;
}
