// Where the window stood when it was last closed, kept in the data folder. A place that no display shows any more, or a
// file that says nothing of use, counts as none.

import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

import type { BrowserWindow, Rectangle } from "electron";
import { z } from "zod";

import { replaceFile } from "../../settings/settingsFile.ts";

const whole = z.int().min(-100_000).max(100_000);
const stateSchema = z.object({
  bounds: z.object({ x: whole, y: whole, width: whole.min(1), height: whole.min(1) }),
  isMaximized: z.boolean(),
  isFullScreen: z.boolean(),
});
export type WindowState = z.infer<typeof stateSchema>;

export const smallest = { width: 480, height: 360 };
const usual = { width: 1440, height: 900 };

/** So much of a window's upper edge must be on a display that it can be taken hold of, px. */
const grip = { width: 120, height: 32 };

/** How long a window must stand still before its place is written, ms. */
const restMs = 500;

/** The bounds to open with, in the system's own units. `areas`: the work area of each display, the main one first. */
export function fitBounds(
  saved: Rectangle | null,
  areas: readonly Rectangle[],
): Partial<Rectangle> & Omit<Rectangle, "x" | "y"> {
  const area = areas.find((area) => saved !== null && isInReach(saved, area)) ?? null;
  if (saved === null || area === null) return within(usual, areas[0]);
  return { x: saved.x, y: saved.y, ...within(saved, area) };
}

function within(size: { width: number; height: number }, area: Rectangle | undefined) {
  return {
    width: Math.max(smallest.width, Math.min(size.width, area?.width ?? size.width)),
    height: Math.max(smallest.height, Math.min(size.height, area?.height ?? size.height)),
  };
}

function isInReach(bounds: Rectangle, area: Rectangle): boolean {
  const shared = Math.min(bounds.x + bounds.width, area.x + area.width) - Math.max(bounds.x, area.x);
  const isTopIn = bounds.y >= area.y && bounds.y + grip.height <= area.y + area.height;
  return shared >= Math.min(grip.width, bounds.width) && isTopIn;
}

/** `null`: never written, or of no use. */
export function readWindowState(file: string): WindowState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null;
  }
}

/** Writes the window's place whenever it has come to rest, and when it is closed. */
export function followWindowState(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const write = () => {
    clearTimeout(timer);
    if (window.isDestroyed() || window.isMinimized()) return;
    const state: WindowState = {
      bounds: window.getNormalBounds(),
      isMaximized: window.isMaximized(),
      isFullScreen: window.isFullScreen(),
    };
    mkdirSync(dirname(file), { recursive: true });
    // A place that could not be written costs nothing but a window elsewhere.
    void replaceFile(file, `${JSON.stringify(state)}\n`).catch(() => undefined);
  };
  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(write, restMs);
  };
  window.on("resize", rest);
  window.on("move", rest);
  window.on("close", write);
  window.on("closed", () => clearTimeout(timer));
}
