// The timeline of the whole run, with its playhead where the replay stands. Reads all of its pages.

import { useCallback, useEffect, useMemo } from "react";

import type { AgentId } from "../../shared/contract/ids.ts";
import type { RunSnapshot, TimelineItem } from "../../shared/contract/snapshots.ts";
import { usePage } from "../client/Client.tsx";
import type { Replay } from "../features/replay/useReplay.ts";
import { RunTimeline } from "../features/timeline/RunTimeline.tsx";
import { Notice } from "../ui/Notice.tsx";
import { useThrottled } from "../ui/useThrottled.ts";

export interface TimelinePaneProps {
  readonly live: RunSnapshot;
  /** Of the moment that is shown. */
  readonly shown: RunSnapshot;
  /** Epoch ms of that moment; `null` while live. */
  readonly moment: number | null;
  readonly replay: Replay;
  readonly selected: AgentId;
  /** `n`: the ordinal at which what was meant began; `null` for the lane alone. */
  readonly onSelect: (agent: AgentId, n: number | null) => void;
}

const none: readonly TimelineItem[] = [];
/** How seldom the lanes are read again at least, in ms; a long journal is read more seldom, as bars that are open since its beginning have it read whole. */
const refreshMs = 500;
const eventsPerMs = 40;
/** How seldom a live run is drawn again at least, ms: its lanes are a picture of many at once, which nobody reads in between. */
const drawMs = 250;

export function TimelinePane({ live, shown, moment, replay, selected, onSelect }: TimelinePaneProps) {
  const page = usePage({ kind: "timeline", run: live.run }, useThrottled(live.at, refreshMs + live.at / eventsPerMs));
  const { body, failure, hasMore, isReading, readMore } = page;
  useEffect(() => {
    if (hasMore && !isReading) readMore();
  }, [hasMore, isReading, readMore]);

  // While a moment is shown the axis stays as long as the run is.
  const { createdAt, updatedAt } = live;
  const isPast = moment !== null;
  const window = useMemo(
    () => (isPast ? { window: { from: createdAt, until: updatedAt } } : {}),
    [isPast, createdAt, updatedAt],
  );
  const calm = useThrottled(shown, drawMs);
  const { seekTime } = replay;
  const choose = useCallback((agent: AgentId, item?: TimelineItem) => onSelect(agent, item?.n ?? null), [onSelect]);
  return (
    <div className="timeline-pane" style={{ "--lanes": live.subagents.length }}>
      {failure !== null && body === null ? (
        <Notice title="The timeline could not be read" message={failure.message} code={failure.code} />
      ) : (
        <RunTimeline
          items={body?.items ?? none}
          snapshot={isPast ? shown : calm}
          at={moment}
          onSeek={seekTime}
          selected={selected}
          onSelect={choose}
          {...window}
          {...(isPast && { names: live.subagents })}
        />
      )}
    </div>
  );
}
