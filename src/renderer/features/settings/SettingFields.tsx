// The fields that the settings are made of: each with a label, and a note on what it means.

import { useId, useState } from "react";
import type { ReactNode } from "react";

interface RowProps {
  readonly label: string;
  readonly note?: ReactNode;
  readonly children: (id: string) => ReactNode;
}

/** A label, its control, and below what it means. */
export function SettingRow({ label, note, children }: RowProps) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>{label}</label>
      <div className="setting-control">{children(id)}</div>
      {note !== undefined && <p className="faint small">{note}</p>}
    </div>
  );
}

export interface NumberFieldProps {
  readonly id: string;
  /** `null`: no limit, shown as an empty field. */
  readonly value: number | null;
  readonly unit?: string;
  /** Whether leaving it empty is a choice. */
  readonly mayBeEmpty?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly placeholder?: string;
  /** A fraction is a number here. */
  readonly isFraction?: boolean;
  readonly onCommit: (value: number | null) => void;
}

/** A number that counts once one leaves the field or presses Enter; what is no number is put back. */
export function NumberField(props: NumberFieldProps) {
  const { id, value, unit, mayBeEmpty = false, min = 1, max = Number.MAX_SAFE_INTEGER, isFraction = false } = props;
  const shown = value === null ? "" : String(value);
  const [typed, setTyped] = useState<string | null>(null);
  const problem = typed === null ? null : problemOf(typed, { mayBeEmpty, min, max, isFraction });
  function commit(): void {
    if (typed === null) return;
    if (problem === null && typed.trim() !== shown) props.onCommit(typed.trim() === "" ? null : Number(typed));
    setTyped(null);
  }
  return (
    <span className="number-field" data-wrong={problem !== null}>
      <input
        id={id}
        inputMode="decimal"
        value={typed ?? shown}
        placeholder={props.placeholder ?? (mayBeEmpty ? "no limit" : "")}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-wrong`}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          else if (event.key === "Escape") setTyped(null);
        }}
      />
      {unit !== undefined && <span className="faint">{unit}</span>}
      {problem !== null && (
        <small className="bad" id={`${id}-wrong`}>
          {problem}
        </small>
      )}
    </span>
  );
}

interface Range {
  readonly mayBeEmpty: boolean;
  readonly min: number;
  readonly max: number;
  readonly isFraction: boolean;
}

function problemOf(text: string, { mayBeEmpty, min, max, isFraction }: Range): string | null {
  const trimmed = text.trim();
  if (trimmed === "") return mayBeEmpty ? null : "A number is needed.";
  const number = Number(trimmed);
  if (!(isFraction ? /^\d+(\.\d+)?$/ : /^\d+$/).test(trimmed))
    return isFraction ? "A number, such as 2.50." : "A whole number.";
  return number < min || number > max ? `From ${min} to ${max}.` : null;
}

export interface TextFieldProps {
  readonly id: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly isCode?: boolean;
  readonly label?: string;
  readonly onCommit: (value: string) => void;
}

/** A text that counts once one leaves the field or presses Enter. */
export function TextField({ id, value, placeholder = "", isCode = false, label, onCommit }: TextFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  function commit(): void {
    if (typed !== null && typed.trim() !== value) onCommit(typed.trim());
    setTyped(null);
  }
  return (
    <input
      id={id}
      className={isCode ? "code-input" : ""}
      aria-label={label}
      value={typed ?? value}
      placeholder={placeholder}
      spellCheck={false}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        else if (event.key === "Escape") setTyped(null);
      }}
    />
  );
}

export interface ToggleProps {
  readonly label: string;
  readonly note?: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Toggle({ label, note, isOn, onChange }: ToggleProps) {
  return (
    <label className="toggle">
      <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {note !== undefined && <small className="faint">{note}</small>}
      </span>
    </label>
  );
}
