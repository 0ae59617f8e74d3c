// Draws each line of a file's diff as what it is: head, row, pair, lines around, comment or editor.

import { ChevronsUpDown } from "lucide-react";
import { useCallback, useMemo } from "react";

import type { PatchPage } from "../../../shared/contract/pages.ts";
import { countOf } from "../../ui/formats.ts";
import { DiffGrid } from "./DiffGrid.tsx";
import { CodeRow } from "./CodeRow.tsx";
import type { LineActs } from "./DiffRow.tsx";
import { HunkEditor } from "./HunkEditor.tsx";
import { HunkHead } from "./HunkHead.tsx";
import { Thread } from "./Thread.tsx";
import type { DiffLine, Gap, Shown } from "./diffLines.ts";
import { amendmentOf, isRejected, leftOutOf } from "./draft.ts";
import type { HunkModel } from "./fileModel.ts";
import type { DiffLinesProps, Hunks, LineProps } from "./lineProps.ts";
import { codeLineOf, useSyntax } from "./syntax/useSyntax.ts";
import type { CodeLine } from "./syntax/useSyntax.ts";
import { useFileKeys } from "./useFileActs.ts";

export function DiffLines(props: DiffLinesProps) {
  const { file, place, view, acts, inView, canDecide, canComment, changes, offerKeys } = props;
  const { path } = file;
  const { lines, shownModel, columns } = inView;
  const digits = String(Math.max(...lastLines(shownModel.hunks.at(-1)))).length;
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
        digits={digits}
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

function lastLines(hunk: HunkModel | undefined): readonly number[] {
  return [0, hunk?.oldLines?.[1] ?? 0, hunk?.newLines?.[1] ?? 0];
}

/** The code that a line shows; two lines where two stand beside each other. */
function codeOf(line: DiffLine, hunks: Hunks, file: readonly string[]): readonly CodeLine[] {
  if (line.kind === "context") return [{ name: "file", texts: file, at: line.newLine - 1 }];
  if (line.kind !== "row" && line.kind !== "pair") return [];
  const hunk = hunks.get(line.hunk);
  const rows = line.kind === "row" ? [line.row] : [line.old, line.next].filter((row) => row !== null);
  return hunk === undefined ? [] : rows.map((row) => codeLineOf(hunk, row));
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
      return <CodeRow {...props} line={line} />;
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
