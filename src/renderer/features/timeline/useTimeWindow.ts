// From when to when the timeline goes, what of that is seen, and the ways to see another piece of it.

import { useCallback, useMemo, useState } from "react";

import type { RunSnapshot, TimelineItem } from "../../../shared/contract/snapshots.ts";
import { useNow } from "../../ui/useNow.ts";
import { isOver } from "../isOver.ts";
import { findFolds } from "./folds.ts";
import type { Span } from "./folds.ts";
import { panBy, panTo, seenIn, wholeView, zoomAt } from "./view.ts";
import type { Seen, TimeView } from "./view.ts";

export interface TimeWindow {
  readonly seen: Seen;
  /** Whether all of it is seen. */
  readonly isWhole: boolean;
  /** Epoch ms of the playhead. */
  readonly moment: number;
  /** The moment at `x` px from the left stays where it is. */
  readonly zoom: (factor: number, x: number) => void;
  readonly pan: (dx: number) => void;
  /** Brings a moment into sight. */
  readonly reveal: (at: number) => void;
  readonly showAll: () => void;
}

interface TimeWindowOptions {
  readonly items: readonly TimelineItem[];
  readonly snapshot: RunSnapshot;
  readonly at: number | null;
  readonly given: Span | undefined;
  /** Of the picture, in px. */
  readonly width: number;
}

export function useTimeWindow({ items, snapshot, at, given, width }: TimeWindowOptions): TimeWindow {
  const clock = useNow(1_000);
  const extent = useExtent(items, snapshot, at === null ? clock : null, given);
  const folds = useMemo(() => findFolds(items, extent), [items, extent]);
  const [view, setView] = useState<TimeView>(wholeView);
  const room = useMemo(() => ({ extent, folds, width }), [extent, folds, width]);
  const seen = useMemo(() => seenIn(view, room), [view, room]);

  const zoom = useCallback((factor: number, x: number) => setView((view) => zoomAt(view, room, factor, x)), [room]);
  const pan = useCallback((dx: number) => setView((view) => panBy(view, room, dx)), [room]);
  const reveal = useCallback((time: number) => setView((view) => panTo(view, room, time)), [room]);
  const showAll = useCallback(() => setView(wholeView), []);
  const moment = at ?? extent.until;
  const isWhole = view.pxPerMs === null;
  return useMemo(
    () => ({ seen, isWhole, moment, zoom, pan, reveal, showAll }),
    [seen, isWhole, moment, zoom, pan, reveal, showAll],
  );
}

/** `clock` in epoch ms while live, else `null`. An extent of at least a second, so that there is a scale. */
function useExtent(
  items: readonly TimelineItem[],
  { createdAt, updatedAt, status }: RunSnapshot,
  clock: number | null,
  given: Span | undefined,
): Span {
  const last = useMemo(() => items.reduce((latest, { at, until }) => Math.max(latest, at, until ?? at), 0), [items]);
  const until = given?.until ?? Math.max(updatedAt, last, isOver({ status }) || clock === null ? 0 : clock);
  const from = Math.min(given?.from ?? createdAt, until - 1_000);
  return useMemo(() => ({ from, until }), [from, until]);
}
