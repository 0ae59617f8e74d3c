// The picture itself: two canvases and what is under the pointer. Whoever cannot see it has the lanes' names and lists.

import { useMemo, useState } from "react";
import type { RefObject } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { TimelineItem } from "../../../shared/contract/snapshots.ts";
import { Playhead } from "./Playhead.tsx";
import { TimelineTip } from "./TimelineTip.tsx";
import type { Tip } from "./TimelineTip.tsx";
import type { PathStretch } from "./criticalPath.ts";
import { laneY } from "./hit.ts";
import type { Rows } from "./hit.ts";
import type { Lane } from "./lanes.ts";
import { xOf } from "./scale.ts";
import { clampFlag } from "./scene.ts";
import type { Scene } from "./scene.ts";
import type { Theme } from "./theme.ts";
import { usePointer } from "./usePointer.ts";
import type { TimeWindow } from "./useTimeWindow.ts";
import { useTimelineCanvas } from "./useTimelineCanvas.ts";

export interface TimelinePictureProps {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly lanes: readonly Lane[];
  readonly time: TimeWindow;
  readonly rows: Rows;
  readonly size: { readonly width: number; readonly height: number; readonly ratio: number };
  readonly theme: Theme | null;
  readonly selected: AgentId | null;
  /** The critical path while it is lit. */
  readonly path: readonly PathStretch[] | null;
  readonly isLive: boolean;
  /** Where the keyboard stands; `null` before it has been used. */
  readonly cursor: { readonly lane: Lane | null; readonly index: number; readonly item: TimelineItem } | null;
  readonly onSeek: (at: number) => void;
  readonly onSelect: (agent: AgentId, item?: TimelineItem) => void;
}

export function TimelinePicture(props: TimelinePictureProps) {
  const { frame, lanes, time, rows, size, theme, selected, path, isLive, cursor, onSeek, onSelect } = props;
  const { width, height, ratio } = size;
  const { seen, moment } = time;
  const [hover, setHover] = useState<Tip | null>(null);
  const scene = useMemo(
    (): Scene | null =>
      theme === null || width === 0 ? null : { lanes, ...seen, rows, width, height, theme, selected, path, ratio },
    [lanes, seen, rows, width, height, theme, selected, path, ratio],
  );
  const x = xOf(seen.scale, moment) - seen.offset;
  const { lower, upper } = useTimelineCanvas(scene, clampFlag(x, width));
  usePointer(frame, { lanes, rows, time, setTip: setHover, onSeek, onSelect });

  const tip = hover ?? (cursor === null ? null : tipAt(cursor, xOf(seen.scale, cursor.item.at) - seen.offset, rows));
  return (
    <div className="time-frame" ref={frame} style={{ height }}>
      <canvas className="time-lanes" ref={lower} aria-hidden="true" />
      <Playhead x={x} width={width} at={moment} isLive={isLive} pointer={hover?.x ?? null} />
      <canvas className="time-axis" ref={upper} aria-hidden="true" />
      {tip !== null && <TimelineTip tip={tip} width={width} height={height} now={moment} />}
    </div>
  );
}

function tipAt({ lane, index, item }: NonNullable<TimelinePictureProps["cursor"]>, x: number, rows: Rows): Tip {
  return { x, y: laneY(rows, index), lane, item, at: item.at };
}
