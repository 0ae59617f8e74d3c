// What was decided today in all runs, the newest first: what came of it, who decided, and the way to its place. Decides
// nothing.

import { useCallback } from "react";

import type { DecidedLine } from "../../../shared/contract/care.ts";
import type { AgentId, ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { RunListSnapshot } from "../../../shared/contract/snapshots.ts";
import { usePage, useTopicPart } from "../../client/Client.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { countOf, formatTime, midnightOf } from "../../ui/formats.ts";
import { revealedText } from "../../ui/terminalText.ts";
import { useNow } from "../../ui/useNow.ts";
import { deciderOf } from "../deciders.ts";
import { outcomeOf } from "./decided.ts";

export interface DecidedTodayProps {
  readonly onReview: (run: RunId, changeset: ChangeSetId) => void;
  /** `entry`: the event that is shown in the agent's transcript. */
  readonly onOpen: (run: RunId, agent: AgentId, entry: number) => void;
}

export function DecidedToday({ onReview, onOpen }: DecidedTodayProps) {
  const since = midnightOf(useNow(60_000));
  const version = useTopicPart("runs", standingOf);
  const { body, failure } = usePage({ kind: "decided", since }, version);
  const open = useCallback(
    ({ run, changeset, agent, n }: DecidedLine) =>
      changeset === null ? onOpen(run, agent, n) : onReview(run, changeset),
    [onReview, onOpen],
  );
  if (failure !== null)
    return <Notice title="What was decided could not be read" message={failure.message} code={failure.code} />;
  if (body === null || body.decided.length === 0) return null;
  const olderCount = body.total - body.decided.length;
  return (
    <section className="decided" aria-labelledby="decided-title">
      <h2 id="decided-title">
        Decided today <span className="fig">{body.total}</span>
      </h2>
      <ul>
        {body.decided.map((line) => (
          <li key={`${line.run}/${line.n}`}>
            <DecidedRow line={line} onOpen={open} />
          </li>
        ))}
      </ul>
      {olderCount > 0 && <p className="faint small">{countOf(olderCount, "earlier decision")} of today not shown.</p>}
    </section>
  );
}

/** What changes in the list when something is decided, and seldom otherwise. */
function standingOf(list: RunListSnapshot | null): string {
  return (list?.runs ?? []).map(({ needsYouCount, landed = "" }) => `${needsYouCount}${landed}`).join();
}

interface DecidedRowProps {
  readonly line: DecidedLine;
  readonly onOpen: (line: DecidedLine) => void;
}

function DecidedRow({ line, onOpen }: DecidedRowProps) {
  const { kind, summary, role, agent, runTitle, landed, at } = line;
  const { shape, word } = outcomeOf(line);
  return (
    <button type="button" className="decided-row" onClick={() => onOpen(line)}>
      <Mark shape={shape} word={word} />
      <span className="decided-what one">
        {landed !== null && <code>{landed.slice(0, 7)}</code>}{" "}
        {kind === "command" || kind === "effect" ? <code>{revealedText(summary)}</code> : revealedText(summary)}
        <span className="faint">
          {" "}
          <RoleName role={role} /> {agent !== "lead" && agent}, {runTitle}
        </span>
      </span>
      <span className="faint">{deciderOf(line.by)}</span>
      <span className="fig">{formatTime(at)}</span>
    </button>
  );
}
