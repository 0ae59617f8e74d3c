// Draws each line of a file's diff as what it is: head, row, pair, lines around, comment or editor.

import { ChevronsUpDown } from "lucide-react";
import { useCallback, useMemo } from "react";

import type { PatchPage } from "../../../shared/contract/pages.ts";
import { countOf } from "../../ui/formats.ts";
import { DiffGrid } from "./DiffGrid.tsx";
import type { DrawnLine } from "./DiffGrid.tsx";
import { ContextRow, PairRow, UnifiedRow } from "./DiffRow.tsx";
import type { DrawnSide, LineActs } from "./DiffRow.tsx";
import type { FileDiffProps } from "./FileDiff.tsx";
import { HunkEditor } from "./HunkEditor.tsx";
import { HunkHead } from "./HunkHead.tsx";
import { Thread } from "./Thread.tsx";
import type { DiffLine, Gap, Shown } from "./diffLines.ts";
import { amendmentOf, isRejected, leftOutOf } from "./draft.ts";
import type { HunkModel, ModelRow } from "./fileModel.ts";
import { changedWords } from "./spans.ts";
import type { Changed, ChangedWords } from "./spans.ts";
import { codeLineOf, useSyntax } from "./syntax/useSyntax.ts";
import type { CodeLine, Syntax } from "./syntax/useSyntax.ts";
import { useFileKeys } from "./useFileActs.ts";
import type { FileActs } from "./useFileActs.ts";
import type { FileLinesInView } from "./useFileLines.ts";

export interface DiffLinesProps extends FileDiffProps {
  readonly acts: FileActs;
  readonly inView: FileLinesInView;
  readonly body: PatchPage;
}

export function DiffLines(props: DiffLinesProps) {
  const { file, place, view, acts, inView, canDecide, canComment, changes, offerKeys } = props;
  const { path } = file;
  const { lines, shownModel, columns } = inView;
  const isSplit = view.mode === "split";
  const syntax = useSyntax(path);
  const hunks = useMemo(() => new Map(shownModel.hunks.map((hunk) => [hunk.number, hunk])), [shownModel]);
  const canEdit = canDecide && hasPlainLines(props.body) && !inView.patch.hasMore;
  const cursorLine = useMemo(() => lines.find(({ key }) => key === place.line) ?? null, [lines, place.line]);
  useFileKeys(offerKeys, acts, hunks.get(place.number) ?? null, cursorLine, canEdit);
  const { toggle, comment } = acts;
  const lineActs = useMemo(
    (): LineActs => ({ onToggle: canEdit ? toggle : null, onComment: canComment ? comment : null }),
    [toggle, comment, canEdit, canComment],
  );

  const { want } = syntax;
  const { fileLines } = inView;
  const onShown = useCallback(
    (shown: readonly DiffLine[]) => want(shown.flatMap((line) => codeOf(line, hunks, fileLines))),
    [want, hunks, fileLines],
  );
  const look = place.look;
  const onLook = useCallback(
    (number: number, line: string | null) => look({ path, number }, line ?? undefined),
    [look, path],
  );
  const drawing = { ...props, hunks, syntax, isSplit, canEdit, lineActs };
  return (
    <>
      {isSplit && (
        <div className="diff-sides" aria-hidden="true">
          <span>
            before, <code>{changes.base.slice(0, 7)}</code>
          </span>
          <span>
            {changes.agent}, <code>{changes.commit.slice(0, 7)}</code>
          </span>
        </div>
      )}
      <DiffGrid
        lines={lines}
        label={`Changes of ${path}`}
        isSplit={isSplit}
        columns={columns}
        number={place.number}
        line={place.line}
        onLook={onLook}
        onShown={onShown}
        renderLine={(drawn) => <Line key={drawn.line.key} {...drawing} {...drawn} />}
      />
    </>
  );
}

/** Lines of a plain file can be left out and edited; those of a link, a deletion or a change of kind cannot. */
function hasPlainLines({ oldMode, newMode }: PatchPage): boolean {
  const isPlain = (mode: string | null) => mode === null || mode.startsWith("100");
  return newMode !== null && isPlain(oldMode) && isPlain(newMode);
}

type Hunks = ReadonlyMap<number, HunkModel>;

/** The code that a line shows; two lines where two stand beside each other. */
function codeOf(line: DiffLine, hunks: Hunks, file: readonly string[]): readonly CodeLine[] {
  if (line.kind === "context") return [{ name: "file", texts: file, at: line.newLine - 1 }];
  if (line.kind !== "row" && line.kind !== "pair") return [];
  const hunk = hunks.get(line.hunk);
  const rows = line.kind === "row" ? [line.row] : [line.old, line.next].filter((row) => row !== null);
  return hunk === undefined ? [] : rows.map((row) => codeLineOf(hunk, row));
}

interface LineProps extends DiffLinesProps, DrawnLine {
  readonly hunks: Hunks;
  readonly syntax: Syntax;
  readonly isSplit: boolean;
  readonly canEdit: boolean;
  readonly lineActs: LineActs;
}

function Line(props: LineProps) {
  const { line } = props;
  switch (line.kind) {
    case "gap":
      return <GapRow gap={line.gap} index={props.index} onOpen={props.inView.openGap} />;
    case "head":
      return <Head {...props} line={line} />;
    case "editor":
      return <Editor {...props} hunk={line.hunk} />;
    case "thread":
      return <Comment {...props} line={line} />;
    case "row":
    case "pair":
    case "context":
      return <Row {...props} line={line} />;
  }
}

/** Lines that one step opens; fewer are opened at once. */
const stepLines = 20;

function GapRow({
  gap,
  index,
  onOpen,
}: {
  readonly gap: Gap;
  readonly index: number;
  readonly onOpen: (gap: Gap, more: Shown) => void;
}) {
  const count = gap.to === null ? null : gap.to - gap.from + 1;
  const all = count === null ? { head: stepLines * 2, tail: 0 } : { head: count, tail: 0 };
  return (
    <div className="diff-gap" role="row" aria-rowindex={index + 1}>
      <span role="gridcell">
        <ChevronsUpDown size={11} aria-hidden="true" />
        {count !== null && count > stepLines * 2 && (
          <>
            <button type="button" tabIndex={-1} onClick={() => onOpen(gap, { head: stepLines, tail: 0 })}>
              {stepLines} below
            </button>
            <button type="button" tabIndex={-1} onClick={() => onOpen(gap, { head: 0, tail: stepLines })}>
              {stepLines} above
            </button>
          </>
        )}
        <button type="button" tabIndex={-1} onClick={() => onOpen(gap, all)}>
          {count === null ? "Lines after this" : countOf(count, "unchanged line")}
        </button>
      </span>
    </div>
  );
}

function Head(props: LineProps & { readonly line: Extract<DiffLine, { readonly kind: "head" }> }) {
  const { line, id, index, file, place, draft, changes, acts, hunks, canDecide, canEdit, canComment } = props;
  const { number } = line.hunk;
  const at = { path: file.path, number };
  const amendment = amendmentOf(draft, at);
  const hunk = hunks.get(number);
  return (
    <div className="diff-head" role="row" id={id} aria-rowindex={index + 1}>
      <div role="gridcell">
        <HunkHead
          hunk={line.hunk}
          isFocused={number === place.number}
          isRejected={isRejected(draft, at)}
          leftOutCount={leftOutOf(draft, at).length}
          isEdited={amendment !== null && "text" in amendment}
          target={changes.target}
          hasVerdict={canDecide || changes.selection !== null}
          onDecide={canDecide ? (isAccepted) => acts.decide(number, isAccepted) : null}
          onEdit={canEdit ? () => acts.setEditing(number) : null}
          onComment={canComment && hunk !== undefined ? () => acts.commentOnHunk(hunk) : null}
        />
      </div>
    </div>
  );
}

function Editor({ hunk, file, draft, changes, acts }: LineProps & { readonly hunk: HunkModel }) {
  const amendment = amendmentOf(draft, { path: file.path, number: hunk.number });
  return (
    <HunkEditor
      hunk={hunk}
      edit={amendment !== null && "text" in amendment ? amendment.text : null}
      isChecked={changes.checks.length > 0}
      onSave={(text) => acts.save(hunk.number, text)}
      onCancel={() => acts.setEditing(null)}
    />
  );
}

function Comment({
  line,
  file,
  draft,
  acts,
  canComment,
}: LineProps & { readonly line: Extract<DiffLine, { readonly kind: "thread" }> }) {
  const { side, line: number } = line;
  const comment = draft.comments.find((one) => one.path === file.path && one.side === side && one.line === number);
  const isWriting = acts.writing?.side === side && acts.writing.line === number;
  const at = { side, line: number, quote: comment?.quote ?? acts.writing?.quote ?? "" };
  return (
    <Thread
      where={side === "new" ? `line ${number}` : `removed line ${number}`}
      text={comment?.text ?? ""}
      isWriting={isWriting}
      onChange={canComment ? (text) => acts.write(at, text) : null}
      onWrite={(writes) => acts.setWriting(writes ? at : null)}
    />
  );
}

const unmarked: readonly Changed[] = [];

function Row(props: LineProps & { readonly line: Extract<DiffLine, { readonly kind: "row" | "pair" | "context" }> }) {
  const { line, id, index, isCursor, file, place, draft, inView, syntax, hunks, isSplit, lineActs } = props;
  const at = { path: file.path, number: line.hunk };
  const out = leftOutOf(draft, at);
  const common = {
    id,
    index,
    isCursor,
    isFocused: line.hunk === place.number,
    isRejected: line.kind !== "context" && isRejected(draft, at),
    isPartly: amendmentOf(draft, at) !== null,
    isSpaceOnly: line.kind !== "context" && line.isSpaceOnly,
  };
  const hunk = hunks.get(line.hunk);
  if (line.kind === "context") {
    const colours = syntax.coloursOf({ name: "file", texts: inView.fileLines, at: line.newLine - 1 });
    return <ContextRow {...common} line={line} colours={colours} isSplit={isSplit} acts={lineActs} />;
  }
  if (hunk === undefined) return null;
  const side = (row: ModelRow, changed: readonly Changed[]): DrawnSide => ({
    row,
    changed,
    colours: syntax.coloursOf(codeLineOf(hunk, row)),
    isLeftOut: row.change !== null && out.includes(row.change),
  });
  if (line.kind === "pair") {
    const words = line.isSame && line.old !== line.next ? wordsOf(line.old, line.next) : null;
    return (
      <PairRow
        {...common}
        line={line}
        old={line.old && side(line.old, words?.removed ?? unmarked)}
        next={line.next && side(line.next, words?.added ?? unmarked)}
        acts={lineActs}
      />
    );
  }
  const words = line.partner === null ? null : wordsOf(...inOrder(line.row, line.partner));
  const own = line.row.row.kind === "removed" ? words?.removed : words?.added;
  return <UnifiedRow {...common} line={line} side={side(line.row, own ?? unmarked)} acts={lineActs} />;
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
