// A hunk as text, to be changed before it lands. What was never run as such is verified first; so it is said.

import { useEffect, useRef, useState } from "react";

import { focusDiff } from "./focusDiff.ts";
import { editableOf, editorText, landingText } from "./hunkEdit.ts";
import type { HunkModel } from "./fileModel.ts";

export interface HunkEditorProps {
  readonly hunk: HunkModel;
  /** What was to land so far; `null`: as it is proposed. */
  readonly edit: string | null;
  /** Whether the run has check commands. */
  readonly isChecked: boolean;
  /** `null`: as it is proposed after all. */
  readonly onSave: (text: string | null) => void;
  readonly onCancel: () => void;
}

export function HunkEditor({ hunk, edit, isChecked, onSave, onCancel }: HunkEditorProps) {
  const editable = editableOf(hunk);
  const proposed = editable.kind === "text" ? editable.text : "";
  const [text, setText] = useState(() =>
    edit !== null && editable.kind === "text" ? editorText(edit, editable) : proposed,
  );
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  if (editable.kind === "not")
    return (
      <div className="hunk-editor">
        <p>This hunk cannot be edited here. {editable.why}</p>
        <button type="button" className="btn" onClick={onCancel}>
          Close
        </button>
      </div>
    );
  return (
    <div className="hunk-editor">
      <textarea
        ref={field}
        className="hunk-field"
        aria-label={`Lines of hunk ${hunk.number} as they will land`}
        spellCheck={false}
        rows={Math.min(24, Math.max(4, text.split("\n").length + 1))}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          focusDiff(event.currentTarget);
          onCancel();
        }}
      />
      <p className="hunk-editor-acts">
        <span className="faint">
          {isChecked
            ? "It lands as it stands here, once the checks have passed on it."
            : "It lands as it stands here. The run has no checks that could be run on it."}
        </span>
        <button type="button" className="btn" onClick={onCancel}>
          Cancel
        </button>
        <button
          type="button"
          className="btn"
          onClick={(event) => {
            focusDiff(event.currentTarget);
            onSave(text === proposed ? null : landingText(text, editable));
          }}
        >
          Keep this text
        </button>
      </p>
    </div>
  );
}
