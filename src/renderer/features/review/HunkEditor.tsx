// A hunk as text, to be changed before it lands, or why it cannot be.

import { LandingField } from "./LandingField.tsx";
import { focusDiff } from "./focusDiff.ts";
import { editableOf } from "./hunkEdit.ts";
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
    <LandingField
      label={`Lines of hunk ${hunk.number} as they will land`}
      editable={editable}
      edit={edit}
      isChecked={isChecked}
      onSave={(text, field) => {
        focusDiff(field);
        onSave(text);
      }}
      onCancel={(field) => {
        focusDiff(field);
        onCancel();
      }}
    />
  );
}
