// A line of code of a diff, with its colours and the words that changed found for it.

import { useMemo } from "react";

import { ContextRow, PairRow, UnifiedRow } from "./DiffRow.tsx";
import type { DrawnSide } from "./DiffRow.tsx";
import type { DiffLine } from "./diffLines.ts";
import { amendmentOf, isRejected, leftOutOf } from "./draft.ts";
import type { ModelRow } from "./fileModel.ts";
import type { LineProps } from "./lineProps.ts";
import { changedWords } from "./spans.ts";
import type { Changed, ChangedWords } from "./spans.ts";
import { codeLineOf } from "./syntax/useSyntax.ts";

type RowLine = Extract<DiffLine, { readonly kind: "row" | "pair" | "context" }>;

export function CodeRow(props: LineProps & { readonly line: RowLine }) {
  const { line, id, index, isCursor, file, place, draft, inView, syntax, isSplit, lineActs } = props;
  const at = { path: file.path, number: line.hunk };
  const common = {
    id,
    index,
    isCursor,
    isFocused: line.hunk === place.number,
    isRejected: line.kind !== "context" && isRejected(draft, at),
    isPartly: amendmentOf(draft, at) !== null,
    isSpaceOnly: line.kind !== "context" && line.isSpaceOnly,
    acts: lineActs,
  };
  const [left, right] = useSides(props);
  if (line.kind === "context") {
    const colours = syntax.coloursOf({ name: "file", texts: inView.fileLines, at: line.newLine - 1 });
    return <ContextRow {...common} line={line} colours={colours} isSplit={isSplit} />;
  }
  if (line.kind === "pair") return <PairRow {...common} line={line} old={left} next={right} />;
  return left === null ? null : <UnifiedRow {...common} line={line} side={left} />;
}

const unmarked: readonly Changed[] = [];

/** What is drawn of a line: one side, two beside each other, or none of a line that has no row. The same objects while nothing in them has changed. */
function useSides({
  line,
  file,
  draft,
  hunks,
  syntax,
}: LineProps & { readonly line: RowLine }): readonly [DrawnSide | null, DrawnSide | null] {
  const hunk = hunks.get(line.hunk);
  const [left, right] =
    line.kind === "row" ? [line.row, null] : line.kind === "pair" ? [line.old, line.next] : [null, null];
  const words = line.kind === "context" ? null : wordsIn(line);
  const out = leftOutOf(draft, { path: file.path, number: line.hunk });
  const isOut = (row: ModelRow | null) => row?.change != null && out.includes(row.change);
  const leftColours = hunk && left ? syntax.coloursOf(codeLineOf(hunk, left)) : null;
  const rightColours = hunk && right ? syntax.coloursOf(codeLineOf(hunk, right)) : null;
  const changedIn = (row: ModelRow | null) =>
    (row?.row.kind === "removed" ? words?.removed : row?.row.kind === "added" ? words?.added : null) ?? unmarked;
  return [
    useSide(left, leftColours, changedIn(left), isOut(left)),
    useSide(right, rightColours, changedIn(right), isOut(right)),
  ];
}

function useSide(
  row: ModelRow | null,
  colours: DrawnSide["colours"] | null,
  changed: readonly Changed[],
  isLeftOut: boolean,
): DrawnSide | null {
  return useMemo(
    () => (row === null || colours === null ? null : { row, colours, changed, isLeftOut }),
    [row, colours, changed, isLeftOut],
  );
}

function wordsIn(line: Extract<RowLine, { readonly kind: "row" | "pair" }>): ChangedWords | null {
  if (line.kind === "row") return line.partner === null ? null : wordsOf(...inOrder(line.row, line.partner));
  return line.isSame && line.old !== line.next ? wordsOf(line.old, line.next) : null;
}

function inOrder(row: ModelRow, partner: ModelRow): readonly [ModelRow, ModelRow] {
  return row.row.kind === "removed" ? [row, partner] : [partner, row];
}

const compared = new WeakMap<ModelRow, { readonly next: ModelRow; readonly words: ChangedWords }>();

/** Compared once: a line is drawn again with every step of the cursor. */
function wordsOf(old: ModelRow | null, next: ModelRow | null): ChangedWords | null {
  if (old === null || next === null) return null;
  const known = compared.get(old);
  if (known?.next === next) return known.words;
  const words = changedWords(old.row.text, next.row.text);
  compared.set(old, { next, words });
  return words;
}
