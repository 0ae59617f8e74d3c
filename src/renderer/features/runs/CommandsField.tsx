// A field of commands, one a line, with those that can be added by a press.

import type { ReactNode } from "react";

import { Field } from "./Field.tsx";
import { linesOf } from "./order.ts";

export interface CommandsFieldProps {
  readonly label: string;
  readonly note: string;
  readonly rows: number;
  readonly value: string;
  /** What runs while the field is empty: the repository's own commands. */
  readonly standing: readonly string[];
  /** What to write here, where nothing stands. */
  readonly example: string;
  /** Why these are offered, and what they are. */
  readonly about: ReactNode;
  readonly offered: readonly string[];
  /** Heard before each of them. */
  readonly offer: string;
  readonly onChange: (value: string) => void;
  /** What else is said of these commands, below them. */
  readonly children?: ReactNode;
}

export function CommandsField(props: CommandsFieldProps) {
  const { label, note, rows, value, standing, example, about, offer, onChange } = props;
  const lines = linesOf(value);
  const offered = props.offered.filter((line) => !lines.includes(line));
  return (
    <Field label={label} note={note}>
      {(id) => (
        <div className="checks-field">
          <textarea
            id={id}
            className="code-input"
            rows={Math.max(rows, standing.length)}
            value={value}
            placeholder={standing.length > 0 ? standing.join("\n") : example}
            spellCheck={false}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {standing.length > 0 && (
            <p className="faint small">
              {lines.length === 0
                ? "The repository’s own, as long as nothing is written here."
                : "Instead of the repository’s own."}
            </p>
          )}
          {offered.length > 0 && (
            <p className="offers small">
              <span className="faint">{about}</span>
              {offered.map((line) => (
                <button
                  key={line}
                  type="button"
                  className="chip"
                  onClick={() => onChange([...(lines.length > 0 ? lines : standing), line].join("\n"))}
                >
                  <span className="heard">{offer} </span>
                  <code>{line}</code>
                </button>
              ))}
            </p>
          )}
          {props.children}
        </div>
      )}
    </Field>
  );
}
