// What is under the pointer, or where the keyboard stands in a lane, in words.

import type { TimelineItem } from "../../../shared/contract/snapshots.ts";
import { formatTime } from "../../ui/formats.ts";
import type { Lane } from "./lanes.ts";
import { describeItem } from "./words.ts";

export interface Tip {
  /** Px from the left and the top of the picture. */
  readonly x: number;
  readonly y: number;
  readonly lane: Lane | null;
  readonly item: TimelineItem | null;
  /** Epoch ms. */
  readonly at: number;
}

export interface TimelineTipProps {
  readonly tip: Tip;
  readonly width: number;
  readonly height: number;
  readonly now: number;
}

export function TimelineTip({ tip: { x, y, lane, item, at }, width, height, now }: TimelineTipProps) {
  const [kind, label, when, outcome] = item === null ? ["", "", formatTime(at), ""] : describeItem(item, now);
  // On the side where there is room.
  const across = x > width * 0.6 ? { right: width - x + 12 } : { left: x + 12 };
  const down = y > height * 0.6 ? { bottom: height - y + 8 } : { top: y + 12 };
  return (
    <div className="time-tip" aria-hidden="true" data-failed={item?.isFailure === true} style={{ ...across, ...down }}>
      {item !== null && lane !== null && (
        <span className="time-tip-what">
          {kind !== "" && <span>{kind}</span>} <b>{label}</b>
        </span>
      )}
      {outcome !== "" && <span className="time-tip-outcome">{outcome}</span>}
      <span className="time-tip-when fig">
        {when}
        {lane !== null && (lane.agent === "lead" ? ", lead" : `, ${lane.agent}`)}
      </span>
    </div>
  );
}
