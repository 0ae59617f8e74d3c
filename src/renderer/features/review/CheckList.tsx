// The checks that the system ran on a change set: command, exit code, how long, output folded. And what landing a part means.

import { Check, X } from "lucide-react";

import type { ChangesPage, CheckRun } from "../../../shared/contract/pages.ts";
import { ProgressBar } from "../../ui/ProgressBar.tsx";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { formatDuration } from "../../ui/formats.ts";
import { newestOf } from "./checks.ts";
import { TerminalText } from "../../ui/TerminalText.tsx";

export interface CheckListProps {
  readonly changes: ChangesPage;
  /** What would land is not the tree that was proposed. */
  readonly isPart: boolean;
}

export function CheckList({ changes: { checks, checking, status }, isPart }: CheckListProps) {
  const newest = newestOf(checks);
  const totalMs = newest.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return (
    <section>
      <h2>
        Checks <span>run by Coppice itself</span>
      </h2>
      {checks.length === 0 && checking === null && <p className="quiet">None ran: the run names no check commands.</p>}
      {checking !== null && (
        <ProgressBar {...checking} label="Checks" words={`${checking.done} of ${checking.total} have run`} />
      )}
      {checks.map((check, at) => (
        // The same command runs again after each edit.
        <CheckView key={at} check={check} isOpen={check.exitCode !== 0 && newest.includes(check)} />
      ))}
      {isPart && checks.length > 0 && status !== "landed" && (
        <p className="review-note">
          They ran on all of it. What is accepted now is another tree, so they run again first, about{" "}
          {formatDuration(totalMs)}.
        </p>
      )}
    </section>
  );
}

/** What failed last shows its output unasked. */
function CheckView({ check, isOpen }: { readonly check: CheckRun; readonly isOpen: boolean }) {
  const { command, exitCode, outcome, durationMs, output, isOfProposal } = check;
  return (
    <details className="check" open={isOpen}>
      <summary>
        {exitCode === 0 ? (
          <Check size={12} role="img" aria-label="passed" className="good" />
        ) : (
          <X size={12} role="img" aria-label="failed" className="bad" />
        )}
        <code className="one" title={command}>
          {command}
        </code>
        <span className="push">{exitCode === null ? outcome : `exit ${exitCode}`}</span>
        <span className="faint fig">{formatDuration(durationMs)}</span>
      </summary>
      {!isOfProposal && <p className="quiet">It ran on another state of these files.</p>}
      <ScrollBox className="check-output" label={`Output of ${command}`}>
        <pre className="output">{output === "" ? "(no output)" : <TerminalText text={output} />}</pre>
      </ScrollBox>
    </details>
  );
}
