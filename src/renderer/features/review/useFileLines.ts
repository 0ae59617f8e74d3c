// All that the diff of one file is drawn from: its rows as they are read, the lines around its hunks as they are asked for, edits
// and comments in their places.

import { useCallback, useEffect, useMemo, useState } from "react";

import type { ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { ChangedFile, PatchPage } from "../../../shared/contract/pages.ts";
import { usePage } from "../../client/Client.tsx";
import type { PageInView } from "../../client/Client.tsx";
import { linesOf, threadKey } from "./diffLines.ts";
import type { DiffLine, Gap, Shown } from "./diffLines.ts";
import type { ReviewDraft } from "./draft.ts";
import { modelOf } from "./fileModel.ts";
import type { FileModel } from "./fileModel.ts";
import { withEdits } from "./hunkEdit.ts";
import { useGrowingRows } from "./useGrowingRows.ts";
import type { DiffView } from "./useView.ts";

export interface FileLinesQuery {
  readonly run: RunId;
  readonly changeset: ChangeSetId;
  readonly file: ChangedFile;
  readonly view: DiffView;
  readonly draft: ReviewDraft;
  /** Line that a comment is being written on, as `threadKey` names it. */
  readonly writing: string | null;
  readonly editing: number | null;
  /** Whether its rows are to be read. */
  readonly isOpen: boolean;
}

export interface FileLinesInView {
  readonly patch: PageInView<"patch">;
  /** As it is proposed. */
  readonly model: FileModel;
  /** With the edits. */
  readonly shownModel: FileModel;
  readonly lines: readonly DiffLine[];
  /** Lines of the file as far as they have been read for what stands around the hunks. */
  readonly fileLines: readonly string[];
  readonly columns: number;
  /** Shows so many more lines of a gap, from its beginning and from its end. */
  readonly openGap: (gap: Gap, more: Shown) => void;
}

export function useFileLines(query: FileLinesQuery): FileLinesInView {
  const { run, changeset, file, view, draft, writing, editing, isOpen } = query;
  const { path } = file;
  const [shown, setShown] = useState<ReadonlyMap<number, Shown>>(new Map());
  const patch = usePage(isOpen ? { kind: "patch", run, changeset, path } : null);
  const around = usePage(shown.size > 0 ? { kind: "fileLines", run, changeset, path } : null);
  useWhole(patch);
  useWhole(around);
  const rows = useGrowingRows(patch.body?.items ?? noRows, patch.body !== null && !patch.hasMore);
  const model = useMemo(() => modelOf(rows), [rows]);
  const { amendments, comments } = draft;
  const shownModel = useMemo(() => withEdits(model, editsOf(amendments, path)), [model, amendments, path]);
  // By its keys alone: a letter more in a comment leaves every line as it is.
  const threadKeys = threadKeysOf(comments, path, writing).join("\n");
  const threads = useMemo(() => new Set(threadKeys === "" ? [] : threadKeys.split("\n")), [threadKeys]);
  const aroundBody = around.body;
  const lines = useMemo(
    () =>
      linesOf(editing === null ? shownModel : withoutEdit(shownModel, model, editing), {
        ...view,
        hasContext: hasContext(file),
        shown,
        file: aroundBody === null ? null : { lines: aroundBody.items, lineCount: aroundBody.lineCount },
        threads,
        editing,
      }),
    [shownModel, model, editing, view, file, shown, aroundBody, threads],
  );
  const columns = useMemo(() => rows.reduce((most, row) => Math.max(most, row.text.length), 0), [rows]);
  const openGap = useCallback((gap: Gap, more: Shown) => {
    setShown((before) => {
      const now = before.get(gap.after) ?? { head: 0, tail: 0 };
      return new Map(before).set(gap.after, { head: now.head + more.head, tail: now.tail + more.tail });
    });
  }, []);
  return { patch, model, shownModel, lines, fileLines: aroundBody?.items ?? noLines, columns, openGap };
}

const noRows: PatchPage["items"] = [];
const noLines: readonly string[] = [];

/** Reads on until all of it is here. */
function useWhole({ hasMore, isReading, readMore }: PageInView<"patch"> | PageInView<"fileLines">): void {
  useEffect(() => {
    if (hasMore && !isReading) readMore();
  }, [hasMore, isReading, readMore]);
}

/** A file that is all new, or gone, has no other lines. */
function hasContext({ change }: ChangedFile): boolean {
  return change === "modified" || change === "renamed";
}

function editsOf(amendments: ReviewDraft["amendments"], path: string): ReadonlyMap<number, string> {
  return new Map(
    amendments.flatMap((one) => (one.path === path && "text" in one ? [[one.hunk, one.text] as const] : [])),
  );
}

function threadKeysOf(comments: ReviewDraft["comments"], path: string, writing: string | null): readonly string[] {
  const keys = comments.flatMap(({ path: at, side, line }) => (at === path ? [threadKey(side, line)] : []));
  return writing === null ? keys : [...keys, writing];
}

/** An editor begins with the hunk as it is proposed, whatever was edited before. */
function withoutEdit(shown: FileModel, model: FileModel, editing: number): FileModel {
  return {
    hunks: shown.hunks.map((hunk, index) => (hunk.number === editing ? (model.hunks[index] ?? hunk) : hunk)),
  };
}
