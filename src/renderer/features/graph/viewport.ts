// The window onto the graph: what is seen of it and how large. Pure.

import { clamp } from "./geometry.ts";
import type { Box, Size } from "./geometry.ts";

/** A point of the graph at `p` is seen at `p * zoom + (x, y)`. */
export interface Viewport {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

export const minZoom = 0.08;
export const maxZoom = 2;
/** Of the graph that stays in sight however far somebody pans. */
const keptInSight = 90;
/** Around what is brought into sight. */
const margin = 24;

/** Zooms by `factor`; what is seen at `at` stays there. */
export function zoomBy(viewport: Viewport, factor: number, at: { readonly x: number; readonly y: number }): Viewport {
  const zoom = clamp(viewport.zoom * factor, minZoom, maxZoom);
  const ratio = zoom / viewport.zoom;
  return { x: at.x - (at.x - viewport.x) * ratio, y: at.y - (at.y - viewport.y) * ratio, zoom };
}

/** All of it, never larger than life. */
export function fitInto(extent: Size, room: Size): Viewport {
  const zoom = clamp(Math.min(room.width / extent.width, room.height / extent.height, 1), minZoom, 1);
  // Left-bound like the lead's line; in the middle only when it is far smaller than its room.
  return { x: zoom < 1 ? Math.max(0, (room.width - extent.width * zoom) / 2) : 0, y: 0, zoom };
}

/**
 * What is shown when a graph is opened: all of it where that can be read, or where only an overview helps; else its end
 * at full size, as that is where things happen.
 */
export function openOnto(extent: Size, room: Size, nodeCount: number): Viewport {
  if (extent.width === 0) return { x: 0, y: 0, zoom: 1 };
  const fitted = fitInto(extent, room);
  if (fitted.zoom >= 0.82 || nodeCount > 30) return fitted;
  return keepInSight({ x: Math.min(0, room.width - extent.width), y: 0, zoom: 1 }, extent, room);
}

export function keepInSight({ x, y, zoom }: Viewport, extent: Size, room: Size): Viewport {
  return {
    x: clamp(x, Math.min(keptInSight - extent.width * zoom, 0), Math.max(0, room.width - keptInSight)),
    y: clamp(y, Math.min(keptInSight - extent.height * zoom, 0), Math.max(0, room.height - keptInSight)),
    zoom,
  };
}

/** Pans as little as it takes to see `box` whole, or its beginning where it is larger than the room. */
export function reveal(viewport: Viewport, box: Box, room: Size): Viewport {
  const shift = (position: number, start: number, length: number, space: number): number => {
    const from = start * viewport.zoom + position;
    const to = (start + length) * viewport.zoom + position;
    if (from < margin || to - from > space - 2 * margin) return position + Math.min(margin, space / 4) - from;
    return to > space - margin ? position + space - margin - to : position;
  };
  return {
    ...viewport,
    x: shift(viewport.x, box.x, box.width, room.width),
    y: shift(viewport.y, box.y, box.height, room.height),
  };
}
