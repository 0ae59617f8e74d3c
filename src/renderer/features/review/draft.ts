// What a reviewer has decided and written and not sent yet: rejected hunks, lines left out, edits, choices in conflicts, comments,
// files viewed, the commit's message. Pure; every change gives another draft.

import { z } from "zod";

import type { HunkAmendment } from "../../../shared/contract/amendments.ts";
import type { ChangesPage } from "../../../shared/contract/pages.ts";
import type { Side } from "./fileModel.ts";
import type { DraftResolution } from "./resolutions.ts";
import { hunkKey, placesOf } from "./selection.ts";
import type { HunkKey, HunkPlace } from "./selection.ts";

/** A comment on a line of the file as it is proposed, or on a removed one by its old number. */
export interface LineComment {
  readonly path: string;
  readonly side: Side;
  readonly line: number;
  /** The line as the reviewer saw it. */
  readonly quote: string;
  readonly text: string;
}

export interface ReviewDraft {
  readonly rejected: readonly HunkKey[];
  readonly amendments: readonly HunkAmendment[];
  readonly resolutions: readonly DraftResolution[];
  readonly comments: readonly LineComment[];
  readonly viewed: readonly string[];
  readonly message: string;
}

export const emptyDraft: ReviewDraft = {
  rejected: [],
  amendments: [],
  resolutions: [],
  comments: [],
  viewed: [],
  message: "",
};

const place = { path: z.string(), hunk: z.int().min(1) };
const schema = z.object({
  rejected: z.array(z.custom<HunkKey>((value) => typeof value === "string" && /^\d+ /.test(value))),
  amendments: z.array(
    z.union([
      z.object({ ...place, leftOut: z.array(z.int().min(1)).min(1) }),
      z.object({ ...place, text: z.string() }),
    ]),
  ),
  // Drafts of before have none.
  resolutions: z
    .array(
      z.object({
        path: z.string(),
        target: z.string().nullable(),
        proposed: z.string().nullable(),
        picks: z.array(z.union([z.enum(["target", "proposed", "both"]), z.object({ text: z.string() })]).nullable()),
      }),
    )
    .default([]),
  comments: z.array(
    z.object({
      path: z.string(),
      side: z.enum(["old", "new"]),
      line: z.int().min(1),
      quote: z.string(),
      text: z.string(),
    }),
  ),
  viewed: z.array(z.string()),
  message: z.string(),
});

/** A draft as it was kept; an empty one for what is not understood. */
export function readDraft(text: string | null): ReviewDraft {
  if (text === null) return emptyDraft;
  try {
    const read = schema.safeParse(JSON.parse(text));
    return read.success ? read.data : emptyDraft;
  } catch {
    return emptyDraft;
  }
}

export function isEmpty({ message, ...lists }: ReviewDraft): boolean {
  return message === "" && Object.values(lists).every((list) => list.length === 0);
}

/** Accepts a hunk as it was proposed, or rejects it: what was amended in it goes either way, and what was chosen in the file's conflicts with it, since another file meets the target from here on. */
export function decideHunk(draft: ReviewDraft, place: HunkPlace, isAccepted: boolean): ReviewDraft {
  const key = hunkKey(place);
  const isAsBefore = isAccepted !== draft.rejected.includes(key) && amendmentOf(draft, place) === null;
  const others = draft.rejected.filter((one) => one !== key);
  return {
    ...unamended(draft, place),
    rejected: isAccepted ? others : [...others, key],
    resolutions: isAsBefore ? draft.resolutions : unresolved(draft, place),
  };
}

/** Leaves changed lines out, or takes them in again. With none of its changes left (`changeCount`) the hunk is rejected. */
export function decideLines(
  draft: ReviewDraft,
  place: HunkPlace,
  changes: readonly number[],
  isAccepted: boolean,
  changeCount: number,
): ReviewDraft {
  const all = Array.from({ length: changeCount }, (_, index) => index + 1);
  const before = isRejected(draft, place) ? all : leftOutOf(draft, place);
  const after = isAccepted ? before.filter((line) => !changes.includes(line)) : [...new Set([...before, ...changes])];
  if (after.length === 0 || after.length === changeCount) return decideHunk(draft, place, after.length === 0);
  const leftOut = after.toSorted((left, right) => left - right);
  return amended(draft, place, { path: place.path, hunk: place.number, leftOut });
}

/** Lands the hunk with `text` in place of its lines. */
export function editHunk(draft: ReviewDraft, place: HunkPlace, text: string): ReviewDraft {
  return amended(draft, place, { path: place.path, hunk: place.number, text });
}

function amended(draft: ReviewDraft, place: HunkPlace, amendment: HunkAmendment): ReviewDraft {
  const accepted = decideHunk(draft, place, true);
  return {
    ...accepted,
    amendments: [...accepted.amendments, amendment],
    resolutions: unresolved(draft, place),
  };
}

function unresolved({ resolutions }: ReviewDraft, { path }: HunkPlace): readonly DraftResolution[] {
  return resolutions.filter((one) => one.path !== path);
}

function unamended(draft: ReviewDraft, place: HunkPlace): ReviewDraft {
  return {
    ...draft,
    amendments: draft.amendments.filter((one) => one.path !== place.path || one.hunk !== place.number),
  };
}

export function isRejected({ rejected }: ReviewDraft, place: HunkPlace): boolean {
  return rejected.includes(hunkKey(place));
}

export function amendmentOf({ amendments }: ReviewDraft, { path, number }: HunkPlace): HunkAmendment | null {
  return amendments.find((one) => one.path === path && one.hunk === number) ?? null;
}

/** Changed lines of the hunk that are left out. */
export function leftOutOf(draft: ReviewDraft, place: HunkPlace): readonly number[] {
  const amendment = amendmentOf(draft, place);
  return amendment !== null && "leftOut" in amendment ? amendment.leftOut : [];
}

/** Puts `text` on a line; an empty one takes the comment away. */
export function setComment(draft: ReviewDraft, comment: LineComment): ReviewDraft {
  const isSame = (one: LineComment) =>
    one.path === comment.path && one.side === comment.side && one.line === comment.line;
  const isKnown = draft.comments.some(isSame);
  if (comment.text === "") return { ...draft, comments: draft.comments.filter((one) => !isSame(one)) };
  return {
    ...draft,
    comments: isKnown
      ? draft.comments.map((one) => (isSame(one) ? { ...comment, quote: one.quote } : one))
      : [...draft.comments, comment],
  };
}

export function setViewed(draft: ReviewDraft, path: string, isViewed: boolean): ReviewDraft {
  const others = draft.viewed.filter((one) => one !== path);
  return { ...draft, viewed: isViewed ? [...others, path] : others };
}

/** How a change set was decided, whoever did: the hunks that were not taken, and what this reviewer's own draft knows of the others. */
export function decidedDraft(draft: ReviewDraft, { selection, files, amended }: ChangesPage): ReviewDraft {
  const own = draft.amendments.filter((one) =>
    amended.some(({ path, hunk }) => path === one.path && hunk === one.hunk),
  );
  const rejected =
    selection === null || selection === "all"
      ? []
      : placesOf(files.items).filter(({ path, number }) => selection[path]?.includes(number) !== true);
  return { ...draft, rejected: rejected.map(hunkKey), amendments: own, resolutions: [], comments: [] };
}

const maxQuoteChars = 200;

/** What the executor is sent: the remark, then each comment under the place that it is about, in the order of files and lines. */
export function sendBackText(remark: string, comments: readonly LineComment[]): string {
  const inOrder = comments.toSorted((left, right) =>
    left.path < right.path ? -1 : left.path > right.path ? 1 : left.line - right.line,
  );
  const anchored = inOrder.map(({ path, side, line, quote, text }) => {
    const where =
      side === "new" ? `${path}:${line}` : `${path}:${line} (a line that you removed, numbered as in the base)`;
    return `${where}\n> ${quote.slice(0, maxQuoteChars)}\n${text.trim()}`;
  });
  return [remark.trim(), ...anchored].filter((part) => part !== "").join("\n\n");
}
