// The commands that a repository brings along, before a run begins there: what they are, whether they are trusted, and the
// two ways on.

import type { RepositoryPage } from "../../../shared/contract/care.ts";
import { Notice } from "../../ui/Notice.tsx";
import { NotDone } from "../Spoken.tsx";
import { useCare } from "../useCare.ts";

export interface BroughtCommandsProps {
  readonly page: RepositoryPage;
  /** This run goes without them. */
  readonly isSkipped: boolean;
  readonly onSkipped: (isSkipped: boolean) => void;
  /** They are trusted now. */
  readonly onTrusted: () => void;
}

export function BroughtCommands({ page, isSkipped, onSkipped, onTrusted }: BroughtCommandsProps) {
  const { commands, isTrusted, confinement, problem } = page.configuration;
  if (problem !== null)
    return <Notice title="The repository’s configuration cannot be used" message={problem} code="BAD_CONFIGURATION" />;
  const lines = [
    ...commands.setup.map((line) => ["Set-up", line, commands.setupNetwork === "on"] as const),
    ...commands.verify.map((line) => ["Check", line, false] as const),
  ];
  if (lines.length === 0) return null;
  const waits = !isTrusted && !isSkipped;
  return (
    <section className={waits ? "brought dirty-note small" : "brought small"} aria-label="Commands that it brings">
      {waits ? (
        <>
          <p>
            <b>This repository brings commands of its own.</b> Set-up runs in each new worktree, a check on each change.{" "}
            {confinement}
          </p>
          <ul>
            {lines.map(([kind, line, hasNetwork], index) => (
              <li key={index}>
                <span className="faint">{kind}</span>{" "}
                <span>
                  <code>{line}</code> {hasNetwork && <b>with the network</b>}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="faint">
          {isSkipped
            ? "The repository brings commands, which this run leaves out: "
            : "Commands of the repository that you trust: "}
          {lines.map(([, line], index) => (
            <span key={index}>
              {index > 0 && ", "}
              <code>{line}</code>
            </span>
          ))}
        </p>
      )}
      <div className="brought-acts">
        {waits && <Trust page={page} onTrusted={onTrusted} />}
        <label className="toggle">
          <input type="checkbox" checked={isSkipped} onChange={(event) => onSkipped(event.currentTarget.checked)} />
          Leave them out this time
        </label>
      </div>
    </section>
  );
}

function Trust({ page, onTrusted }: { readonly page: RepositoryPage; readonly onTrusted: () => void }) {
  const [said, take] = useCare();
  const { folder, configuration } = page;
  return (
    <>
      <button
        type="button"
        className="btn"
        disabled={said === "busy"}
        // Looked at again also where they are others by now: those are to be seen then.
        onClick={() => void take({ type: "trustCommands", folder, hash: configuration.hash }).then(onTrusted)}
      >
        Trust these commands
      </button>
      <NotDone said={said} />
    </>
  );
}
