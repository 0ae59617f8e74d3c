// The rows of the columns beside the picture: those in sight, the lead's, and the one that the keyboard has reached.

import { useMemo } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { describeLead, viewRun } from "../subagents.ts";
import type { LaneRow } from "./LaneColumns.tsx";
import type { Rows } from "./hit.ts";
import type { Lane } from "./lanes.ts";
import { describeLane, sayNow } from "./words.ts";

interface LaneRowsOptions {
  readonly lanes: readonly Lane[];
  readonly snapshot: RunSnapshot;
  readonly rows: Rows;
  /** Of the picture, in px. */
  readonly height: number;
  /** Epoch ms. */
  readonly moment: number;
  readonly reached: AgentId;
}

/** Rows come and go this many at a time, so that a scroll seldom changes anything. */
const batch = 12;

export function useLaneRows({ lanes, snapshot, rows, height, moment, reached }: LaneRowsOptions): readonly LaneRow[] {
  const view = viewRun(snapshot);
  const { axisHeight, leadHeight, laneHeight, scrollTop } = rows;
  const first = Math.floor(scrollTop / laneHeight / batch) * batch - batch / 2;
  const end = first + Math.ceil(height / laneHeight) + 2 * batch;
  return useMemo(() => {
    const top = axisHeight + leadHeight;
    const rowAt = (lane: Lane, index: number): LaneRow => {
      const account = lane.agent === "lead" ? describeLead(snapshot) : view.accounts.get(lane.agent);
      const now = sayNow(lane.agent, snapshot, view, moment);
      return {
        agent: lane.agent,
        ordinal: lane.ordinal,
        role: lane.role,
        title: lane.title === "" ? lane.agent : lane.title,
        shape: account?.shape ?? null,
        tone: now.tone,
        says: now.text,
        heard: describeLane(lane, account?.word ?? "Not there yet", now),
        top: index === 0 ? null : top + (index - 1) * laneHeight,
        position: index + 1,
      };
    };
    return lanes.flatMap((lane, index) =>
      index === 0 || (index >= first && index < end) || lane.agent === reached ? [rowAt(lane, index)] : [],
    );
  }, [lanes, snapshot, view, axisHeight, leadHeight, laneHeight, first, end, moment, reached]);
}
