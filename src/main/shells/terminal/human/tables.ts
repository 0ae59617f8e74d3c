// Lists of the command line: runs, approvals, what the doctor found. An empty list says what to do next.
// Names only commands that exist.

import type { RunListItem } from "../../../../shared/contract/snapshots.ts";
import type { ApprovalRow } from "../../../engine/ports/store.ts";
import { countOf } from "./figures.ts";
import { fit, pad, textWidth, wrap } from "./layout.ts";
import { type Look, lookOf, type LookOptions } from "./look.ts";
import { paint, type Tone } from "./style.ts";
import { approvalWords, decidingCommands, runStatusWords } from "./words.ts";

const gap = "  ";
/** Under this many columns the run list leaves out when and where. */
const roomyColumns = 80;

/** What a line of the run list shows. */
export type RunLine = Pick<RunListItem, "run" | "title" | "stopReason" | "repo" | "createdAt"> & {
  readonly status: string;
};

interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

/** One line a run, in the order given; the task takes what room is left. */
export function renderRuns(rows: readonly RunLine[], options: LookOptions): string[] {
  const look = lookOf(options);
  if (rows.length === 0) {
    return [
      "No runs yet.",
      ...command("coppice run --task TEXT", "starts one in the repository you are in", look),
      ...command("coppice demo", "shows one: no key, no network", look),
    ];
  }
  const isRoomy = look.columns >= roomyColumns;
  const lines = rows.map((row): readonly Cell[] => {
    const { glyph, word, tone } = runStatusWords(row, { unicode: options.unicode ?? true });
    const run: Cell = { text: look.line(row.run), tone: "plain" };
    const state: Cell = { text: `${glyph} ${look.line(word)}`, tone };
    const started: Cell = { text: look.clock.moment(row.createdAt), tone: "dim" };
    const repository: Cell = { text: look.line(lastFolder(row.repo)), tone: "blue" };
    const task: Cell = { text: look.line(row.title), tone: "plain" };
    return isRoomy ? [run, state, started, repository, task] : [run, state, task];
  });
  const names = isRoomy ? ["run", "state", "started", "repository", "task"] : ["run", "state", "task"];
  return alignCells([names.map((text): Cell => ({ text, tone: "dim" })), ...lines], look);
}

/** An approval as it is listed; `isLine`: it asks for a run's whole branch. */
export interface ApprovalLine extends ApprovalRow {
  readonly isLine?: boolean;
}

/** Two or three lines an approval and the commands that decide it, in the order given. */
export function renderApprovals(rows: readonly ApprovalLine[], options: LookOptions): string[] {
  const look = lookOf(options);
  if (rows.length === 0) return ["Nothing waits for you.", ...command("coppice runs", "lists what there is", look)];
  return rows.flatMap((row, index) => [...(index === 0 ? [] : [""]), ...approvalLines(row, look)]);
}

function approvalLines(row: ApprovalLine, look: Look): readonly string[] {
  const { style, signs, columns } = look;
  const id = look.line(row.id);
  const run = look.line(row.run);
  const facts = look.facts([row.agent, `run ${run}`, `since ${look.clock.moment(row.since)}`]);
  const looking = row.kind === "changeset" ? [`coppice diff ${run} ${row.agent}`] : [];
  return [
    `${paint(style, "amber", `${signs.glyphs["needs-you"]} ${look.line(approvalWords(row.kind))}`)}${gap}${paint(style, "dim", facts)}`,
    ...wrap(look.line(row.summary), columns - 2).map((line) => `  ${line}`),
    ...[...looking, ...decidingCommands(row)].map((line) => `    ${paint(style, "bold", line.replace(row.id, id))}`),
  ];
}

/** What one check of the doctor found. */
export interface DoctorLine {
  readonly id: string;
  readonly title: string;
  readonly ok: boolean;
  /** What breaks it, one a line; empty when it holds. */
  readonly details: readonly string[];
}

/** One line an invariant, its findings below it, and how many hold. */
export function renderDoctor(lines: readonly DoctorLine[], options: LookOptions): string[] {
  const look = lookOf(options);
  const { style, signs, columns } = look;
  const idWidth = Math.max(0, ...lines.map(({ id }) => textWidth(id)));
  const inset = 2 + 6 + gap.length + idWidth + gap.length;
  const shown = lines.flatMap(({ id, title, ok, details }) => {
    const state = ok
      ? paint(style, "green", `${signs.glyphs.done} holds `)
      : paint(style, "red", `${signs.glyphs.failed} broken`);
    return [
      `${state}${gap}${paint(style, "dim", pad(id, idWidth))}${gap}${look.line(title)}`,
      ...details.flatMap((detail) => wrap(look.line(detail), columns - inset).map((line) => " ".repeat(inset) + line)),
    ];
  });
  const broken = lines.filter(({ ok }) => !ok).length;
  const verdict =
    broken === 0
      ? paint(style, "green", `All ${lines.length} hold.`)
      : paint(
          style,
          "red",
          `${broken} of ${countOf(lines.length, "invariant")} ${broken === 1 ? "is" : "are"} broken.`,
        );
  return [...shown, "", verdict];
}

/** A command to type and what it does. */
function command(line: string, does: string, { style }: Look): readonly string[] {
  return [`  ${paint(style, "bold", pad(line, 24))}${gap}${paint(style, "dim", does)}`];
}

function alignCells(rows: readonly (readonly Cell[])[], { style, columns, signs }: Look): string[] {
  const columnCount = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columnCount }, (_, at) =>
    Math.max(...rows.map((row) => textWidth(row[at]?.text ?? ""))),
  );
  return rows.map((row) => {
    let used = 0;
    const cells = row.map(({ text, tone }, at) => {
      const width = widths[at] ?? 0;
      const shown = fit(text, Math.max(0, columns - used), signs.ellipsis);
      used += width + gap.length;
      return at === row.length - 1
        ? paint(style, tone, shown)
        : paint(style, tone, shown) + " ".repeat(Math.max(0, width - textWidth(shown)));
    });
    return cells.join(gap).trimEnd();
  });
}

function lastFolder(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== "") ?? path;
}
