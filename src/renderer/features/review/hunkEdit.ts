// The lines of a hunk as a text that a person may change, and back. Pure.

import { diffLines } from "diff";

import type { DiffRow } from "../../../shared/contract/pages.ts";
import { modelOf } from "./fileModel.ts";
import type { FileModel, HunkModel } from "./fileModel.ts";

export type Editable =
  /** `text` has line feeds alone; `lineEnd` is what the file has. */
  | { readonly kind: "text"; readonly text: string; readonly lineEnd: "\n" | "\r\n"; readonly endsWithLine: boolean }
  | { readonly kind: "not"; readonly why: string };

const maxChars = 50_000;

/** What an editor begins with: the hunk as it is proposed. */
export function editableOf({ rows, sides }: HunkModel): Editable {
  if (rows.some(({ row }) => row.cut !== undefined)) return no("It has a line that is too long to be edited here.");
  return editableLines(sides.new, !lacksLineEnd(rows));
}

/** Lines of a file, without their ends, as a text to edit. `endsWithLine`: the last of them has an end. */
export function editableLines(lines: readonly string[], endsWithLine: boolean): Editable {
  const returns = lines.filter((line) => line.endsWith("\r")).length;
  if (lines.some((line) => line.includes("\ufffd"))) return no("It holds bytes that are no UTF-8.");
  if (returns > 0 && returns < lines.length) return no("Its line ends are of two kinds.");
  const text = lines.map((line) => (returns > 0 ? line.slice(0, -1) : line)).join("\n");
  if (text.length > maxChars) return no("It is too long to be edited here.");
  return { kind: "text", text, lineEnd: returns > 0 ? "\r\n" : "\n", endsWithLine };
}

function no(why: string): Editable {
  return { kind: "not", why };
}

/** Whether the new file ends in this hunk, without a line end. */
function lacksLineEnd(rows: HunkModel["rows"]): boolean {
  const at = rows.findLastIndex(({ row }) => row.kind === "noNewline");
  return at !== -1 && at === rows.length - 1 && rows[at - 1]?.row.kind !== "removed";
}

/** The bytes that land, as text: the file's line ends, and one at the end where the hunk had one. */
export function landingText(text: string, { lineEnd, endsWithLine }: Extract<Editable, { kind: "text" }>): string {
  const ended = text === "" || !endsWithLine || text.endsWith("\n") ? text : `${text}\n`;
  return ended.replaceAll("\n", lineEnd);
}

/** What the editor shows of a text that was to land. */
export function editorText(text: string, { endsWithLine }: Extract<Editable, { kind: "text" }>): string {
  const plain = text.replaceAll("\r\n", "\n");
  return endsWithLine && plain.endsWith("\n") ? plain.slice(0, -1) : plain;
}

/** The model with the hunks that were edited as they will land. Their lines cannot be decided singly any more. */
export function withEdits(model: FileModel, edits: ReadonlyMap<number, string>): FileModel {
  if (edits.size === 0) return model;
  return {
    hunks: model.hunks.map((hunk) => {
      const text = edits.get(hunk.number);
      return text === undefined ? hunk : editedHunk(hunk, text);
    }),
  };
}

function editedHunk(hunk: HunkModel, text: string): HunkModel {
  const old = hunk.sides.old.map((line) => `${line}\n`).join("");
  const rows: DiffRow[] = [];
  let [oldLine, newLine] = [hunk.oldLines?.[0] ?? 1, hunk.newLines?.[0] ?? 1];
  for (const part of diffLines(old, text.endsWith("\n") || text === "" ? text : `${text}\n`)) {
    const kind = part.added ? "added" : part.removed ? "removed" : "context";
    for (const line of part.value.split("\n").slice(0, -1)) {
      rows.push({
        kind,
        oldLine: kind === "added" ? null : oldLine,
        newLine: kind === "removed" ? null : newLine,
        text: line,
        hunk: hunk.number,
      });
      if (kind !== "added") oldLine += 1;
      if (kind !== "removed") newLine += 1;
    }
  }
  const [edited] = modelOf(rows).hunks;
  if (edited === undefined) return { ...hunk, rows: [], pairs: [], changeCount: 0 };
  const unnumbered = new Map(edited.rows.map((row) => [row, { ...row, at: -row.at - 1, change: null }]));
  const swap = (row: HunkModel["rows"][number] | null) => (row === null ? null : (unnumbered.get(row) ?? row));
  return {
    ...edited,
    rows: [...unnumbered.values()],
    pairs: edited.pairs.map(({ old, next, isSame }) => ({ old: swap(old), next: swap(next), isSame })),
    partners: new Map(),
    // What stands around it is numbered as it was proposed.
    newLines: hunk.newLines,
    oldLines: hunk.oldLines,
    within: hunk.within,
    changeCount: 0,
  };
}
