// What the lead has planned, what stands against it, and what has been noted for everybody, as of one moment.

import type { NotepadPage } from "../../shared/contract/runPages.ts";
import type { RunState } from "../domain/state.ts";
import { openConflicts } from "../domain/verdictConflicts.ts";
import { conflictItem } from "./conflictItem.ts";
import { clipAll, excerptOf } from "./fit.ts";

const maxNotes = 100;
const maxNoteChars = 1_200;

const maxConflicts = 12;

export function notepadPage(state: RunState): NotepadPage {
  const { plan, nodes, notes } = state;
  return {
    plan: plan.map(({ id, title, status, criteria = [] }) => ({
      id: excerptOf(id, 100),
      title: excerptOf(title, 300),
      status,
      criteria: clipAll(criteria, 10, 200),
      agents: nodes.filter(({ packet }) => packet.step === id).map((node) => node.id),
    })),
    conflicts: openConflicts(state).slice(0, maxConflicts).map(conflictItem),
    notes: notes.slice(-maxNotes).map((note) => ({ ...note, text: excerptOf(note.text, maxNoteChars) })),
    noteCount: notes.length,
  };
}
