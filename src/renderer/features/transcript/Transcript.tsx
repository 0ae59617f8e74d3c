// What one agent was told, said, called and got back. Read in pages as one scrolls, held in the page by a bounded window;
// what is being said right now stands at the end, marked as provisional.

import { ArrowDownToLine } from "lucide-react";
import { useMemo } from "react";

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import { usePage, useTopic } from "../../client/Client.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useThrottled } from "../../ui/useThrottled.ts";
import { EntryView } from "./EntryView.tsx";
import { entriesOf } from "./entries.ts";
import { plainText } from "./terminalText.ts";
import { useEntryWindow } from "./useEntryWindow.ts";

export interface TranscriptProps {
  readonly run: RunId;
  readonly agent: AgentId;
  /** Ordinal of the run's newest snapshot. */
  readonly version: number;
  /** Ordinal that is replayed; `null` while live. */
  readonly at: number | null;
}

const refreshMs = 400;

export function Transcript({ run, agent, version, at }: TranscriptProps) {
  const page = usePage({ kind: "transcript", run, agent }, useThrottled(version, refreshMs));
  const { body, failure, isReading, hasMore, readMore } = page;
  const items = body?.items;
  const entries = useMemo(() => entriesOf(items ?? [], at), [items, at]);
  // Of a past moment there is no more to read once a later row has come.
  const isPast = at !== null && (items?.at(-1)?.n ?? 0) > at;
  const { scroller, start, end, isAtEnd, toEnd } = useEntryWindow(
    entries.length,
    hasMore && !isPast && !isReading ? readMore : null,
  );

  if (body === null)
    return failure === null ? (
      <Skeleton lines={5} label="The transcript is being read" />
    ) : (
      <Notice title="This transcript could not be read" message={failure.message} code={failure.code} />
    );
  return (
    <div className="transcript">
      {/* It scrolls, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="transcript-scroll" ref={scroller} role="region" aria-label="Transcript" tabIndex={0}>
        {start > 0 && <p className="transcript-more">{start} earlier entries</p>}
        {entries.slice(start, end).map((entry) => (
          <div key={entry.key} data-entry={entry.key}>
            <EntryView entry={entry} />
          </div>
        ))}
        {entries.length === 0 && <p className="transcript-more">Nothing yet.</p>}
        {end < entries.length && <p className="transcript-more">{entries.length - end} later entries</p>}
        {at === null && <Provisional run={run} agent={agent} />}
      </div>
      {failure !== null && <Notice title="No newer rows" message={failure.message} code={failure.code} />}
      {!isAtEnd && entries.length > 6 && (
        <button type="button" className="btn to-end" onClick={toEnd}>
          <ArrowDownToLine size={13} aria-hidden="true" /> Jump to end
        </button>
      )}
    </div>
  );
}

/** Text of the turn that is under way: in no journal yet. */
function Provisional({ run, agent }: Pick<TranscriptProps, "run" | "agent">) {
  const { snapshot } = useTopic(`live/${run}`);
  const turn = snapshot?.turns.find((turn) => turn.agent === agent);
  if (turn === undefined || turn.text === "") return null;
  return (
    <div className="provisional">
      <h3 className="turn-head">
        <b>Being said</b> provisional
      </h3>
      <p>
        {turn.skipped > 0 && <span className="faint">{turn.skipped} characters before. </span>}
        {plainText(turn.text)}
      </p>
    </div>
  );
}
