// The run's notepad: what agents and people keep for everybody who works on it later. It only grows; a note that a
// person took back is told to nobody from then on.

import type { Json } from "../../shared/lib/json.ts";
import { clipText } from "./projections/clip.ts";
import type { NoteState, RunState } from "./state.ts";

/** What a reader is told at most: notes, characters of one, and of all together. */
const most = { notes: 20, oneNote: 600, all: 8_000 };

/** The notes that hold, oldest first. */
export function standingNotes({ notes }: RunState): readonly NoteState[] {
  return notes.filter((note) => note.retractedBy === null);
}

/**
 * The notes that a packet has room for, as data, oldest first, and how many were left out. What a person noted comes
 * before what agents did, and newer before older. `maxCharacters`: of all together.
 */
export function notesToTell(
  state: RunState,
  maxCharacters: number = most.all,
): { readonly notes: readonly Json[]; readonly leftOut: number } {
  const standing = standingNotes(state);
  const byWeight = standing.toReversed().toSorted((a, b) => Number(b.by !== null) - Number(a.by !== null));
  const told = new Map<NoteState, Json>();
  let room = Math.min(most.all, maxCharacters);
  for (const note of byWeight.slice(0, most.notes)) {
    const words = asData(note);
    room -= JSON.stringify(words).length;
    if (room < 0) break;
    told.set(note, words);
  }
  return { notes: standing.flatMap((note) => told.get(note) ?? []), leftOut: standing.length - told.size };
}

function asData({ agent, by, kind, text }: NoteState): Json {
  return { by: by ?? agent, kind, text: clipText(text, most.oneNote) };
}
