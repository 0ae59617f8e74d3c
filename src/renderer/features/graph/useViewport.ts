// Pans and zooms an element by pointer, wheel and command. Writes the result as custom properties, so that a frame of a
// drag renders nothing again; what the picture shows at a zoom is told only when the level of detail changes.

import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RefObject } from "react";

import type { Size } from "./geometry.ts";
import { keepInSight, zoomBy } from "./viewport.ts";
import type { Viewport } from "./viewport.ts";

/** How much can be read at a zoom. */
export type Detail = "near" | "far" | "dots";

/** Pointer movement in px that makes a press a drag. */
const dragFrom = 4;

export interface ViewportHandle {
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly room: Size;
  readonly detail: Detail;
  /** Moves the window, kept near what there is to see. Nothing happens before the element has been measured. */
  readonly move: (next: (viewport: Viewport, room: Size) => Viewport) => void;
}

/** `root` carries the properties `--x`, `--y`, `--zoom`. `extent` is what there is to see. */
export function useViewport(
  root: RefObject<HTMLElement | null>,
  extent: Size,
  initial: (room: Size) => Viewport,
): ViewportHandle {
  const stage = useRef<HTMLDivElement>(null);
  const viewport = useRef<Viewport | null>(null);
  const latest = useRef({ extent, initial });
  useLayoutEffect(() => {
    latest.current = { extent, initial };
  });
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 });
  const [detail, setDetail] = useState<Detail>("near");

  const apply = useCallback(
    (next: Viewport): void => {
      viewport.current = next;
      const style = root.current?.style;
      style?.setProperty("--x", `${next.x}px`);
      style?.setProperty("--y", `${next.y}px`);
      style?.setProperty("--zoom", String(next.zoom));
      setDetail(next.zoom >= 0.68 ? "near" : next.zoom >= 0.36 ? "far" : "dots");
    },
    [root],
  );
  const move = useCallback(
    (next: (viewport: Viewport, room: Size) => Viewport): void => {
      const size = sizeOf(stage.current);
      const before = viewport.current;
      if (size === null || before === null) return;
      apply(keepInSight(next(before, size), latest.current.extent, size));
    },
    [apply],
  );

  useLayoutEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const measure = () => {
      const size = sizeOf(element);
      if (size === null) return;
      setRoom((before) => (before.width === size.width && before.height === size.height ? before : size));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Opened once, as soon as there is room and something to see. After that only the person moves it.
  const isOpened = useRef(false);
  const hasContent = extent.width > 0;
  useLayoutEffect(() => {
    if (room.width === 0 || isOpened.current) return;
    isOpened.current = hasContent;
    apply(latest.current.initial(room));
  }, [room, hasContent, apply]);

  usePointerPan(stage, move);
  return { stage, room, detail, move };
}

function sizeOf(element: HTMLElement | null): Size | null {
  if (element === null || element.clientWidth === 0) return null;
  return { width: element.clientWidth, height: element.clientHeight };
}

function usePointerPan(stage: RefObject<HTMLDivElement | null>, move: ViewportHandle["move"]): void {
  useEffect(() => {
    const element = stage.current;
    if (element === null) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    let press: { readonly id: number; x: number; y: number; isDrag: boolean } | null = null;
    let wasDrag = false;

    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (event.ctrlKey || event.metaKey) {
        const bounds = element.getBoundingClientRect();
        const at = { x: event.clientX - bounds.left, y: event.clientY - bounds.top };
        return move((viewport) => zoomBy(viewport, Math.exp(-event.deltaY * unit * 0.0022), at));
      }
      const [dx, dy] = event.shiftKey ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      return move(({ x, y, zoom }) => ({ x: x - dx * unit, y: y - dy * unit, zoom }));
    };
    const down = (event: PointerEvent): void => {
      wasDrag = false;
      if (event.button === 0 || event.button === 1)
        press = { id: event.pointerId, x: event.clientX, y: event.clientY, isDrag: false };
    };
    const drag = (event: PointerEvent): void => {
      if (press?.id !== event.pointerId) return;
      const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
      if (!press.isDrag && Math.hypot(dx, dy) < dragFrom) return;
      if (!press.isDrag) element.setPointerCapture(event.pointerId);
      press = { id: event.pointerId, x: event.clientX, y: event.clientY, isDrag: true };
      element.dataset["dragging"] = "true";
      move(({ x, y, zoom }) => ({ x: x + dx, y: y + dy, zoom }));
    };
    const up = (): void => {
      wasDrag = press?.isDrag ?? false;
      press = null;
      delete element.dataset["dragging"];
    };
    // The click that ends a drag selects nothing.
    const click = (event: MouseEvent): void => {
      if (wasDrag) event.stopPropagation();
    };
    element.addEventListener("click", click, { capture: true, signal });
    element.addEventListener("wheel", wheel, { passive: false, signal });
    element.addEventListener("pointerdown", down, { signal });
    element.addEventListener("pointermove", drag, { signal });
    element.addEventListener("pointerup", up, { signal });
    element.addEventListener("pointercancel", up, { signal });
    return () => listening.abort();
  }, [stage, move]);
}
