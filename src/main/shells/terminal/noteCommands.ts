// `note`: the run's notepad, as a list; with a text, a note more; with `--retract`, one taken back.

import type { RunId } from "../../../shared/contract/ids.ts";
import { standingNotes } from "../../domain/notepad.ts";
import { firstLine, plainText } from "./human/plainText.ts";
import type { Invocation } from "./invocation.ts";
import { steer } from "./steer.ts";
import { count, usageError } from "./usage.ts";

export interface NoteFlags {
  readonly kind?: string;
  readonly retract?: string;
}

/** What `note` was asked for, read and checked. */
export type NoteOrder =
  | { readonly act: "list" }
  | { readonly act: "add"; readonly kind: string; readonly text: string }
  | { readonly act: "retract"; readonly note: number };

/** Reads the words and options of `note` before anything is opened. Throws what is wrong with them. */
export function readNoteOrder(text: string | undefined, flags: NoteFlags): NoteOrder {
  const note = count("--retract", flags.retract);
  if (note !== undefined) {
    if (text !== undefined) throw usageError("--retract takes a note back; give no text with it.");
    return { act: "retract", note };
  }
  if (text === undefined) {
    if (flags.kind !== undefined) throw usageError("--kind is of a new note; give its text too.");
    return { act: "list" };
  }
  return { act: "add", kind: flags.kind ?? "decision", text };
}

/** Shows or changes the notepad of a run: through whoever drives it, or here. */
export async function keepNotes(invocation: Invocation, run: string, order: NoteOrder): Promise<number> {
  const { workbench, output } = invocation;
  const found = await workbench.findRun(run);
  if (!found.ok) return output.fail(found.error);
  const id = found.value.run;
  if (order.act === "list") return listNotes(invocation, id);
  const failure = await steer(
    workbench,
    id,
    order.act === "add"
      ? { type: "note.add", kind: order.kind, text: order.text, by: "a person" }
      : { type: "note.retract", note: order.note, by: "a person" },
  );
  if (failure !== null) return output.fail(failure);
  output.json(order.act === "add" ? { run: id, noted: true } : { run: id, retracted: order.note });
  output.line(
    order.act === "add"
      ? "Noted: it joins the packet of every subagent that starts from now on, and the lead reads it at its next turn."
      : `Note #${order.note} is taken back: no packet holds it from now on.`,
  );
  return 0;
}

async function listNotes({ workbench, output }: Invocation, run: RunId): Promise<number> {
  const notes = standingNotes(await workbench.state(run));
  for (const { n, at, agent, by, kind, text } of notes) {
    output.json({ note: n, at, by: by ?? agent, kind, text });
    if (!output.isJson)
      output.answer(`#${n}  ${firstLine(kind)}  ${firstLine(by ?? agent)}: ${plainText(text).trim()}`);
  }
  if (notes.length === 0) output.line("Nothing stands on the notepad of this run.");
  return 0;
}
