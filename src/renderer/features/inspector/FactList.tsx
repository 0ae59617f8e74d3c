// Names and values beside each other; what is not known is left out.

import type { ReactNode } from "react";

export interface FactsProps {
  /** A value of `null` or an empty list leaves its row out. */
  readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}

export function FactList({ rows }: FactsProps) {
  return (
    <dl className="facts">
      {rows
        .filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Several lines of code, one below the other. */
export function CodeLines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className="code-lines">
      {lines.map((line, at) => (
        // The same line may stand there twice.
        <li key={at}>
          <code>{line}</code>
        </li>
      ))}
    </ul>
  );
}
