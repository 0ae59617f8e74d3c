// The diff of one file, unified, under a head for each hunk. Lines near the viewport are in the page, no others: all have
// known heights, so a change of any length opens at once.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { RefObject } from "react";

import type { ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { ChangedFile, DiffRow, PatchPage } from "../../../shared/contract/pages.ts";
import { usePage } from "../../client/Client.tsx";
import { Key } from "../../ui/Key.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { HunkHead } from "./HunkHead.tsx";
import { hunkKey, lineAt, linesOf, offsetsOf } from "./selection.ts";
import type { DiffLine } from "./selection.ts";
import type { Hunks } from "./useHunks.ts";

export interface FileDiffProps {
  readonly run: RunId;
  readonly changeset: ChangeSetId;
  readonly file: ChangedFile;
  /** Number of the hunk that is looked at. */
  readonly focused: number;
  readonly hunks: Hunks;
  readonly canDecide: boolean;
}

const whys: Readonly<Record<NonNullable<PatchPage["withoutLines"]>, string>> = {
  binary: "Binary content: it lands whole, or not at all.",
  empty: "Only its name or mode changes.",
  tooLong: "The diff is too long to be shown here; read it with git.",
};

export function FileDiff({ run, changeset, file, focused, hunks, canDecide }: FileDiffProps) {
  const { path, from, added, removed } = file;
  const { body, failure, hasMore, isReading, readMore } = usePage({ kind: "patch", run, changeset, path });
  useEffect(() => {
    if (hasMore && !isReading) readMore();
  }, [hasMore, isReading, readMore]);
  const lines = useMemo(() => withHeads(body, file), [body, file]);
  const isViewed = hunks.viewed.has(path);
  return (
    <>
      <header className="file-head">
        <h2 className="one">{from === undefined ? path : `${from} → ${path}`}</h2>
        <span className="fig">
          <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
        </span>
        {hasMore && body !== null && (
          <span className="faint fig">
            {body.items.length} of {body.rowCount} lines
          </span>
        )}
        <button
          type="button"
          className="btn push"
          aria-pressed={isViewed}
          aria-keyshortcuts="m"
          onClick={() => hunks.toggleViewed(path)}
        >
          Viewed <Key name="m" />
        </button>
      </header>
      {body === null && failure === null && <Skeleton lines={6} label="The diff is being read" />}
      {failure !== null && <Notice title="The diff could not be read" message={failure.message} code={failure.code} />}
      {body !== null && <Lines lines={lines} path={path} focused={focused} hunks={hunks} canDecide={canDecide} />}
      {body?.withoutLines != null && <p className="inspector-empty">{whys[body.withoutLines]}</p>}
    </>
  );
}

/** A file without lines has one hunk all the same, which can be taken or left. */
function withHeads(body: PatchPage | null, { hunkCount }: ChangedFile): readonly DiffLine[] {
  if (body === null) return [];
  if (body.items.length > 0 || body.next !== null) return linesOf(body.items);
  return Array.from({ length: hunkCount }, (_, index) => ({
    kind: "hunk",
    number: index + 1,
    firstLine: 0,
    lastLine: 0,
  }));
}

interface LinesProps extends Pick<FileDiffProps, "focused" | "hunks" | "canDecide"> {
  readonly lines: readonly DiffLine[];
  readonly path: string;
}

/** Px beyond the viewport that are in the page, too. */
const marginPx = 500;

function Lines({ lines, path, focused, hunks, canDecide }: LinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const offsets = useMemo(() => offsetsOf(lines), [lines]);
  const { top, height } = useScrolled(scroller);
  useRevealed(scroller, lines, offsets, focused);
  const start = lineAt(offsets, top - marginPx);
  const end = Math.min(lines.length, lineAt(offsets, top + height + marginPx) + 1);
  const total = offsets[lines.length] ?? 0;
  const isRejected = (number: number) => hunks.rejected.has(hunkKey({ path, number }));
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="diff" ref={scroller} role="region" aria-label={`Changes of ${path}`} tabIndex={0}>
      <div className="diff-all" style={{ height: total }}>
        <div className="diff-shown" style={{ transform: `translateY(${offsets[start] ?? 0}px)` }}>
          {lines
            .slice(start, end)
            .map((line, index) =>
              line.kind === "hunk" ? (
                <HunkHead
                  key={`hunk-${line.number}`}
                  hunk={line}
                  isFocused={line.number === focused}
                  isRejected={isRejected(line.number)}
                  onDecide={canDecide ? (isAccepted) => hunks.decide({ path, number: line.number }, isAccepted) : null}
                />
              ) : (
                <RowView
                  key={start + index}
                  row={line.row}
                  isFocused={line.row.hunk === focused}
                  isRejected={isRejected(line.row.hunk)}
                />
              ),
            )}
        </div>
      </div>
    </div>
  );
}

interface RowViewProps {
  readonly row: DiffRow;
  readonly isFocused: boolean;
  readonly isRejected: boolean;
}

const signs: Readonly<Record<DiffRow["kind"], string>> = { context: " ", added: "+", removed: "−", noNewline: " " };

function RowView({ row: { kind, oldLine, newLine, text }, isFocused, isRejected }: RowViewProps) {
  return (
    <div className="diff-row" data-kind={kind} data-focused={isFocused} data-rejected={isRejected}>
      <span className="diff-number">{oldLine}</span>
      <span className="diff-number">{newLine}</span>
      <span className="diff-sign">{signs[kind]}</span>
      <span className="diff-text">{text}</span>
    </div>
  );
}

/** Where a scroller stands, px; drawn at most once a frame. */
function useScrolled(scroller: RefObject<HTMLDivElement | null>): { readonly top: number; readonly height: number } {
  const [scrolled, setScrolled] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return undefined;
    const look = () => setScrolled({ top: box.scrollTop, height: box.clientHeight });
    look();
    box.addEventListener("scroll", look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(box);
    return () => {
      box.removeEventListener("scroll", look);
      observer.disconnect();
    };
  }, [scroller]);
  return scrolled;
}

/** Brings the hunk that is looked at into sight when it changes, and when its lines have come. */
function useRevealed(
  scroller: RefObject<HTMLDivElement | null>,
  lines: readonly DiffLine[],
  offsets: Float64Array,
  focused: number,
): void {
  const revealed = useRef(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    const at = lines.findIndex((line) => line.kind === "hunk" && line.number === focused);
    if (box === null || at === -1 || revealed.current === focused) return;
    revealed.current = focused;
    const y = offsets[at] ?? 0;
    const isInSight = y >= box.scrollTop && y <= box.scrollTop + box.clientHeight * 0.6;
    if (!isInSight) box.scrollTo({ top: y - 8 });
  }, [scroller, lines, offsets, focused]);
}
