// What a picture of the timeline is made from, and which part of it is seen.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { Rows } from "./hit.ts";
import type { PathStretch } from "./criticalPath.ts";
import type { Lane } from "./lanes.ts";
import type { TimeScale } from "./scale.ts";
import type { Theme } from "./theme.ts";

export interface Scene {
  readonly lanes: readonly Lane[];
  readonly scale: TimeScale;
  /** Px of the scale that lie to the left of the picture. */
  readonly offset: number;
  readonly rows: Rows;
  readonly width: number;
  readonly height: number;
  readonly theme: Theme;
  readonly selected: AgentId | null;
  /** Lit, with all else dimmed; `null` for no path. */
  readonly path: readonly PathStretch[] | null;
  /** Device px per px. */
  readonly ratio: number;
}

export type Pen = CanvasRenderingContext2D;

/** Indices of the lanes in sight, apart from the lead's, which always is. */
export function lanesInSight({ lanes, rows, height }: Scene): readonly [number, number] {
  const first = 1 + Math.floor(rows.scrollTop / rows.laneHeight);
  const room = height - rows.axisHeight - rows.leadHeight;
  return [first, Math.min(lanes.length, first + Math.ceil(room / rows.laneHeight) + 1)];
}

/** Everything above this is the axis and the lead's lane, under which the others scroll. */
export function headHeight({ axisHeight, leadHeight }: Rows): number {
  return axisHeight + leadHeight;
}

/** Width of the playhead's own time, in px. */
export const flagWidth = 58;

/** Where the playhead's time stands, in px to its left side; `null` when the playhead at `x` is out of sight. */
export function clampFlag(x: number, width: number): number | null {
  return x < 0 || x > width ? null : Math.max(0, Math.min(width - flagWidth, x - flagWidth / 2));
}
