// What the lead has planned and what has been noted for everybody, as of one moment.

import type { NotepadPage } from "../../shared/contract/runPages.ts";
import type { RunState } from "../domain/state.ts";
import { clipAll, excerptOf } from "./fit.ts";

const maxNotes = 100;
const maxNoteChars = 1_200;

export function notepadPage({ plan, nodes, notes }: RunState): NotepadPage {
  return {
    plan: plan.map(({ id, title, status, criteria = [] }) => ({
      id: excerptOf(id, 100),
      title: excerptOf(title, 300),
      status,
      criteria: clipAll(criteria, 10, 200),
      agents: nodes.filter(({ packet }) => packet.step === id).map((node) => node.id),
    })),
    notes: notes.slice(-maxNotes).map((note) => ({ ...note, text: excerptOf(note.text, maxNoteChars) })),
    noteCount: notes.length,
  };
}
