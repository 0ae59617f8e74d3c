// The timeline by keyboard: up and down from lane to lane, left and right through what is in a lane, Enter for its
// place in the transcript, S to replay from there.

import { useState } from "react";
import type { KeyboardEvent, RefObject } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { TimelineItem } from "../../../shared/contract/snapshots.ts";
import { headHeight } from "./scene.ts";
import type { Rows } from "./hit.ts";
import { laneItems } from "./laneItems.ts";
import type { Lane } from "./lanes.ts";
import type { TimeWindow } from "./useTimeWindow.ts";
import { describeItem } from "./words.ts";

interface LaneKeysOptions {
  readonly lanes: readonly Lane[];
  readonly selected: AgentId | null;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: Rows;
  readonly height: number;
  readonly width: number;
  readonly onSelect: (agent: AgentId, item?: TimelineItem) => void;
  readonly onSeek: (at: number) => void;
  readonly time: TimeWindow;
}

export interface LaneKeys {
  readonly reached: AgentId;
  readonly lane: Lane | null;
  readonly index: number;
  /** Where the keyboard stands in its lane; `null` before it has been moved. */
  readonly item: TimelineItem | null;
  readonly announcement: string;
  readonly reach: (agent: AgentId) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

export function useLaneKeys(options: LaneKeysOptions): LaneKeys {
  const { lanes, selected, scroller, rows, height, width, time, onSelect, onSeek } = options;
  const [focused, setFocused] = useState<AgentId | null>(null);
  const [stood, setStood] = useState<{ readonly item: TimelineItem; readonly words: string } | null>(null);
  const index = Math.max(
    0,
    lanes.findIndex(({ agent }) => agent === (focused ?? selected ?? "lead")),
  );
  const lane = lanes[index] ?? null;
  const reached = lane?.agent ?? "lead";
  // Where it stood in another lane means nothing in this one.
  const item = stood?.item.agent === reached ? stood.item : null;
  const reach = setFocused;

  function walkTo(next: number): void {
    const agent = lanes[Math.max(0, Math.min(next, lanes.length - 1))]?.agent;
    if (agent === undefined) return;
    reach(agent);
    const element = scroller.current;
    if (element !== null && next > 0) {
      const top = (next - 1) * rows.laneHeight;
      const room = height - headHeight(rows) - rows.laneHeight;
      element.scrollTo({ top: Math.max(Math.min(element.scrollTop, top), top - room) });
    }
    // A lane that has only just come into sight has its row after the next frame.
    requestAnimationFrame(() =>
      element?.querySelector<HTMLElement>(`[data-lane="${agent}"]`)?.focus({ preventScroll: true }),
    );
  }
  function stepItem(step: number): void {
    const items = lane === null ? [] : laneItems(lane);
    const at = item === null ? (step > 0 ? -1 : items.length) : items.indexOf(item);
    const next = items[Math.max(0, Math.min(at + step, items.length - 1))];
    if (next === undefined) return;
    // Said once, as of now: an item that goes on would be announced again every second.
    setStood({
      item: next,
      words: describeItem(next, time.moment)
        .filter((part) => part !== "")
        .join(", "),
    });
    time.reveal(next.at);
  }
  function choose(): void {
    onSelect(reached, ...(item === null ? [] : [item]));
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isOnLane = event.target instanceof HTMLElement && event.target.dataset["lane"] !== undefined;
    const zooms: Readonly<Record<string, () => void>> = {
      "+": () => time.zoom(1.5, width / 2),
      "=": () => time.zoom(1.5, width / 2),
      "-": () => time.zoom(1 / 1.5, width / 2),
      "0": time.showAll,
      f: time.showAll,
    };
    const walks: Readonly<Record<string, () => void>> = {
      ArrowDown: () => walkTo(index + 1),
      ArrowUp: () => walkTo(index - 1),
      ArrowRight: () => stepItem(1),
      ArrowLeft: () => stepItem(-1),
      Home: () => stepItem(-Infinity),
      End: () => stepItem(Infinity),
      Enter: choose,
      " ": choose,
      s: () => item !== null && onSeek(item.at),
      Escape: () => setStood(null),
    };
    const act = zooms[event.key.toLowerCase()] ?? (isOnLane ? walks[event.key] : undefined);
    if (act === undefined) return;
    act();
    event.preventDefault();
  }

  const announcement = item === null ? "" : (stood?.words ?? "");
  return { reached, lane, index, item, announcement, reach, onKeyDown };
}
