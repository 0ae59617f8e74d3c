// What the system knows of a change set: the checks that it ran itself, how the target has moved, who else touches the files,
// and what the author says.

import { Check, X } from "lucide-react";

import type { ChangesPage, CheckRun } from "../../../shared/contract/pages.ts";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { countOf, formatDuration } from "../../ui/formats.ts";

export function ReviewSide({ changes }: { readonly changes: ChangesPage }) {
  const { checks, held, conflicts, overlaps, summary, decision } = changes;
  return (
    <aside aria-label="What is known" className="review-aside">
      <ScrollBox className="review-side" label="Checks and context">
        {held !== null && (
          <section className="review-held">
            <h2>Held</h2>
            <p>
              {held.sentence} <code className="faint">{held.code}</code>
            </p>
            {conflicts.length > 0 && <Paths paths={conflicts} />}
          </section>
        )}
        {decision !== null && (
          <section>
            <h2>Decided</h2>
            <p>
              {decision.decision.replace("_", " ")} by {decision.by}
              {decision.comment !== null && `: “${decision.comment}”`}
            </p>
          </section>
        )}
        <section>
          <h2>
            Checks <span>run by Coppice itself</span>
          </h2>
          {checks.length === 0 && <p className="quiet">None ran: the run names no check commands.</p>}
          {checks.map((check, at) => (
            // The same command runs again after each edit.
            <CheckView key={at} check={check} />
          ))}
        </section>
        {/* Once it has landed, what moved the target is itself. */}
        {changes.status !== "landed" && <Drift changes={changes} />}
        {overlaps.map(({ changeset, agent, paths }) => (
          <section key={changeset} className="review-warn">
            <h2>Overlap</h2>
            <p>
              {agent} changes {paths.length === 1 ? "one of these files" : `${paths.length} of these files`}, too.
              Whichever lands second is merged, or held.
            </p>
            <Paths paths={paths} />
          </section>
        ))}
        {summary !== null && (
          <section>
            <h2>What its author says</h2>
            <p className="prose">
              <Ticked text={summary} />
            </p>
          </section>
        )}
      </ScrollBox>
    </aside>
  );
}

function CheckView({
  check: { command, exitCode, outcome, durationMs, output, isOfProposal },
}: {
  readonly check: CheckRun;
}) {
  const isGood = exitCode === 0;
  return (
    <details className="check">
      <summary>
        {isGood ? (
          <Check size={12} role="img" aria-label="passed" className="good" />
        ) : (
          <X size={12} role="img" aria-label="failed" className="bad" />
        )}
        <code className="one">{command}</code>
        <span className="push">{exitCode === null ? outcome : `exit ${exitCode}`}</span>
        <span className="faint fig">{formatDuration(durationMs)}</span>
      </summary>
      {!isOfProposal && <p className="quiet">It ran on an earlier state of these files.</p>}
      <pre className="output">{output === "" ? "(no output)" : output}</pre>
    </details>
  );
}

function Drift({ changes: { drift, target, base } }: { readonly changes: ChangesPage }) {
  return (
    <section>
      <h2>Base</h2>
      <p>
        <code>{base.slice(0, 7)}</code>
        {drift === null && ` for ${target}.`}
        {drift !== null && drift.aheadCount === 0 && `: ${target} has not moved since.`}
        {drift !== null &&
          drift.aheadCount > 0 &&
          `: ${target} moved ${countOf(drift.aheadCount, "commit")} since; ${drift.touchingCount === 0 ? "none touches" : drift.touchingCount === 1 ? "1 touches" : `${drift.touchingCount} touch`} these files.`}
      </p>
      {drift !== null && drift.paths.length > 0 && <Paths paths={drift.paths} />}
    </section>
  );
}

function Paths({ paths }: { readonly paths: readonly string[] }) {
  return (
    <ul className="code-lines">
      {paths.map((path) => (
        <li key={path}>
          <code>{path}</code>
        </li>
      ))}
    </ul>
  );
}
