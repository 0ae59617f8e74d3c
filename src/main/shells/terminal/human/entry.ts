// One thing that a person wants to know, before it has a width: who, in what state, which words lead, what stands below.
// Says nothing about ink or columns beyond its tones.

import type { AgentId } from "../../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../../shared/contract/snapshots.ts";
import type { EventOf, EventType } from "../../../domain/events.ts";
import { fit, pad, textWidth, wrap, wrapFacts } from "./layout.ts";
import type { Glyph, Look } from "./look.ts";
import { plainText } from "./plainText.ts";
import { paint, type Tone } from "./style.ts";

/** A line below an entry. `command` is to be typed as it stands, so never broken; `facts` stand side by side. */
export type Detail =
  | { readonly kind: "command" | "quote" | "fact"; readonly text: string }
  | { readonly kind: "facts"; readonly parts: readonly string[] };

export interface Entry {
  /** Whose line it is; the agent of the event when left out. */
  readonly agent?: AgentId;
  readonly glyph?: Glyph;
  /** Ink of glyph and head. */
  readonly tone?: Tone;
  /** The words that say what happened. */
  readonly head: string;
  /** What it happened to; may hold line feeds. */
  readonly text?: string;
  readonly textTone?: Tone;
  readonly details?: readonly Detail[];
}

/** What an event says to a person; `null` when it is noise to them. */
export type Teller<T extends EventType> = (event: EventOf<T>, snapshot: RunSnapshot, look: Look) => Entry | null;

export const silent = (): null => null;

/** Under this many columns the role of an agent is left out. */
const roomyColumns = 80;

/** An entry as lines: time, glyph, agent, then its words in what room is left. Nothing but these columns ever begins a line. */
export function drawEntry(
  entry: Entry,
  { at, agent, role }: { readonly at: number; readonly agent: AgentId; readonly role: string },
  look: Look,
): string[] {
  const { style, columns, signs, clock } = look;
  const isRoomy = columns >= roomyColumns;
  const nameWidth = isRoomy ? 20 : 11;
  const inset = 8 + 2 + 1 + 1 + nameWidth + 2;
  const tone = entry.tone ?? "plain";
  const glyph = entry.glyph === undefined ? " " : paint(style, tone, signs.glyphs[entry.glyph]);
  const shownRole = isRoomy && role !== "" ? fit(` ${role}`, nameWidth - textWidth(agent), signs.ellipsis) : "";
  const name = `${agent}${paint(style, "blue", shownRole)}${pad("", nameWidth - textWidth(agent + shownRole))}`;
  const before = `${paint(style, "dim", clock.time(at))}  ${glyph} ${name}  `;
  const text = entry.text ?? "";
  // The last gate: whatever a teller let through, nothing that a terminal obeys goes on from here.
  const words = plainText(entry.head === "" ? text : text === "" ? entry.head : `${entry.head}: ${text}`);
  const inkWords = (line: string, index: number): string => {
    if (index > 0 || !line.startsWith(entry.head)) return paint(style, entry.textTone ?? "plain", line);
    return paint(style, tone, entry.head) + paint(style, entry.textTone ?? "plain", line.slice(entry.head.length));
  };
  const lines = wrap(words, columns - inset).map(inkWords);
  const details = (entry.details ?? []).flatMap((detail) => drawDetail(detail, columns - inset - 2, look));
  return [...lines, ...details.map((line) => `  ${line}`)].map((line, index) =>
    `${index === 0 ? before : " ".repeat(inset)}${line}`.trimEnd(),
  );
}

function drawDetail(detail: Detail, width: number, { style, signs }: Look): readonly string[] {
  switch (detail.kind) {
    case "command":
      return [paint(style, "bold", plainText(detail.text))];
    case "quote":
      return wrap(plainText(detail.text), width);
    case "fact":
      return wrap(plainText(detail.text), width).map((line) => paint(style, "dim", line));
    case "facts":
      return wrapFacts(detail.parts.map(plainText), width, signs.dot).map((line) => paint(style, "dim", line));
  }
}
