// Decisions about the notepad on a person's word: a note more, or one taken back. What agents note is in `control.ts`.

import type { Command } from "../commands.ts";
import { accept, type Decider, reject } from "./decision.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Most characters of a note's kind, and of its text. */
const longest = { kind: 40, text: 4_000 };

export const addNote: Decider<CommandOf<"note.add">> = (state, { kind, text, by }) => {
  if (state.status === "stopped") return overWith();
  const line = kind.trim().replace(/\s+/g, " ");
  const words = text.trim();
  if (line === "" || words === "") return reject("BAD_USAGE", "A note has a kind and a text.");
  if (line.length > longest.kind) return reject("BAD_USAGE", `A note's kind has at most ${longest.kind} characters.`);
  if (words.length > longest.text) return reject("BAD_USAGE", `A note has at most ${longest.text} characters.`);
  return accept({ agent: "lead", type: "note.added", data: { kind: line, text: words, by } });
};

/** Taken back once; asked again it changes nothing. */
export const retractNote: Decider<CommandOf<"note.retract">> = (state, { note: n, by }) => {
  const note = state.notes.find((one) => one.n === n);
  if (!note) return reject("NOTE_NOT_FOUND", `This run has no note #${n}.`);
  if (note.retractedBy !== null) return accept();
  if (state.status === "stopped") return overWith();
  return accept({ agent: "lead", type: "note.retracted", data: { note: n, by } });
};

function overWith() {
  return reject("RUN_STOPPED", "The run has stopped, so nobody reads its notepad any more; a message continues it.");
}
