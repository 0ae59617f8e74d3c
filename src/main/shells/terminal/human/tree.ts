// The graph of a run as a tree of lines: the lead as root, its subagents in order, each with its state and why it waits.
// Draws one snapshot; remembers nothing.

import type { RunSnapshot, SubagentSnapshot } from "../../../../shared/contract/snapshots.ts";
import { countOf, shortCommit, tokenWords } from "./figures.ts";
import { fit, pad, textWidth, wrap, wrapFacts } from "./layout.ts";
import { type Look, lookOf, type LookOptions } from "./look.ts";
import { paint, type Tone } from "./style.ts";
import { landingOf, runStatusWords, type StatusWords, statusWords } from "./words.ts";

/** Under this many columns a title stands below its subagent instead of beside it. */
const roomyColumns = 80;
const gap = "  ";

/** A sentence, or facts side by side. */
type Line = { readonly text: string; readonly tone: Tone } | { readonly facts: readonly string[] };

interface Row {
  readonly state: StatusWords;
  readonly name: string;
  readonly role: string;
  readonly title: string;
  readonly details: readonly Line[];
}

interface Widths {
  /** What forks and stems take before a glyph; nothing where there is only the lead. */
  readonly inset: number;
  readonly name: number;
  readonly role: number;
  readonly word: number;
}

/** The lead and its subagents, one to three lines each and as many as a reason needs, at most `columns` wide. */
export function renderTree(snapshot: RunSnapshot, options: LookOptions): string[] {
  const look = lookOf(options);
  const unicode = options.unicode ?? true;
  const lead = leadRow(snapshot, look, unicode);
  const rows = snapshot.subagents.map((node) => subagentRow(snapshot, node, look, unicode));
  const { fork, lastFork, stem } = look.signs;
  const isLeaf = rows.length === 0;
  const widths: Widths = {
    inset: isLeaf ? 0 : fork.length + 1,
    name: widest([lead, ...rows].map((row) => row.name)),
    role: widest(rows.map((row) => row.role)),
    word: widest([lead, ...rows].map((row) => row.state.word)),
  };
  return [
    ...drawRow(lead, widths, look, { first: "", rest: isLeaf ? "" : stem }),
    ...rows.flatMap((row, index) => {
      const isLast = index === rows.length - 1;
      return drawRow(row, widths, look, { first: `${isLast ? lastFork : fork} `, rest: isLast ? "" : stem });
    }),
  ];
}

function leadRow(snapshot: RunSnapshot, look: Look, unicode: boolean): Row {
  const { lead } = snapshot;
  const isOver = snapshot.status === "stopped";
  const doing = !isOver && lead.waitingFor === undefined ? look.line(lead.activity) : "";
  return {
    state: runStatusWords(snapshot, { unicode }),
    name: "lead",
    role: "",
    title: look.line(snapshot.title),
    details: [
      ...(lead.waitingFor === undefined || isOver
        ? []
        : [{ text: look.line(lead.waitingFor.sentence), tone: toneOfWait(lead.waitingFor.code) }]),
      { facts: [countOf(lead.steps, "step"), look.line(lead.model), doing] },
    ],
  };
}

function subagentRow(snapshot: RunSnapshot, node: SubagentSnapshot, look: Look, unicode: boolean): Row {
  const landing = landingOf(snapshot, node.id);
  const facts = [
    landing === undefined ? "" : `landed as ${shortCommit(landing.commit)}`,
    node.dependsOn.length === 0
      ? ""
      : `after ${node.dependsOn.map(({ id, until }) => (until === "proposed" ? `the proposal of ${id}` : id)).join(", ")}`,
    node.replaces === undefined ? "" : `replaces ${node.replaces}`,
    node.startedAt === null ? "" : `${node.steps} of ${countOf(node.maxSteps, "step")}`,
    node.inputTokens + node.outputTokens === 0 ? "" : tokenWords(node.inputTokens + node.outputTokens),
    node.verification === "passed" ? "checks passed" : node.verification === "failed" ? "checks failed" : "",
    isAtWork(node) ? look.line(node.activity) : "",
  ];
  return {
    state: statusWords(node, { unicode, hasLanded: landing !== undefined }),
    name: node.id,
    role: look.line(node.role),
    title: look.line(node.title),
    details: [...reasonsOf(node, look), ...remarksOf(snapshot, node, look), { facts }],
  };
}

/** Why it does not go on, or how it ended: each in full. */
function reasonsOf({ held, waitingFor, code, status }: SubagentSnapshot, look: Look): readonly Line[] {
  const lines: Line[] = [];
  if (held !== undefined)
    lines.push({ text: `Held: ${look.line(held.sentence)} (${look.line(held.code)})`, tone: "amber" });
  // A node that is about to start waits for nothing that is worth a line.
  if (waitingFor !== undefined && waitingFor.code !== "READY")
    lines.push({ text: look.line(waitingFor.sentence), tone: toneOfWait(waitingFor.code) });
  if (code !== undefined) lines.push({ text: look.line(code), tone: status === "failed" ? "red" : "dim" });
  return lines;
}

/** What whoever decides about its work should know first. */
function remarksOf({ approvals }: RunSnapshot, { id }: SubagentSnapshot, look: Look): readonly Line[] {
  return approvals.flatMap(({ agent, why }) =>
    agent === id && why !== undefined ? [{ text: look.line(why), tone: "amber" as const }] : [],
  );
}

function drawRow(
  { state, name, role, title, details }: Row,
  widths: Widths,
  look: Look,
  lines: { readonly first: string; readonly rest: string },
): string[] {
  const { style, columns, signs } = look;
  const { inset } = widths;
  const isRoomy = columns >= roomyColumns;
  const nameWidth = inset + 2 + widths.name - lines.first.length - 2;
  const roleColumn = widths.role === 0 ? "" : paint(style, "blue", pad(role, widths.role)) + gap;
  const head =
    paint(style, "dim", lines.first) +
    paint(style, state.tone, state.glyph) +
    " " +
    pad(name, nameWidth) +
    gap +
    roleColumn +
    paint(style, state.tone, pad(state.word, widths.word));
  const headWidth =
    inset +
    2 +
    widths.name +
    gap.length +
    (widths.role === 0 ? 0 : widths.role + gap.length) +
    widths.word +
    gap.length;
  const at = isRoomy ? headWidth : inset + 2;
  const below = paint(style, "dim", pad(lines.rest, at));
  const room = columns - at;
  const beside = isRoomy ? paint(style, "bold", fit(title, room, signs.ellipsis)) : "";
  const under = isRoomy || title === "" ? [] : [{ text: title, tone: "bold" } as const];
  return [
    `${head}${gap}${beside}`.trimEnd(),
    ...[...under, ...details].flatMap((line) => inkLines(line, room, look)).map((line) => below + line),
  ];
}

function inkLines(line: Line, width: number, { style, signs }: Look): readonly string[] {
  if ("facts" in line) return wrapFacts(line.facts, width, signs.dot).map((text) => paint(style, "dim", text));
  return wrap(line.text, width).map((text) => paint(style, line.tone, text));
}

function toneOfWait(code: string): Tone {
  return code === "PERSON" ? "amber" : "plain";
}

function isAtWork({ status, activity }: SubagentSnapshot): boolean {
  return activity !== "" && (status === "running" || status === "submitting" || status === "landing");
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map(textWidth));
}
