// Whether a person approves the plan before anything starts.

import { Field } from "./Field.tsx";

export interface PlanFieldProps {
  readonly isAsked: boolean;
  readonly onChange: (isAsked: boolean) => void;
}

export function PlanField({ isAsked, onChange }: PlanFieldProps) {
  return (
    <Field
      label="Plan"
      note="You see the graph, how many subagents and the most that they may use. What you did not approve is refused."
    >
      {(id) => (
        <label className="toggle" htmlFor={id}>
          <input
            id={id}
            type="checkbox"
            checked={isAsked}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          Ask me before anything starts
        </label>
      )}
    </Field>
  );
}
