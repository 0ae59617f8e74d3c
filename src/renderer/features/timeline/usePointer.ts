// The timeline by pointer: hover says what is there, a click selects it, the axis seeks, a drag pans, ctrl and wheel zoom.

import { useEffect, useRef } from "react";
import type { RefObject } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { TimelineItem } from "../../../shared/contract/snapshots.ts";
import type { Tip } from "./TimelineTip.tsx";
import { hitTest } from "./hit.ts";
import type { Rows } from "./hit.ts";
import type { Lane } from "./lanes.ts";
import type { TimeWindow } from "./useTimeWindow.ts";

interface PointerOptions {
  readonly lanes: readonly Lane[];
  readonly rows: Rows;
  readonly time: TimeWindow;
  readonly setTip: (tip: Tip | null) => void;
  readonly onSeek: (at: number) => void;
  readonly onSelect: (agent: AgentId, item?: TimelineItem) => void;
}

/** Pointer movement in px that makes a press a drag. */
const dragFrom = 4;

/** Listens on `frame` once; what it does follows the latest options. */
export function usePointer(frame: RefObject<HTMLElement | null>, options: PointerOptions): void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const listening = new AbortController();
    listen(element, () => latest.current, listening.signal);
    return () => listening.abort();
  }, [frame]);
}

type Press = { readonly x: number; last: number; readonly does: "seek" | "pan"; isDrag: boolean };

function listen(element: HTMLElement, options: () => PointerOptions, signal: AbortSignal): void {
  let press: Press | null = null;
  const at = ({ clientX, clientY }: MouseEvent): readonly [number, number] => {
    const { left, top } = element.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  const hit = (x: number, y: number) => {
    const { lanes, time, rows } = options();
    return hitTest(lanes, time.seen.scale, rows, x + time.seen.offset, y);
  };

  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    const [x, y] = at(event);
    const { rows, onSeek } = options();
    press = { x, last: x, does: y < rows.axisHeight ? "seek" : "pan", isDrag: false };
    element.setPointerCapture(event.pointerId);
    if (press.does === "seek") onSeek(hit(x, y).at);
  };
  const move = (event: PointerEvent): void => {
    const [x, y] = at(event);
    const { setTip, time, onSeek } = options();
    if (press === null) return setTip({ x, y, ...hit(x, y) });
    press.isDrag ||= Math.abs(x - press.x) >= dragFrom;
    if (!press.isDrag) return undefined;
    setTip(null);
    if (press.does === "seek") onSeek(hit(x, y).at);
    else time.pan(press.last - x);
    press.last = x;
    return undefined;
  };
  const up = (event: PointerEvent): void => {
    const wasClick = press?.does === "pan" && !press.isDrag;
    press = null;
    if (!wasClick) return;
    const { lane, item } = hit(...at(event));
    if (lane !== null) options().onSelect(lane.agent, ...(item === null ? [] : [item]));
  };
  element.addEventListener("pointerdown", down, { signal });
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointerup", up, { signal });
  element.addEventListener("pointercancel", () => (press = null), { signal });
  element.addEventListener("pointerleave", () => options().setTip(null), { signal });
  element.addEventListener("dblclick", (event) => options().onSeek(hit(...at(event)).at), { signal });
  element.addEventListener("wheel", (event) => turnWheel(event, at(event)[0], options()), { passive: false, signal });
}

/** Up and down is the page's own scrolling, as long as there is something to scroll. */
function turnWheel(event: WheelEvent, x: number, { time }: PointerOptions): void {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
  if (event.ctrlKey || event.metaKey) {
    event.preventDefault();
    return time.zoom(Math.exp(-event.deltaY * unit * 0.0022), x);
  }
  const dx = event.shiftKey ? event.deltaY : event.deltaX;
  if (dx === 0 || time.isWhole) return undefined;
  event.preventDefault();
  return time.pan(dx * unit);
}
