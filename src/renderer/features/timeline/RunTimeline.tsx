// The timeline of a run: a lane for each agent under the lead's, and the playhead.
// Use: <RunTimeline items={items} snapshot={snapshot} at={null} onSeek={seek} selected={agent} onSelect={select} />, in a box
// with a height; needs styles/timeline.css and styles/agents.css. `at` is the moment that is replayed, null while live; the
// snapshot is then the one of that moment, the items those of the whole run. Reads no store.

import { Minus, Plus } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot, TimelineItem } from "../../../shared/contract/snapshots.ts";
import { useNow } from "../../ui/useNow.ts";
import { LaneNames, LaneNow } from "./LaneColumns.tsx";
import { LaneItems } from "./LaneItems.tsx";
import { TimelineKey } from "./TimelineKey.tsx";
import { TimelineTip } from "./TimelineTip.tsx";
import type { Tip } from "./TimelineTip.tsx";
import { findFolds } from "./folds.ts";
import type { Span } from "./folds.ts";
import { laneY } from "./hit.ts";
import type { Rows } from "./hit.ts";
import { buildLanes } from "./lanes.ts";
import { xOf } from "./scale.ts";
import type { Scene } from "./scene.ts";
import { useLaneKeys } from "./useLaneKeys.ts";
import { useLaneRows } from "./useLaneRows.ts";
import { usePointer } from "./usePointer.ts";
import { useSize, useTheme, useTimelineCanvas } from "./useTimelineCanvas.ts";
import { panTo, seen, wholeView, zoomAt } from "./view.ts";
import type { TimeView } from "./view.ts";

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
}

export function RunTimeline({ items, snapshot, at, onSeek, selected, onSelect, window }: RunTimelineProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const theme = useTheme(scroller);
  const clock = useNow(1_000);
  const extent = useExtent(items, snapshot, at === null ? clock : null, window);
  const lanes = useMemo(() => buildLanes(items, snapshot.subagents), [items, snapshot.subagents]);
  const folds = useMemo(() => findFolds(items, extent), [items, extent]);
  const size = useSize(scroller);
  const [scrollTop, setScrollTop] = useState(0);
  const [view, setView] = useState<TimeView>(wholeView);
  const [tip, setTip] = useState<Tip | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const width = useSize(frame).width;

  const rows: Rows = useMemo(
    () => ({
      axisHeight: theme?.axisHeight ?? 20,
      leadHeight: theme?.leadHeight ?? 23,
      laneHeight: theme?.laneHeight ?? 19,
      scrollTop,
    }),
    [theme, scrollTop],
  );
  const now = useMemo(() => seen(view, extent, folds, width), [view, extent, folds, width]);
  const moment = at ?? extent.until;
  const { lower, upper, redraw } = useTimelineCanvas(() => {
    if (theme === null || width === 0) return null;
    const { height, ratio } = size;
    const scene: Scene = { lanes, ...now, rows, width, height, theme, selected, at: moment, isLive: at === null, ratio };
    return { scene, pointer: tip?.x ?? null };
  });
  useEffect(() => redraw("all"), [redraw, lanes, now, rows, width, size, theme, selected, at === null]);
  useEffect(() => redraw("head"), [redraw, moment, tip]);

  const zoom = useCallback(
    (factor: number, x: number) => setView((before) => zoomAt(seen(before, extent, folds, width), extent, folds, width, factor, x)),
    [extent, folds, width],
  );
  const reveal = useCallback(
    (time: number) => setView((before) => panTo(seen(before, extent, folds, width), before, width, time)),
    [extent, folds, width],
  );
  usePointer(frame, { lanes, now, rows, width, view, setView, zoom, setTip, onSeek, onSelect });
  const total = rows.axisHeight + rows.leadHeight + Math.max(0, lanes.length - 1) * rows.laneHeight + 6;
  const keys = useLaneKeys({ lanes, selected, scroller, rows, height: size.height, onSelect, onSeek, reveal, zoom, width, whole: () => setView(wholeView) });
  const columns = useLaneRows({ lanes, snapshot, rows, height: size.height, moment, reached: keys.reached });
  const cursor = keys.item;
  const shownTip =
    tip ?? (cursor === null ? null : { x: xOf(now.scale, cursor.at) - now.offset, y: laneY(rows, keys.index), lane: keys.lane, item: cursor, at: cursor.at });

  return (
    <section className="timeline" aria-label="Timeline" onKeyDown={keys.onKeyDown}>
      <header className="time-top">
        <h2>Timeline</h2>
        <TimelineKey />
        <span className="push">
          <ZoomButton label="Zoom out" sign="−" onPress={() => zoom(1 / 1.5, width / 2)} />
          <ZoomButton label="Zoom in" sign="+" onPress={() => zoom(1.5, width / 2)} />
        </span>
      </header>
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
        <div className="time-frame" ref={frame} style={{ height: Math.max(0, Math.min(size.height, Math.max(total, size.height))) }}>
          <canvas ref={lower} aria-hidden="true" />
          <canvas ref={upper} aria-hidden="true" />
          {shownTip !== null && <TimelineTip tip={shownTip} width={width} height={size.height} now={moment} />}
        </div>
        <LaneNow rows={columns} height={total} selected={selected} />
      </div>
      <LaneItems lane={keys.lane} now={moment} />
      <p className="heard" role="status">
        {keys.announcement}
      </p>
    </section>
  );
}

/** `clock` in epoch ms while live. The end never goes back, or the picture would jump between two clocks. */
function useExtent(items: readonly TimelineItem[], snapshot: RunSnapshot, clock: number | null, given: Span | undefined): Span {
  const { createdAt, updatedAt, status } = snapshot;
  const isOver = status === "stopped" || status === "imported" || status === "quarantined" || status === "interrupted";
  const last = useMemo(() => items.reduce((latest, { at, until }) => Math.max(latest, at, until ?? at), 0), [items]);
  const until = given?.until ?? Math.max(updatedAt, last, isOver || clock === null ? 0 : clock);
  const from = Math.min(given?.from ?? createdAt, until - 1_000);
  return useMemo(() => ({ from, until }), [from, until]);
}

function ZoomButton({ label, sign, onPress }: { readonly label: string; readonly sign: "+" | "−"; readonly onPress: () => void }) {
  const Sign = sign === "+" ? Plus : Minus;
  return (
    <button type="button" className="btn bare" aria-label={`${label} the timeline`} title={`${label} (${sign})`} onClick={onPress}>
      <Sign size={14} aria-hidden="true" />
    </button>
  );
}
