// What a reviewer has chosen where a file is in conflict with its target: place by place, for just the two files that meet. Pure.

import type { ChangesPage, ConflictsPage } from "../../../shared/contract/pages.ts";
import type { ConflictPick, FileResolution } from "../../../shared/contract/resolutions.ts";
import type { ReviewDraft } from "./draft.ts";
import { hunkKey } from "./selection.ts";
import type { HunkKey } from "./selection.ts";

/** What is chosen in one file so far; `null` at a place where nothing is. */
export type DraftResolution = Omit<FileResolution, "picks"> & { readonly picks: readonly (ConflictPick | null)[] };

type Meeting = Pick<ConflictsPage, "path" | "kind" | "target" | "proposed" | "regionCount">;

/** What is chosen at each place. Nothing of what was chosen between other files. */
export function picksOf(draft: ReviewDraft, meeting: Meeting): readonly (ConflictPick | null)[] {
  const count = meeting.kind === "whole" ? 1 : meeting.regionCount;
  const kept = draft.resolutions.find(({ path }) => path === meeting.path);
  const isOfThese = kept?.target === meeting.target && kept.proposed === meeting.proposed;
  return isOfThese && kept.picks.length === count ? kept.picks : Array.from({ length: count }, () => null);
}

/** Chooses at one place, or takes the choice back with `null`. */
export function pickAt(draft: ReviewDraft, meeting: Meeting, index: number, pick: ConflictPick | null): ReviewDraft {
  const { path, target, proposed } = meeting;
  const picks = picksOf(draft, meeting).map((before, at) => (at === index ? pick : before));
  const others = draft.resolutions.filter((one) => one.path !== path);
  const isEmpty = picks.every((one) => one === null);
  return { ...draft, resolutions: isEmpty ? others : [...others, { path, target, proposed, picks }] };
}

/** Files in conflict of which something would land: those of the trial merge with the target of now. */
export function conflictsOf(
  { landing, drift, conflicts, files }: ChangesPage,
  rejected: ReadonlySet<HunkKey>,
): readonly string[] {
  if (landing !== null) return [];
  const inConflict = new Set(drift?.trial ?? conflicts);
  const isTaken = (path: string, hunkCount: number) =>
    Array.from({ length: hunkCount }, (_, at) => at + 1).some((number) => !rejected.has(hunkKey({ path, number })));
  return files.items.flatMap(({ path, hunkCount }) => (inConflict.has(path) && isTaken(path, hunkCount) ? [path] : []));
}

/** What is sent with an approval: of the files in conflict those in which every place is chosen. */
export function resolutionsToSend(draft: ReviewDraft, conflicts: readonly string[]): readonly FileResolution[] {
  return draft.resolutions.flatMap(({ picks, ...file }) => {
    const chosen = picks.filter((pick) => pick !== null);
    return conflicts.includes(file.path) && chosen.length === picks.length ? [{ ...file, picks: chosen }] : [];
  });
}
