// The playhead with its time, the veil over what has not happened yet, and the line under the pointer. Elements rather than
// strokes: they move by themselves, and moving them draws no lane again.

import { formatTime } from "../../ui/formats.ts";
import { clampFlag } from "./scene.ts";

export interface PlayheadProps {
  /** Px from the left of the picture. */
  readonly x: number;
  readonly width: number;
  /** Epoch ms. */
  readonly at: number;
  readonly isLive: boolean;
  /** Px from the left; `null` while the pointer is elsewhere. */
  readonly pointer: number | null;
}

export function Playhead({ x, width, at, isLive, pointer }: PlayheadProps) {
  const flag = clampFlag(x, width);
  return (
    <div className="playhead" aria-hidden="true" data-live={isLive}>
      {!isLive && x < width && <i className="playhead-veil" style={{ transform: `translateX(${Math.max(0, x)}px)` }} />}
      {pointer !== null && (
        <i className="playhead-pointer" style={{ transform: `translateX(${Math.round(pointer)}px)` }} />
      )}
      {flag !== null && (
        <>
          <i className="playhead-line" style={{ transform: `translateX(${x - 0.75}px)` }} />
          <span className="playhead-flag" style={{ transform: `translateX(${flag}px)` }}>
            {formatTime(at)}
          </span>
        </>
      )}
    </div>
  );
}
