// A note of the person's own: its kind, its words, and what becomes of it.

import { useId, useState } from "react";
import type { FormEvent } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import { useAct } from "../useAct.ts";

/** What a note is about; agents use these words too. */
const kinds = ["decision", "learning", "issue", "problem"] as const;

export function NoteForm({ run }: { readonly run: RunId }) {
  const { act, isBusy, failure } = useAct();
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState<string>(kinds[0]);
  const [text, setText] = useState("");
  const id = useId();
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (text.trim() === "" || (await act({ type: "addNote", run, kind, text: text.trim() })) === null) return;
    setText("");
    setOpen(false);
  }
  if (!isOpen)
    return (
      <button type="button" className="link" onClick={() => setOpen(true)}>
        Add a note…
      </button>
    );
  return (
    <form className="note-form" aria-label="New note" onSubmit={(event) => void add(event)}>
      <label className="heard" htmlFor={`${id}-text`}>
        Note
      </label>
      <textarea
        id={`${id}-text`}
        rows={3}
        maxLength={4_000}
        ref={focusAtOnce}
        placeholder="For every subagent that starts from now on, and the lead"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <span className="note-acts">
        <label className="heard" htmlFor={`${id}-kind`}>
          Kind
        </label>
        <select id={`${id}-kind`} value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
          {kinds.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        <button type="submit" className="btn main" disabled={isBusy || text.trim() === ""}>
          Add
        </button>
        <button type="button" className="btn" onClick={() => setOpen(false)}>
          Cancel
        </button>
      </span>
      {failure !== null && (
        <p className="bad" role="alert">
          {failure.message}
        </p>
      )}
    </form>
  );
}

/** Whoever asked for the field wants to write in it. */
function focusAtOnce(field: HTMLTextAreaElement | null): void {
  field?.focus();
}
