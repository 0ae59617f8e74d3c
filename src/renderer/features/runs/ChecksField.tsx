// The checks of a new run, one command a line; what the repository offers of its own can be taken over by a press.

import type { RepositoryPage } from "../../../shared/contract/care.ts";
import { Field } from "./Field.tsx";

export interface ChecksFieldProps {
  readonly verify: string;
  readonly page: RepositoryPage | null;
  readonly onChange: (verify: string) => void;
}

export function ChecksField({ verify, page, onChange }: ChecksFieldProps) {
  const lines = verify
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const offered = (page?.checks ?? []).filter((check) => !lines.includes(check));
  const lock = page?.locks.find(({ install }) => !lines.includes(install));
  // What checks need is installed before them; without checks nothing needs it.
  const offersInstall = lock !== undefined && lines.length > 0;
  return (
    <Field
      label="Checks"
      note="Commands, one a line. Coppice runs them itself on what a subagent has written, before you see it."
    >
      {(id) => (
        <div className="checks-field">
          <textarea
            id={id}
            className="code-input"
            rows={3}
            value={verify}
            placeholder={offered[0] ?? "npm test"}
            spellCheck={false}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          {(offered.length > 0 || offersInstall) && (
            <p className="offers small">
              {offered.length > 0 && <span className="faint">Found here:</span>}
              {offered.map((check) => (
                <button
                  key={check}
                  type="button"
                  className="chip"
                  onClick={() => onChange([...lines, check].join("\n"))}
                >
                  <span className="heard">Add the check </span>
                  <code>{check}</code>
                </button>
              ))}
              {offersInstall && (
                <span className="lock-offer">
                  <span className="faint">
                    <code>{lock.path}</code>: a worktree begins without what it installs.
                  </span>
                  <button type="button" className="chip" onClick={() => onChange([lock.install, ...lines].join("\n"))}>
                    Put <code>{lock.install}</code> first
                  </button>
                </span>
              )}
            </p>
          )}
        </div>
      )}
    </Field>
  );
}
