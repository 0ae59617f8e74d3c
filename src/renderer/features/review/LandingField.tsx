// Lines as text, to be changed before they land. What was never run as such is verified first; so it is said.

import { useEffect, useRef, useState } from "react";

import { editorText, landingText } from "./hunkEdit.ts";
import type { Editable } from "./hunkEdit.ts";

export interface LandingFieldProps {
  readonly label: string;
  /** What the editor begins with. */
  readonly editable: Extract<Editable, { kind: "text" }>;
  /** What was to land so far; `null`: what it begins with. */
  readonly edit: string | null;
  /** Whether the run has check commands. */
  readonly isChecked: boolean;
  /** `null`: nothing was changed. Called with the field, before it goes. */
  readonly onSave: (text: string | null, field: Element) => void;
  readonly onCancel: (field: Element) => void;
}

export function LandingField({ label, editable, edit, isChecked, onSave, onCancel }: LandingFieldProps) {
  const [text, setText] = useState(() => (edit === null ? editable.text : editorText(edit, editable)));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  return (
    <div className="hunk-editor">
      <textarea
        ref={field}
        className="hunk-field"
        aria-label={label}
        spellCheck={false}
        rows={Math.min(24, Math.max(4, text.split("\n").length + 1))}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onCancel(event.currentTarget);
        }}
      />
      <p className="hunk-editor-acts">
        <span className="faint">
          {isChecked
            ? "It lands as it stands here, once the checks have passed on it."
            : "It lands as it stands here. The run has no checks that could be run on it."}
        </span>
        <button type="button" className="btn" onClick={(event) => onCancel(event.currentTarget)}>
          Cancel
        </button>
        <button
          type="button"
          className="btn"
          onClick={(event) => onSave(text === editable.text ? null : landingText(text, editable), event.currentTarget)}
        >
          Keep this text
        </button>
      </p>
    </div>
  );
}
