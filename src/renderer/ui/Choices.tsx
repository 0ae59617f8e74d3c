// One of a few, each with a word on what it means. A group of radio buttons, so the keys are the browser's own.

import { useId } from "react";

export interface ChoicesProps<Name extends string> {
  readonly label: string;
  readonly options: readonly (readonly [name: Name, label: string, meaning: string])[];
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
}

export function Choices<Name extends string>({ label, options, chosen, onChoose }: ChoicesProps<Name>) {
  const group = useId();
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      <div className="choices-row">
        {options.map(([name, title, meaning]) => (
          <label key={name} data-chosen={name === chosen}>
            <input type="radio" name={group} checked={name === chosen} onChange={() => onChoose(name)} />
            <b>{title}</b>
            <small>{meaning}</small>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
