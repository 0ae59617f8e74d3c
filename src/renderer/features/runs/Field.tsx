// A field of a form that is read and filled in: a label, its control, and in the margin what it means.

import { useId } from "react";
import type { ReactNode } from "react";

export interface FieldProps {
  readonly label: string;
  readonly note: ReactNode;
  readonly children: (id: string) => ReactNode;
}

export function Field({ label, note, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      <p className="margin-note">{note}</p>
    </div>
  );
}
