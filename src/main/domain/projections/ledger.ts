// The delegation ledger: what the lead has handed off so far and what came of it, told to it anew when its conversation
// was brought down, so that it does not delegate the same thing twice. Always within its bound.

import type { Json } from "../../../shared/lib/json.ts";
import { notesToTell } from "../notepad.ts";
import type { ConflictState, NodeState, RunState } from "../state.ts";
import { contradictorsIn, openConflicts } from "../verdictConflicts.ts";
import { clipText } from "./clip.ts";

/** How much of each task and answer is told, characters; the first at which the whole ledger fits. */
const details = [
  { task: 400, answer: 600 },
  { task: 200, answer: 300 },
  { task: 120, answer: 100 },
  { task: 80, answer: 0 },
] as const;
type Detail = (typeof details)[number];

/** Of the room for a ledger, what the notepad may take. */
const notesShare = 0.3;

const opening =
  "[Old parts of your conversation are left out. This is what you have delegated so far and what came of it, from the journal. Build on it; do not delegate the same again. A new attempt names in `replaces` what it is an attempt of. `peekSubagents` shows how things stand now.]";

/** The ledger in at most `maxCharacters` (at least 1,000), with the notes of the run; `null` for a run that has neither. */
export function wordLedger(state: RunState, maxCharacters: number): string | null {
  const notes = wordNotes(state, Math.floor(maxCharacters * notesShare));
  if (state.nodes.length === 0 && notes === "") return null;
  const room = maxCharacters - opening.length - notes.length;
  const conflicts = openConflicts(state);
  const found = details
    .map((detail) => fence(state.nodes.map((node) => lineOf(node, conflicts, detail))))
    .find(fitsInto(room));
  return `${opening}${found ?? newest(state, conflicts, room)}${notes}`;
}

/** As many of the newest as there is room for, and how many stand before them. */
function newest({ nodes }: RunState, conflicts: readonly ConflictState[], room: number): string {
  const lines: string[] = [];
  let left = room - fence([""]).length - JSON.stringify({ earlier: nodes.length }).length;
  for (const node of nodes.toReversed()) {
    const line = lineOf(node, conflicts, details[details.length - 1] ?? details[0]);
    left -= line.length + 1;
    if (left < 0) break;
    lines.unshift(line);
  }
  return fence([JSON.stringify({ earlier: nodes.length - lines.length }), ...lines]);
}

function lineOf(node: NodeState, conflicts: readonly ConflictState[], detail: Detail): string {
  const { id, role, task, status, code, packet, result, resultN } = node;
  const contradictedBy = contradictorsIn(conflicts, id);
  const line: Json = {
    subagentId: id,
    role,
    task: clipText(oneLine(task), detail.task),
    status,
    ...(code === null ? {} : { code }),
    ...(packet.step === undefined ? {} : { step: packet.step }),
    ...(packet.replaces === undefined ? {} : { replaces: packet.replaces }),
    ...(contradictedBy.length === 0 ? {} : { contradictedBy }),
    ...(result === null || detail.answer === 0
      ? {}
      : { answer: clipText(oneLine(result.answer), detail.answer), entry: resultN }),
  };
  return JSON.stringify(line);
}

function wordNotes(state: RunState, room: number): string {
  const around = '\n<data source="notes of this run">\n\n</data>'.length;
  const { notes, leftOut } = notesToTell(state, room - around - JSON.stringify({ leftOut: 0 }).length - 8);
  if (notes.length === 0) return "";
  const lines = [...(leftOut === 0 ? [] : [JSON.stringify({ leftOut })]), ...notes.map((note) => JSON.stringify(note))];
  return `\n<data source="notes of this run">\n${lines.join("\n")}\n</data>`;
}

function fence(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `\n<data source="delegation ledger">\n${lines.join("\n")}\n</data>`;
}

function fitsInto(room: number): (text: string) => boolean {
  return (text) => text.length <= room;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, " ");
}
