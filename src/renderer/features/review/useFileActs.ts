// What can be done on the lines of one file: leaving lines out, commenting, editing a hunk. By pointer, and by key where the
// cursor stands.

import { useEffect, useMemo, useState } from "react";
import type { RefObject } from "react";

import { anchorOf, threadKey } from "./diffLines.ts";
import type { DiffLine } from "./diffLines.ts";
import { decideHunk, decideLines, editHunk, setComment } from "./draft.ts";
import type { FileModel, HunkModel, ModelRow, Side } from "./fileModel.ts";
import type { ChangeDraft } from "./useDraft.ts";
import type { OfferKeys } from "./useReviewKeys.ts";
import type { ReviewPlace } from "./useReviewPlace.ts";

export interface Writing {
  readonly side: Side;
  readonly line: number;
  readonly quote: string;
}

export interface FileActs {
  readonly writing: Writing | null;
  readonly editing: number | null;
  readonly setEditing: (hunk: number | null) => void;
  readonly setWriting: (writing: Writing | null) => void;
  readonly decide: (hunk: number, isAccepted: boolean) => void;
  readonly save: (hunk: number, text: string | null) => void;
  readonly write: (at: Writing, text: string) => void;
  readonly commentOnHunk: (hunk: HunkModel) => void;
  readonly toggle: (hunk: number, changes: readonly number[], isAccepted: boolean) => void;
  readonly comment: (line: DiffLine, side: Side) => void;
}

export interface FileActsQuery {
  readonly path: string;
  readonly place: ReviewPlace;
  readonly change: ChangeDraft;
}

export function useFileActs({ path, place, change }: FileActsQuery, model: RefObject<FileModel>): FileActs {
  const [writing, setWriting] = useState<Writing | null>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const { look } = place;
  return useMemo(() => {
    const hunkAt = (number: number) => model.current.hunks.find((hunk) => hunk.number === number);
    return {
      writing,
      editing,
      setWriting,
      setEditing,
      decide: (number, isAccepted) => {
        look({ path, number });
        setEditing(null);
        change((draft) => decideHunk(draft, { path, number }, isAccepted));
      },
      save: (number, text) => {
        setEditing(null);
        change((draft) =>
          text === null ? decideHunk(draft, { path, number }, true) : editHunk(draft, { path, number }, text),
        );
      },
      write: (at, text) => change((draft) => setComment(draft, { path, ...at, text })),
      commentOnHunk: (hunk) => setWriting(writingOn(firstChange(hunk))),
      toggle: (number, changes, isAccepted) => {
        const { changeCount = 0 } = hunkAt(number) ?? {};
        change((draft) => decideLines(draft, { path, number }, changes, isAccepted, changeCount));
      },
      comment: (line, side) => setWriting(writingOnLine(line, side)),
    };
  }, [path, look, change, model, writing, editing]);
}

/** Offers what the keys do to the review, while the file is shown. `line`: where the cursor stands; `null`: on the hunk. */
export function useFileKeys(
  offerKeys: OfferKeys,
  acts: FileActs,
  hunk: HunkModel | null,
  line: DiffLine | null,
  canEdit: boolean,
): void {
  useEffect(() => {
    offerKeys({
      decide: (isAccepted) => {
        if (hunk === null) return;
        const changes = canEdit ? changesOf(line) : [];
        if (changes.length === 0) acts.decide(hunk.number, isAccepted);
        else acts.toggle(hunk.number, changes, isAccepted);
      },
      comment: () => {
        if (line !== null && line.kind !== "head") acts.comment(line, sideOf(line));
        else if (hunk !== null) acts.commentOnHunk(hunk);
      },
      edit: () => {
        if (hunk !== null && canEdit) acts.setEditing(hunk.number);
      },
    });
    return () => offerKeys(null);
  }, [offerKeys, acts, hunk, line, canEdit]);
}

function changesOf(line: DiffLine | null): readonly number[] {
  if (line?.kind === "row") return line.row.change === null ? [] : [line.row.change];
  if (line?.kind !== "pair") return [];
  return [line.old, line.next].flatMap((row) => (row?.change == null ? [] : [row.change]));
}

function sideOf(line: DiffLine): Side {
  if (line.kind === "row") return anchorOf(line.row)?.side ?? "new";
  return line.kind === "pair" && line.next === null ? "old" : "new";
}

function writingOnLine(line: DiffLine, side: Side): Writing | null {
  if (line.kind === "context") return { side: "new", line: line.newLine, quote: line.text };
  if (line.kind === "row") return writingOn(line.row);
  return line.kind === "pair" ? writingOn(side === "old" ? line.old : line.next) : null;
}

function writingOn(row: ModelRow | null): Writing | null {
  const anchor = row === null ? null : anchorOf(row);
  return row === null || anchor === null ? null : { ...anchor, quote: row.row.text };
}

function firstChange(hunk: HunkModel): ModelRow | null {
  return hunk.rows.find(({ row }) => row.kind === "added" || row.kind === "removed") ?? hunk.rows[0] ?? null;
}

export function writingKey(writing: Writing | null): string | null {
  return writing === null ? null : threadKey(writing.side, writing.line);
}
