// The run's notepad as of the moment that is shown: what agents and people keep for everybody who works on the run later.

import { useState } from "react";

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import type { NoteItem } from "../../../shared/contract/runPages.ts";
import { Ticked } from "../../ui/Ticked.tsx";
import { countOf, formatTime } from "../../ui/formats.ts";
import { useAct } from "../useAct.ts";
import { AgentLink } from "./AgentLink.tsx";
import { NoteForm } from "./NoteForm.tsx";

export interface NotepadProps {
  readonly notes: readonly NoteItem[];
  /** Of all notes; more than there are here where the oldest are left out. */
  readonly noteCount: number;
  /** The run on whose notepad one may write now; `null`: none is, since it has stopped or a past moment is shown. */
  readonly open: RunId | null;
  readonly onSelect: (agent: AgentId) => void;
}

/** Notes shown before all are asked for: the newest. */
const shownFirst = 6;

export function Notepad({ notes, noteCount, open, onSelect }: NotepadProps) {
  const [isOpen, setOpen] = useState(false);
  const { act, isBusy, failure } = useAct();
  const retract = (note: number) => (open === null ? undefined : void act({ type: "retractNote", run: open, note }));
  if (notes.length === 0 && open === null) return null;
  const shown = isOpen ? notes : notes.slice(-shownFirst);
  const hiddenCount = noteCount - shown.length;
  return (
    <section className="passage" aria-label="Notepad">
      <h3>
        Notepad <span className="push fig">{countOf(noteCount, "note")}</span>
      </h3>
      {hiddenCount > 0 && !isOpen && (
        <button type="button" className="link" onClick={() => setOpen(true)}>
          Show {hiddenCount} earlier
        </button>
      )}
      {hiddenCount > 0 && isOpen && <p className="faint">{countOf(hiddenCount, "earlier note")} in the transcripts.</p>}
      <ul className="notes">
        {shown.map((note) => (
          <Note
            key={note.n}
            note={note}
            onSelect={onSelect}
            onRetract={open === null ? null : retract}
            isBusy={isBusy}
          />
        ))}
      </ul>
      {failure !== null && (
        <p className="bad" role="alert">
          {failure.message}
        </p>
      )}
      {open !== null && <NoteForm run={open} />}
    </section>
  );
}

interface NoteProps extends Pick<NotepadProps, "onSelect"> {
  readonly note: NoteItem;
  readonly onRetract: ((note: number) => void) | null;
  readonly isBusy: boolean;
}

function Note({ note, onSelect, onRetract, isBusy }: NoteProps) {
  const { kind, text, agent, by, at, retractedBy } = note;
  return (
    <li className="note" data-retracted={retractedBy !== null}>
      <p className="note-head">
        <b>{kind}</b>
        <span className="faint">{by ?? <AgentLink agent={agent} onSelect={onSelect} />}</span>
        <span className="faint fig push">{formatTime(at)}</span>
        {onRetract !== null && retractedBy === null && (
          <button
            type="button"
            className="link"
            disabled={isBusy}
            aria-label={`Take back this ${kind}`}
            onClick={() => onRetract(note.n)}
          >
            Take back
          </button>
        )}
      </p>
      <p className="note-text">
        <Ticked text={text} />
      </p>
      {retractedBy !== null && <p className="faint">Taken back by {retractedBy}: nobody is told it any more.</p>}
    </li>
  );
}
