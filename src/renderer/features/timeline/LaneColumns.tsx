// The columns beside the picture: who a lane belongs to, and what that agent does or waits for at the playhead. Holds only the
// rows in sight, and the one that the keyboard has reached.

import { memo } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { Shape } from "../../ui/Mark.tsx";
import type { NowWords } from "./words.ts";

export interface LaneRow {
  readonly agent: AgentId;
  readonly ordinal: number;
  readonly role: string;
  readonly title: string;
  /** `null` before it exists. */
  readonly shape: Shape | null;
  readonly now: NowWords;
  /** The whole lane in one line, for whoever hears it. */
  readonly heard: string;
  /** Px from the top; `null` for the lead's, which stays. */
  readonly top: number | null;
  readonly position: number;
}

export interface LaneNamesProps {
  readonly rows: readonly LaneRow[];
  readonly laneCount: number;
  readonly height: number;
  readonly selected: AgentId | null;
  readonly reached: AgentId;
  readonly onReach: (agent: AgentId) => void;
  readonly onChoose: (agent: AgentId) => void;
}

export const LaneNames = memo(function LaneNames(props: LaneNamesProps) {
  const { rows, laneCount, height, selected, reached, onReach, onChoose } = props;
  return (
    <div className="lane-names" role="listbox" aria-label="Lanes" style={{ height }}>
      <i className="lane-corner" aria-hidden="true" />
      {rows.map(({ agent, ordinal, role, title, shape, heard, top, position }) => (
        // The timeline around it walks and selects by key for all of its lanes.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={agent}
          className={agent === "lead" ? "lane lane-lead" : "lane"}
          role="option"
          aria-label={heard}
          aria-selected={agent === selected}
          aria-posinset={position}
          aria-setsize={laneCount}
          tabIndex={agent === reached ? 0 : -1}
          data-lane={agent}
          data-future={shape === null}
          style={top === null ? {} : { top }}
          onFocus={() => onReach(agent)}
          onClick={() => onChoose(agent)}
        >
          <span data-role={role}>
            <i className="role" />
          </span>
          {agent !== "lead" && <span className="lane-ordinal">{ordinal}</span>}
          <span className="one">{title}</span>
          {shape !== null && <i className="glyph" data-shape={shape} />}
        </div>
      ))}
    </div>
  );
});

export interface LaneNowProps {
  readonly rows: readonly LaneRow[];
  readonly height: number;
  readonly selected: AgentId | null;
}

/** Said by the lanes' names too, so it is only for the eye. */
export const LaneNow = memo(function LaneNow({ rows, height, selected }: LaneNowProps) {
  return (
    <div className="lane-nows" aria-hidden="true" style={{ height }}>
      <i className="lane-corner" />
      {rows.map(({ agent, now, top }) => (
        <div
          key={agent}
          className={agent === "lead" ? "lane-now lane-lead" : "lane-now"}
          data-tone={now.tone}
          data-selected={agent === selected}
          style={top === null ? {} : { top }}
          title={now.text}
        >
          {now.tone === "work" && <i className="lane-dot" />}
          <span className="one">{now.text}</span>
        </div>
      ))}
    </div>
  );
});
