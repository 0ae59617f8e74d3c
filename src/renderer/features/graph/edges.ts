// What leads from one subagent to another, and the line that shows it. Pure.

import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { hasFallen } from "../subagents.ts";
import { boxOf } from "./geometry.ts";
import type { Box, Geometry } from "./geometry.ts";
import type { GraphLayout, Place } from "./layout.ts";

/** `gave` its result, is `waited` for, is `reviewed`, or `broke` what depended on it. */
export type EdgeKind = "gave" | "waits" | "reviews" | "broke";

export interface Edge {
  readonly from: SubagentId;
  readonly to: SubagentId;
  readonly kind: EdgeKind;
  /** What its line alone does not say; empty where it says enough. */
  readonly label: string;
}

export interface EdgeLine extends Edge {
  /** An SVG path. */
  readonly path: string;
  readonly tip: { readonly x: number; readonly y: number };
  readonly middle: { readonly x: number; readonly y: number };
}

export function edgesOf(
  subagents: readonly SubagentSnapshot[],
  byId: ReadonlyMap<string, SubagentSnapshot>,
): readonly Edge[] {
  return subagents.flatMap((subagent) =>
    subagent.dependsOn.flatMap(({ id, until, because }) => {
      const dependency = byId.get(id);
      if (dependency === undefined) return [];
      const kind = kindOf(dependency, subagent, until);
      return [{ from: id, to: subagent.id, kind, label: because ?? labelOf(kind, dependency) }];
    }),
  );
}

function kindOf(dependency: SubagentSnapshot, dependent: SubagentSnapshot, until: "completed" | "proposed"): EdgeKind {
  if (hasFallen(dependency) && hasFallen(dependent) && dependent.startedAt === null) return "broke";
  if (until === "proposed") return "reviews";
  return dependent.startedAt !== null || dependency.status === "completed" ? "gave" : "waits";
}

/** Words that go under a card say less than none: as many as the gap has room for. A card's reasons have them whole. */
function clipLabel(label: string, { gap }: Geometry): string {
  const most = Math.floor(gap / 5.6);
  return label.length <= most ? label : `${label.slice(0, most - 1).trimEnd()}…`;
}

function labelOf(kind: EdgeKind, { role }: SubagentSnapshot): string {
  switch (kind) {
    case "gave":
      return "";
    case "waits":
      return role === "executor" ? "after it lands" : "after it ends";
    case "reviews":
      return "reviews";
    case "broke":
      return "failed, cascaded";
  }
}

/** Lines for the edges whose ends have places. Ends that share a card's side are spread over it. */
export function drawEdges(edges: readonly Edge[], layout: GraphLayout, geometry: Geometry): readonly EdgeLine[] {
  const outgoing = Map.groupBy(edges, ({ from }) => from);
  const incoming = Map.groupBy(edges, ({ to }) => to);
  const placeOf = (id: SubagentId) => layout.places.get(id);
  return edges.flatMap((edge) => {
    const [from, to] = [placeOf(edge.from), placeOf(edge.to)];
    if (from === undefined || to === undefined) return [];
    const out = port(outgoing.get(edge.from) ?? [], edge, (other) => placeOf(other.to)?.row ?? 0);
    const into = port(incoming.get(edge.to) ?? [], edge, (other) => placeOf(other.from)?.row ?? 0);
    return [{ ...edge, label: clipLabel(edge.label, geometry), ...lineOf(from, to, out, into, edge.kind, geometry) }];
  });
}

/** Where on the side of a card an edge ends, in px from its middle: edges in the order of where they come from. */
function port(edges: readonly Edge[], edge: Edge, rowOf: (edge: Edge) => number): number {
  const order = edges.toSorted((a, b) => rowOf(a) - rowOf(b));
  const spread = Math.min(15, 52 / edges.length);
  return (order.indexOf(edge) - (edges.length - 1) / 2) * spread;
}

function lineOf(
  from: Place,
  to: Place,
  out: number,
  into: number,
  kind: EdgeKind,
  geometry: Geometry,
): Pick<EdgeLine, "path" | "tip" | "middle"> {
  const [a, b] = [boxOf(from, geometry), boxOf(to, geometry)];
  const start = { x: a.x + a.width, y: a.y + a.height / 2 + out };
  const tip = { x: b.x - 1, y: b.y + b.height / 2 + into };
  // A cascade ends in its cross, everything else in an arrow.
  const end = { x: tip.x - (kind === "broke" ? 0 : 5), y: tip.y };
  const isNear = to.column - from.column <= 1;
  const path = isNear ? curve(start, end) : detour(start, end, b, from.row <= to.row, geometry);
  const middle = isNear
    ? { x: (start.x + tip.x) / 2, y: (start.y + tip.y) / 2 }
    : { x: tip.x - geometry.gap / 2, y: tip.y };
  return { path, tip, middle };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function curve(start: Point, end: Point): string {
  const reach = Math.max(22, (end.x - start.x) * 0.5);
  return `M${round(start.x)} ${round(start.y)}C${round(start.x + reach)} ${round(start.y)} ${round(end.x - reach)} ${round(end.y)} ${round(end.x)} ${round(end.y)}`;
}

/** Past the columns between, through the space above or below the row of the target. */
function detour(start: Point, end: Point, box: Box, isFromAbove: boolean, { pitch, card }: Geometry): string {
  const space = (pitch - card.height) / 2;
  const lane = isFromAbove ? box.y - space : box.y + box.height + space;
  const reach = 34;
  const out = curve(start, { x: start.x + reach, y: lane });
  return `${out}H${round(end.x - reach)}C${round(end.x - reach / 2)} ${round(lane)} ${round(end.x - reach / 2)} ${round(end.y)} ${round(end.x)} ${round(end.y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
