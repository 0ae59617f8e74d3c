// Keeps two canvases drawn: the lanes, and the words of the axis above them. Draws at most once a frame, and only what has
// changed: a move of the playhead does not draw the lanes again.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { RefObject } from "react";

import { paintAxis } from "./paintAxis.ts";
import { paintGround } from "./paintGround.ts";
import { paintLanes } from "./paintLanes.ts";
import { paintPath } from "./paintPath.ts";
import type { Pen, Scene } from "./scene.ts";
import { readTheme, watchTheme } from "./theme.ts";
import type { Theme } from "./theme.ts";

export interface TimelineCanvas {
  readonly lower: RefObject<HTMLCanvasElement | null>;
  readonly upper: RefObject<HTMLCanvasElement | null>;
}

/** Draws the lanes for every new `scene`, the axis also when the playhead's time (`flag`, see paintAxis) moves. `null` draws nothing. */
export function useTimelineCanvas(scene: Scene | null, flag: number | null): TimelineCanvas {
  const lower = useRef<HTMLCanvasElement>(null);
  const upper = useRef<HTMLCanvasElement>(null);
  useFrame(scene, (scene) => {
    paintOn(lower.current, scene, scene.height, (pen) => {
      paintGround(pen, scene);
      if (scene.path === null) paintLanes(pen, scene);
      else paintPath(pen, scene, scene.path, () => paintLanes(pen, scene));
    });
  });
  const axis = useMemo(() => (scene === null ? null : { scene, flag }), [scene, flag]);
  useFrame(axis, ({ scene, flag }) => {
    paintOn(upper.current, scene, scene.rows.axisHeight, (pen) => paintAxis(pen, scene, flag));
  });
  return { lower, upper };
}

/** Calls `draw` in the next frame after `what` has changed, with the latest. A frame that is due stays due however often it changes until then: a run that streams would otherwise never be drawn. */
function useFrame<What>(what: What | null, draw: (what: What) => void): void {
  const latest = useRef({ what, draw });
  const due = useRef(0);
  useLayoutEffect(() => {
    latest.current = { what, draw };
  });
  useEffect(() => {
    if (what === null || due.current !== 0) return;
    due.current = requestAnimationFrame(() => {
      due.current = 0;
      const { what, draw } = latest.current;
      if (what !== null) draw(what);
    });
  }, [what]);
  useEffect(
    () => () => {
      cancelAnimationFrame(due.current);
      due.current = 0;
    },
    [],
  );
}

/** Clears the canvas at the size of the scene in device px, and hands out a pen that counts in px. */
function paintOn(
  canvas: HTMLCanvasElement | null,
  { width, ratio }: Scene,
  height: number,
  paint: (pen: Pen) => void,
): void {
  const pen = canvas?.getContext("2d") ?? null;
  if (canvas === null || pen === null) return;
  const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== deviceWidth || canvas.height !== deviceHeight) {
    canvas.width = deviceWidth;
    canvas.height = deviceHeight;
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.textBaseline = "alphabetic";
  paint(pen);
}

/** The theme of `element`, read again whenever the page may look otherwise. `null` before it has been mounted. */
export function useTheme(element: RefObject<HTMLElement | null>): Theme | null {
  const [theme, setTheme] = useState<Theme | null>(null);
  useLayoutEffect(() => {
    const read = () => {
      if (element.current !== null) setTheme(readTheme(element.current));
    };
    read();
    return watchTheme(read);
  }, [element]);
  return theme;
}

/** The size in px of `element`, and device px per px; zeros before it has been measured. */
export function useSize(element: RefObject<HTMLElement | null>): {
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
} {
  const [size, setSize] = useState({ width: 0, height: 0, ratio: 1 });
  useLayoutEffect(() => {
    const measured = element.current;
    if (measured === null) return undefined;
    const read = () => setSize({ width: measured.clientWidth, height: measured.clientHeight, ratio: devicePixelRatio });
    const observer = new ResizeObserver(read);
    observer.observe(measured);
    read();
    // Another screen, or another zoom of the page.
    addEventListener("resize", read);
    return () => {
      observer.disconnect();
      removeEventListener("resize", read);
    };
  }, [element]);
  return size;
}
