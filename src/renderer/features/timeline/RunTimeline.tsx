// The timeline of a run: a lane for each agent under the lead's, and the playhead.
// Use: <RunTimeline items={items} snapshot={snapshot} at={null} onSeek={seek} selected={agent} onSelect={select} />, in a box
// with a height; needs styles/timeline.css and styles/agents.css. `at` is the moment that is replayed, null while live; the
// snapshot is then the one of that moment, the items those of the whole run. Reads no store.

import { memo, useId, useMemo, useRef, useState } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot, TimelineItem } from "../../../shared/contract/snapshots.ts";
import { LaneNames, LaneNows } from "./LaneColumns.tsx";
import { LaneItems } from "./LaneItems.tsx";
import { TimelineHead } from "./TimelineHead.tsx";
import { TimelinePicture } from "./TimelinePicture.tsx";
import type { Span } from "./folds.ts";
import type { Rows } from "./hit.ts";
import { criticalPath } from "./criticalPath.ts";
import { buildLanes } from "./lanes.ts";
import type { AgentName } from "./lanes.ts";
import { describePath } from "./words.ts";
import { useLaneKeys } from "./useLaneKeys.ts";
import { useLaneRows } from "./useLaneRows.ts";
import { useTimeWindow } from "./useTimeWindow.ts";
import { useSize, useTheme } from "./useTimelineCanvas.ts";

export interface RunTimelineProps {
  readonly items: readonly TimelineItem[];
  readonly snapshot: RunSnapshot;
  /** Epoch ms that is shown; `null` for now. */
  readonly at: number | null;
  readonly onSeek: (at: number) => void;
  readonly selected: AgentId | null;
  /** `item` where something in particular was meant. */
  readonly onSelect: (agent: AgentId, item?: TimelineItem) => void;
  /** From when to when, in epoch ms. Without it: from the run's creation to now, or to its last event once it is over. */
  readonly window?: Span;
  /** Who the agents are that the snapshot does not know yet. */
  readonly names?: readonly AgentName[];
}

/** Below the last lane, in px. */
const foot = 6;

export const RunTimeline = memo(function RunTimeline(props: RunTimelineProps) {
  const { items, snapshot, at, onSeek, selected, onSelect, window, names } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const theme = useTheme(scroller);
  const { height, ratio } = useSize(scroller);
  const { width } = useSize(frame);
  const [scrollTop, setScrollTop] = useState(0);
  const lanes = useMemo(() => buildLanes(items, snapshot.subagents, names), [items, snapshot.subagents, names]);
  const time = useTimeWindow({ items, snapshot, at, given: window, width });
  const rows: Rows = useMemo(
    () => ({
      axisHeight: theme?.axisHeight ?? 20,
      leadHeight: theme?.leadHeight ?? 23,
      laneHeight: theme?.laneHeight ?? 19,
      scrollTop,
    }),
    [theme, scrollTop],
  );
  const total = rows.axisHeight + rows.leadHeight + Math.max(0, lanes.length - 1) * rows.laneHeight + foot;
  const keys = useLaneKeys({ lanes, selected, scroller, rows, height, width, time, onSelect, onSeek });
  const columns = useLaneRows({ lanes, snapshot, rows, height, moment: time.moment, reached: keys.reached });
  const [isPathLit, setIsPathLit] = useState(false);
  const pathId = useId();
  const { moment } = time;
  const path = useMemo(
    () => (isPathLit ? criticalPath(items, snapshot.subagents, moment) : null),
    [isPathLit, items, snapshot.subagents, moment],
  );
  const cursor = keys.item === null ? null : { lane: keys.lane, index: keys.index, item: keys.item };

  return (
    // The keys are those of the lanes inside, wherever in here the focus is.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className="timeline" aria-label="Timeline" onKeyDown={keys.onKeyDown}>
      <TimelineHead
        isPathLit={isPathLit}
        pathId={pathId}
        onPath={setIsPathLit}
        onZoom={(factor) => time.zoom(factor, width / 2)}
      />
      <div className="time-scroll" ref={scroller} onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}>
        <LaneNames
          rows={columns}
          laneCount={lanes.length}
          height={total}
          selected={selected}
          reached={keys.reached}
          onReach={keys.reach}
          onChoose={onSelect}
        />
        <TimelinePicture
          frame={frame}
          lanes={lanes}
          time={time}
          rows={rows}
          size={{ width, height, ratio }}
          theme={theme}
          selected={selected}
          path={path}
          isLive={at === null}
          cursor={cursor}
          onSeek={onSeek}
          onSelect={onSelect}
        />
        <LaneNows rows={columns} height={total} selected={selected} />
      </div>
      <LaneItems lane={keys.lane} now={time.moment} />
      <p className="heard" role="status">
        {keys.announcement}
      </p>
      <p className="heard" id={pathId}>
        {path !== null && describePath(path)}
      </p>
    </section>
  );
});
