// What the system knows of a change set: why it is held, the checks that it ran itself, how the target has moved, who else touches
// the files, what the author says and what of it was observed, and who waits for it.

import { GitCommitHorizontal, Layers2 } from "lucide-react";

import type { ChangesPage } from "../../../shared/contract/pages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { revealedText } from "../../ui/terminalText.ts";
import { countOf } from "../../ui/formats.ts";
import { decisionWords } from "../deciders.ts";
import { viewRun } from "../subagents.ts";
import { CheckList } from "./CheckList.tsx";
import { Claims } from "./Claims.tsx";
import { dependentsOf } from "./dependents.ts";
import { Remarks } from "./Remarks.tsx";
import { placeWords } from "./placeWords.ts";

export interface ReviewSideProps {
  readonly changes: ChangesPage;
  readonly snapshot: RunSnapshot;
  /** What would land is not the tree that was proposed. */
  readonly isPart: boolean;
  readonly onChoose: (path: string) => void;
}

export function ReviewSide({ changes, snapshot, isPart, onChoose }: ReviewSideProps) {
  const { held, conflicts, overlaps, summary, agent } = changes;
  return (
    <aside aria-label="What is known" className="review-aside">
      <ScrollBox className="review-side" label="Checks and context">
        {held !== null && (
          <section className="review-held">
            <h2>Held</h2>
            <p>
              {held.sentence} <code className="faint">{held.code}</code>
            </p>
            {conflicts.length > 0 && <Paths paths={conflicts} onChoose={onChoose} />}
          </section>
        )}
        <Decided changes={changes} />
        <Remarks changes={changes} />
        <CheckList changes={changes} isPart={isPart} />
        {/* Once it has landed, what moved the target is itself. */}
        {changes.landing === null && <Drift changes={changes} onChoose={onChoose} />}
        {overlaps.map(({ changeset, agent: other, paths, places }) => (
          <section key={changeset} className="review-warn">
            <h2>
              <Layers2 size={13} aria-hidden="true" /> Overlap
            </h2>
            <p>
              {other} changes {paths.length === 1 ? "one of these files" : `${paths.length} of these files`}, too.
              Whichever lands second is merged, or held.
            </p>
            <Paths paths={paths} onChoose={onChoose} noteOf={(path) => placeWords(path, places)} />
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
        {agent !== "lead" && <Claims run={snapshot.run} agent={agent} version={snapshot.at} />}
        <Dependents changes={changes} snapshot={snapshot} />
      </ScrollBox>
    </aside>
  );
}

function Decided({ changes: { decision, amended } }: { readonly changes: ChangesPage }) {
  if (decision === null) return null;
  return (
    <section>
      <h2>Decided</h2>
      <p>{decisionWords(decision)}.</p>
      {decision.comment !== null && <pre className="review-comment">{decision.comment}</pre>}
      {amended.map(({ path, hunk, how }) => (
        <p key={`${hunk} ${path}`}>
          Hunk {hunk} of <code>{path}</code>{" "}
          {how === "text" ? "as edited by the reviewer" : "without some of its lines"}.
        </p>
      ))}
    </section>
  );
}

interface DriftProps extends Pick<ReviewSideProps, "changes" | "onChoose"> {}

function Drift({ changes: { drift, target, base, held, conflicts }, onChoose }: DriftProps) {
  return (
    <section>
      <h2>Base</h2>
      <p>
        <code>{base.slice(0, 7)}</code>
        {drift === null && ` for ${target}.`}
        {drift !== null && drift.aheadCount === 0 && `: ${target} has not moved since.`}
        {drift !== null && drift.aheadCount > 0 && (
          <>
            : <b>{target}</b> moved {countOf(drift.aheadCount, "commit")} since; {touchWords(drift.touchingCount)}
          </>
        )}
      </p>
      {drift !== null && drift.behindCount > 0 && (
        <p className="bad">
          {target} was rewritten: {countOf(drift.behindCount, "commit")} of before are gone from it.
        </p>
      )}
      {drift?.touching.map(({ commit, subject, paths }) => (
        <p key={commit} className="drift-commit">
          <GitCommitHorizontal size={12} aria-hidden="true" />
          <code>{commit.slice(0, 7)}</code>
          <span className="one" title={subject}>
            {revealedText(subject)}
          </span>
          <code className="push one" title={paths.join(", ")}>
            {paths[0]?.split("/").at(-1)}
            {paths.length > 1 && ` and ${paths.length - 1} more`}
          </code>
        </p>
      ))}
      {drift?.trial != null && (
        <Trial trial={drift.trial} target={target} listed={held === null ? [] : conflicts} onChoose={onChoose} />
      )}
    </section>
  );
}

interface TrialProps extends Pick<ReviewSideProps, "onChoose"> {
  readonly trial: readonly string[];
  readonly target: string;
  /** Files in conflict that are listed already, with why it is held. */
  readonly listed: readonly string[];
}

function Trial({ trial, target, listed, onChoose }: TrialProps) {
  if (trial.length === 0) return <p className="review-note">A trial merge onto the {target} of now is clean.</p>;
  const isListed = trial.length === listed.length && trial.every((path) => listed.includes(path));
  return (
    <>
      <p className="bad">
        A trial merge onto the {target} of now is in conflict in {isListed && "the same files."}
      </p>
      {!isListed && <Paths paths={trial} onChoose={onChoose} />}
    </>
  );
}

function touchWords(count: number): string {
  if (count === 0) return "none touches these files.";
  return count === 1 ? "1 touches these files:" : `${count} touch these files:`;
}

function Dependents({ changes, snapshot }: Pick<ReviewSideProps, "changes" | "snapshot">) {
  const dependents = dependentsOf(snapshot, changes.agent);
  if (dependents.length === 0) return null;
  const { accounts } = viewRun(snapshot);
  return (
    <section>
      <h2>{changes.landing === null ? "Waiting for it" : "Waited for it"}</h2>
      {dependents.map(({ id, title }) => {
        const account = accounts.get(id);
        return (
          <p key={id} className="dependent">
            <span className="one" title={title}>
              {title} <span className="faint">{id}</span>
            </span>
            {account !== undefined && <Mark shape={account.shape} word={account.word} />}
          </p>
        );
      })}
    </section>
  );
}

interface PathsProps {
  readonly paths: readonly string[];
  readonly onChoose: (path: string) => void;
  readonly noteOf?: (path: string) => string;
}

function Paths({ paths, onChoose, noteOf }: PathsProps) {
  return (
    <ul className="code-lines">
      {paths.map((path) => (
        <li key={path}>
          <button type="button" className="link" onClick={() => onChoose(path)}>
            <code>{revealedText(path)}</code>
          </button>
          {noteOf !== undefined && <small className="faint"> {noteOf(path)}</small>}
        </li>
      ))}
    </ul>
  );
}
