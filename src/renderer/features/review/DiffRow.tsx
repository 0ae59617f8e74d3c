// One line of a diff, in one column or in two: numbers, sign, text. Where it can be decided its sign is a button, and another
// one opens a comment; both are for the pointer, the keyboard has a and x and c on the line that the cursor is on.

import { memo } from "react";

import { Code } from "./Code.tsx";
import type { DiffLine } from "./diffLines.ts";
import type { ModelRow } from "./fileModel.ts";
import type { Changed, Coloured } from "./spans.ts";

/** A side of a line, ready to be drawn. */
export interface DrawnSide {
  readonly row: ModelRow;
  readonly colours: readonly Coloured[];
  readonly changed: readonly Changed[];
  readonly isLeftOut: boolean;
}

interface Common {
  readonly id: string;
  readonly index: number;
  readonly isFocused: boolean;
  readonly isCursor: boolean;
  readonly isRejected: boolean;
  readonly isPartly: boolean;
  readonly isSpaceOnly: boolean;
}

/** What can be done on a line; `null` where it cannot be done now, or not in this file. */
export interface LineActs {
  /** Leaves the changed lines out, or takes them in again. */
  readonly onToggle: ((hunk: number, changes: readonly number[], isAccepted: boolean) => void) | null;
  readonly onComment: ((line: DiffLine, side: "old" | "new") => void) | null;
}

export interface UnifiedRowProps extends Common {
  readonly line: Extract<DiffLine, { readonly kind: "row" }>;
  readonly side: DrawnSide;
  readonly acts: LineActs;
}

const signs = { context: " ", added: "+", removed: "−", noNewline: " " } as const;

export const UnifiedRow = memo(function UnifiedRow({ line, side, acts, ...common }: UnifiedRowProps) {
  const { kind, oldLine, newLine } = side.row.row;
  return (
    <div {...rowProps(common)} data-kind={common.isSpaceOnly ? "space" : kind} data-out={side.isLeftOut}>
      <NumberCell number={common.isSpaceOnly ? (line.partner?.row.oldLine ?? null) : oldLine} />
      <NumberCell number={newLine} />
      <SignCell line={line} side={side} acts={acts} isRejected={common.isRejected} isSpaceOnly={common.isSpaceOnly} />
      <TextCell side={side} />
      <CommentCell line={line} side={newLine === null ? "old" : "new"} number={newLine ?? oldLine} acts={acts} />
    </div>
  );
});

export interface PairRowProps extends Common {
  readonly line: Extract<DiffLine, { readonly kind: "pair" }>;
  readonly old: DrawnSide | null;
  readonly next: DrawnSide | null;
  readonly acts: LineActs;
}

export const PairRow = memo(function PairRow({ line, old, next, acts, ...common }: PairRowProps) {
  return (
    <div {...rowProps(common)} data-split="true">
      <HalfRow line={line} side={old} number={old?.row.row.oldLine ?? null} acts={acts} {...common} />
      <HalfRow line={line} side={next} number={next?.row.row.newLine ?? null} acts={acts} {...common} />
      <CommentCell
        line={line}
        side={next === null ? "old" : "new"}
        number={next?.row.row.newLine ?? old?.row.row.oldLine ?? null}
        acts={acts}
      />
    </div>
  );
});

interface HalfRowProps extends Common {
  readonly line: DiffLine;
  readonly side: DrawnSide | null;
  readonly number: number | null;
  readonly acts: LineActs;
}

function HalfRow({ line, side, number, acts, isRejected, isSpaceOnly }: HalfRowProps) {
  if (side === null) return <span className="diff-half" data-kind="void" />;
  const { kind } = side.row.row;
  return (
    <span className="diff-half" role="presentation" data-kind={isSpaceOnly ? "space" : kind} data-out={side.isLeftOut}>
      <NumberCell number={number} />
      <SignCell line={line} side={side} acts={acts} isRejected={isRejected} isSpaceOnly={isSpaceOnly} />
      <TextCell side={side} />
    </span>
  );
}

export interface ContextRowProps extends Common {
  readonly line: Extract<DiffLine, { readonly kind: "context" }>;
  readonly colours: readonly Coloured[];
  readonly isSplit: boolean;
  readonly acts: LineActs;
}

const unchanged: readonly Changed[] = [];

export const ContextRow = memo(function ContextRow({ line, colours, isSplit, acts, ...common }: ContextRowProps) {
  const { oldLine, newLine, text } = line;
  const code = <Code text={text} colours={colours} changed={unchanged} cut={0} />;
  return (
    <div {...rowProps(common)} data-kind="beyond" data-split={isSplit}>
      {isSplit ? (
        [oldLine, newLine].map((number, side) => (
          <span key={side} className="diff-half" role="presentation" data-kind="context">
            <NumberCell number={number} />
            <span className="diff-sign" />
            <span className="diff-text" role="gridcell">
              {code}
            </span>
          </span>
        ))
      ) : (
        <>
          <NumberCell number={oldLine} />
          <NumberCell number={newLine} />
          <span className="diff-sign" />
          <span className="diff-text" role="gridcell">
            {code}
          </span>
        </>
      )}
      <CommentCell line={line} side="new" number={newLine} acts={acts} />
    </div>
  );
});

function rowProps({ id, index, isFocused, isCursor, isRejected, isPartly }: Common) {
  return {
    id,
    className: "diff-row",
    role: "row",
    "aria-rowindex": index + 1,
    "aria-selected": isCursor,
    "data-focused": isFocused,
    "data-cursor": isCursor,
    "data-rejected": isRejected,
    "data-partly": isPartly,
  } as const;
}

function NumberCell({ number }: { readonly number: number | null }) {
  return (
    <span className="diff-number" role="gridcell">
      {number}
    </span>
  );
}

function TextCell({ side: { row, colours, changed } }: { readonly side: DrawnSide }) {
  const { kind, text, cut } = row.row;
  return (
    <span className="diff-text" role="gridcell">
      {kind === "noNewline" ? (
        <span className="diff-remark">No newline at end of file</span>
      ) : (
        <Code text={text} colours={colours} changed={changed} cut={cut ?? 0} />
      )}
    </span>
  );
}

interface SignCellProps {
  readonly line: DiffLine;
  readonly side: DrawnSide;
  readonly acts: LineActs;
  readonly isRejected: boolean;
  readonly isSpaceOnly: boolean;
}

function SignCell({ line, side, acts, isRejected, isSpaceOnly }: SignCellProps) {
  const { row, isLeftOut } = side;
  const { kind, newLine, oldLine } = row.row;
  const sign = isSpaceOnly ? "~" : signs[kind];
  const { change } = row;
  const { onToggle } = acts;
  if (onToggle === null || change === null || (line.kind !== "row" && line.kind !== "pair") || isSpaceOnly)
    return (
      <span className="diff-sign" role="gridcell">
        {sign}
      </span>
    );
  const { hunk } = line;
  const isOut = isLeftOut || isRejected;
  const what = kind === "added" ? `added line ${newLine ?? ""}` : `removed line ${oldLine ?? ""}`;
  return (
    <span className="diff-sign" role="gridcell">
      <button
        type="button"
        tabIndex={-1}
        aria-label={isOut ? `Take ${what} in again` : `Leave ${what} out`}
        title={isOut ? "Take this line in again (a)" : "Leave this line out (x)"}
        onClick={() => onToggle(hunk, [change], isOut)}
      >
        {sign}
      </button>
    </span>
  );
}

interface CommentCellProps {
  readonly line: DiffLine;
  readonly side: "old" | "new";
  readonly number: number | null;
  readonly acts: LineActs;
}

function CommentCell({ line, side, number, acts }: CommentCellProps) {
  const { onComment } = acts;
  if (onComment === null || number === null) return null;
  return (
    <span className="diff-comment" role="gridcell">
      <button
        type="button"
        tabIndex={-1}
        aria-label={`Comment on ${side === "old" ? "removed line" : "line"} ${number}`}
        title="Comment on this line (c)"
        onClick={() => onComment(line, side)}
      >
        Comment
      </button>
    </span>
  );
}
