// What one agent was told, said, called and got back, and the field by which one writes to it. Read in pages as one scrolls,
// held in the page by a bounded window; what is not in the journal yet stands at the end, marked as such.

import { ArrowDownToLine } from "lucide-react";
import { memo, useEffect, useMemo } from "react";

import type { AgentId, ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot, TranscriptItem } from "../../../shared/contract/snapshots.ts";
import { type PageInView, usePage } from "../../client/Client.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { useThrottled } from "../../ui/useThrottled.ts";
import { Composer } from "./Composer.tsx";
import { EntryView } from "./EntryView.tsx";
import { FindBar } from "./FindBar.tsx";
import { NotYet } from "./NotYet.tsx";
import { QuestionCard } from "./QuestionCard.tsx";
import { addresseeOf } from "./addressee.ts";
import { entriesOf, unreadFrom } from "./entries.ts";
import type { Entry } from "./entries.ts";
import { useEntryWindow } from "./useEntryWindow.ts";
import { useFind } from "./useFind.ts";
import { useLitWords } from "./useLitWords.ts";
import { useOutbox } from "./useOutbox.ts";
import { useRevealed } from "./useRevealed.ts";
import type { Reveal } from "./useRevealed.ts";

export interface TranscriptProps {
  /** The run as it stands now, whatever moment is shown. */
  readonly live: RunSnapshot;
  readonly agent: AgentId;
  /** Ordinal that is replayed; `null` while live. */
  readonly at: number | null;
  readonly onSelect: (agent: AgentId) => void;
  readonly onReview: (changeset: ChangeSetId) => void;
  readonly reveal: Reveal | null;
}

const refreshMs = 400;

/** Mounted anew for each run and agent. */
export function Transcript(props: TranscriptProps) {
  const { live, agent } = props;
  const page = usePage({ kind: "transcript", run: live.run, agent }, useThrottled(live.at, refreshMs));
  const { body, failure } = page;
  if (body !== null) return <Loaded {...props} page={page} items={body.items} />;
  return (
    <PageState failure={failure} reading="The transcript is being read" lost="This transcript could not be read" />
  );
}

interface LoadedProps extends TranscriptProps {
  readonly page: PageInView<"transcript">;
  readonly items: readonly TranscriptItem[];
}

function Loaded({ live, agent, at, onSelect, onReview, reveal, page, items }: LoadedProps) {
  const { run } = live;
  const { failure, isReading, hasMore, readMore } = page;
  const entries = useMemo(() => entriesOf(items, at), [items, at]);
  const outbox = useOutbox(run, agent, items);
  // Of a past moment there is no more to read once a later row has come.
  const isPast = at !== null && (items.at(-1)?.n ?? 0) > at;
  const canRead = hasMore && !isPast;
  const { scroller, content, start, end, isAtEnd, toEnd, show } = useEntryWindow(
    entries.length,
    canRead && !isReading ? readMore : null,
  );
  const find = useFind(entries, show);
  const revealed = useRevealed(entries, reveal, canRead, show);
  useLitWords(scroller, find.isOpen ? find.words : "");
  // Whoever searches, or wants to see something further on, needs all that is there.
  const wantsMore = canRead && (find.isOpen || revealed === "unread");
  useEffect(() => {
    if (wantsMore && !isReading) readMore();
  }, [wantsMore, isReading, readMore]);
  const foundKey = find.isOpen ? entries[find.matches[find.place] ?? -1]?.key : revealed;

  const isLive = at === null;
  const addressee = addresseeOf(live, agent);
  const unread =
    isLive && addressee.kind === "open" && live.status !== "stopped" ? unreadFrom(entries) : entries.length;
  const questions = live.approvals.filter((one) => one.agent === agent && one.kind === "question");
  const changeset = live.approvals.find((one) => one.agent === agent)?.changeset;
  return (
    <div className="transcript">
      {find.isOpen && (
        <FindBar find={find} isReading={canRead} onClosed={() => scroller.current?.focus({ preventScroll: true })} />
      )}
      {/* It scrolls, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="transcript-scroll" ref={scroller} role="region" aria-label="Transcript" tabIndex={0}>
        <div ref={content}>
          <Rows {...{ run, agent, entries, start, end, unread, foundKey }} />
          {isLive && <NotYet run={run} agent={agent} pending={outbox.pending} lastN={items.at(-1)?.n ?? 0} />}
          {isLive && questions.map((approval) => <QuestionCard key={approval.id} approval={approval} />)}
        </div>
      </div>
      {failure !== null && <Notice title="No newer rows" message={failure.message} code={failure.code} />}
      {!isAtEnd && entries.length > 6 && (
        <button type="button" className="btn to-end" onClick={toEnd}>
          <ArrowDownToLine size={13} aria-hidden="true" /> {questions.length > 0 ? "It asks you" : "Jump to end"}
        </button>
      )}
      {isLive && (
        <Composer
          run={run}
          addressee={addressee}
          name={`${run}/${agent}`}
          outbox={outbox}
          onSent={toEnd}
          onInstead={insteadOf(addressee.kind === "closed" ? addressee.instead : null, changeset, onSelect, onReview)}
        />
      )}
    </div>
  );
}

interface RowsProps {
  readonly run: RunId;
  readonly agent: AgentId;
  readonly entries: readonly Entry[];
  /** Those from `start` to `end`, without it, are in the page. */
  readonly start: number;
  readonly end: number;
  /** From which on a person's words have not been read by the agent. */
  readonly unread: number;
  readonly foundKey: string | null | undefined;
}

/** What has been read of the journal; drawn again when that grows, not with every event of the run. */
const Rows = memo(function Rows({ run, agent, entries, start, end, unread, foundKey }: RowsProps) {
  const place = useMemo(() => ({ run, agent }), [run, agent]);
  return (
    <>
      {start > 0 && <p className="transcript-more">{start} earlier entries</p>}
      {entries.slice(start, end).map((entry, index) => (
        <div key={entry.key} data-entry={entry.key} data-found={entry.key === foundKey}>
          <EntryView entry={entry} place={place} isUnread={start + index >= unread} />
        </div>
      ))}
      {entries.length === 0 && <p className="transcript-more">Nothing yet.</p>}
      {end < entries.length && <p className="transcript-more">{entries.length - end} later entries</p>}
    </>
  );
});

function insteadOf(
  instead: "lead" | "review" | null,
  changeset: ChangeSetId | undefined,
  onSelect: TranscriptProps["onSelect"],
  onReview: TranscriptProps["onReview"],
): (() => void) | null {
  if (instead === "lead") return () => onSelect("lead");
  return instead === "review" && changeset !== undefined ? () => onReview(changeset) : null;
}
