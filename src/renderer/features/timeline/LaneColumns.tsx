// The columns beside the picture: who a lane belongs to, and what that agent does or waits for at the playhead. Holds only the
// rows in sight, and the one that the keyboard has reached.

import { memo } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { Shape } from "../../ui/Mark.tsx";
import type { NowWords } from "./words.ts";

/** All of it primitive, so that a row is drawn again only when it says something else. */
export interface LaneRow {
  readonly agent: AgentId;
  readonly ordinal: number;
  readonly role: string;
  readonly title: string;
  /** `null` before it exists. */
  readonly shape: Shape | null;
  readonly tone: NowWords["tone"];
  readonly says: string;
  /** What is in the lane, for whoever hears it. */
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
      {rows.map(({ tone: _tone, says: _says, ...row }) => (
        <LaneName
          key={row.agent}
          {...row}
          laneCount={laneCount}
          isSelected={row.agent === selected}
          isReached={row.agent === reached}
          onReach={onReach}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
});

interface LaneNameProps
  extends Omit<LaneRow, "tone" | "says">, Pick<LaneNamesProps, "laneCount" | "onReach" | "onChoose"> {
  readonly isSelected: boolean;
  readonly isReached: boolean;
}

const LaneName = memo(function LaneName(props: LaneNameProps) {
  const { agent, ordinal, role, title, shape, heard, top, position, laneCount, isSelected, isReached } = props;
  return (
    // The timeline around it walks and selects by key for all of its lanes.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className={agent === "lead" ? "lane lane-lead" : "lane"}
      role="option"
      aria-selected={isSelected}
      aria-posinset={position}
      aria-setsize={laneCount}
      tabIndex={isReached ? 0 : -1}
      data-lane={agent}
      data-future={shape === null}
      style={top === null ? {} : { top }}
      onFocus={() => props.onReach(agent)}
      onClick={() => props.onChoose(agent)}
    >
      <span data-role={role}>
        <i className="role" />
      </span>
      {agent !== "lead" && (
        <span className="lane-ordinal">
          <span className="heard">subagent-</span>
          {ordinal}
        </span>
      )}
      <span className="one">{title}</span>
      <span className="heard">, {heard}</span>
      {shape !== null && <i className="glyph" data-shape={shape} />}
    </div>
  );
});

export interface LaneNowsProps {
  readonly rows: readonly LaneRow[];
  readonly height: number;
  readonly selected: AgentId | null;
}

/** Said by the lanes' names too, so it is only for the eye. */
export const LaneNows = memo(function LaneNows({ rows, height, selected }: LaneNowsProps) {
  return (
    <div className="lane-nows" aria-hidden="true" style={{ height }}>
      <i className="lane-corner" />
      {rows.map(({ agent, tone, says, top }) => (
        <LaneNow
          key={agent}
          isLead={agent === "lead"}
          tone={tone}
          says={says}
          top={top}
          isSelected={agent === selected}
        />
      ))}
    </div>
  );
});

interface LaneNowProps extends Pick<LaneRow, "tone" | "says" | "top"> {
  readonly isLead: boolean;
  readonly isSelected: boolean;
}

const LaneNow = memo(function LaneNow({ isLead, tone, says, top, isSelected }: LaneNowProps) {
  return (
    <div
      className={isLead ? "lane-now lane-lead" : "lane-now"}
      data-tone={tone}
      data-selected={isSelected}
      style={top === null ? {} : { top }}
      title={says}
    >
      {tone === "work" && <i className="lane-dot" />}
      <span className="one">{says}</span>
    </div>
  );
});
