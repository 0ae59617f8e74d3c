// Where two cards are joined because both touch the same files, would conflict, or may not run side by side: posts between neighbours, a line between all others. Pure.

import type { OverlapSnapshot, RadarPicture, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { boxOf } from "./geometry.ts";
import type { Box, Geometry } from "./geometry.ts";
import type { GraphLayout } from "./layout.ts";

export interface OverlapLine extends OverlapSnapshot {
  /** An SVG path. */
  readonly drawn: string;
  /** Where its words stand. */
  readonly x: number;
  readonly y: number;
  /** One stands right under the other, so that the words have room between them. */
  readonly isNear: boolean;
  readonly kind: JoinKind;
}

/** `overlap`: both touch the same files. `clash`: a trial merge of the two has failed. `rule`: a rule keeps the second from running beside the first; `path` has its words. */
export type JoinKind = "overlap" | "clash" | "rule";

/** What joins the cards of a run: a conflict that the radar has found stands in the place of the overlap that it comes of. */
export function joinsOf({ overlaps = [], subagents }: RunSnapshot, radar: RadarPicture | undefined): readonly Join[] {
  const clashes = (radar?.conflicts ?? []).flatMap(({ agent, other, paths, fileCount }): readonly Join[] =>
    other === null ? [] : [{ agents: [agent, other], path: paths[0] ?? "", fileCount, kind: "clash" }],
  );
  const clashing = new Set(clashes.map(({ agents }) => agents.join(" ")));
  return [
    ...overlaps
      .filter(({ agents }) => !clashing.has(agents.join(" ")))
      .map((overlap) => ({ ...overlap, kind: "overlap" as const })),
    ...clashes,
    ...subagents.flatMap(({ id, rule }) =>
      (rule?.beside ?? []).map((other): Join => ({
        agents: [other, id],
        path: rule?.because ?? "",
        fileCount: 1,
        kind: "rule",
      })),
    ),
  ];
}

type Join = OverlapSnapshot & Pick<OverlapLine, "kind">;

/** Lines for the joins of which both cards are shown. */
export function overlapLines(
  overlaps: readonly Join[],
  layout: GraphLayout,
  geometry: Geometry,
  hidden: ReadonlySet<string>,
): readonly OverlapLine[] {
  return overlaps.flatMap((overlap) => {
    const [one, other] = overlap.agents.map((agent) => (hidden.has(agent) ? undefined : layout.places.get(agent)));
    if (one === undefined || other === undefined) return [];
    const [upper, lower] = one.row <= other.row ? [one, other] : [other, one];
    const [from, to] = [boxOf(upper, geometry), boxOf(lower, geometry)];
    const isNear = upper.column === lower.column && lower.row - upper.row === 1;
    return [{ ...overlap, ...(isNear ? posts(from, to) : line(from, to)), isNear }];
  });
}

function posts(from: Box, to: Box) {
  const [top, bottom] = [from.y + from.height, to.y];
  const post = (share: number) => `M${Math.round(from.x + from.width * share) + 0.5} ${top}V${bottom}`;
  return { drawn: post(0.14) + post(0.86), x: from.x + from.width / 2, y: (top + bottom) / 2 };
}

function line(from: Box, to: Box) {
  const [x0, x1] = [from.x + from.width / 2, to.x + to.width / 2];
  const [y0, y1] = [from.y + from.height / 2, to.y + to.height / 2];
  return { drawn: `M${x0} ${y0}L${x1} ${y1}`, x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
}
