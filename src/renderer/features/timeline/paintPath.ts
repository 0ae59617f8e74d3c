// The critical path, lit: its stretches at full strength over lanes that are dimmed, joined where one waited for another.

import type { PathStretch } from "./criticalPath.ts";
import { laneY } from "./hit.ts";
import { below, line } from "./paintGround.ts";
import { xOf } from "./scale.ts";
import type { Pen, Scene } from "./scene.ts";

/** Strength of what is not on the path. */
const dimmed = 0.26;
/** From the middle of a lane to the line under its stretch, in px. */
const under = 6.5;

interface Piece {
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly isLead: boolean;
}

/** `paint` draws the lanes; it is called twice. */
export function paintPath(pen: Pen, scene: Scene, path: readonly PathStretch[], paint: () => void): void {
  const pieces = piecesOf(scene, path);
  pen.save();
  pen.globalAlpha = dimmed;
  paint();
  pen.restore();
  pen.save();
  pen.beginPath();
  for (const { left, right, y } of pieces)
    pen.rect(left - 1, y - scene.rows.laneHeight / 2, right - left + 2, scene.rows.laneHeight);
  pen.clip();
  paint();
  pen.restore();
  pen.strokeStyle = scene.theme.colours["ink-2"];
  pen.lineWidth = 1.5;
  // What scrolls goes under the lead's lane, which does not.
  below(pen, scene, () =>
    strokePieces(
      pen,
      pieces.filter(({ isLead }) => !isLead),
    ),
  );
  strokePieces(
    pen,
    pieces.filter(({ isLead }) => isLead),
  );
  below(pen, scene, () => strokeJoins(pen, pieces));
}

function piecesOf({ scale, offset, lanes, rows }: Scene, path: readonly PathStretch[]): readonly Piece[] {
  const index = new Map(lanes.map(({ agent }, at) => [agent, at]));
  return path.flatMap(({ agent, from, until }) => {
    const at = index.get(agent);
    if (at === undefined) return [];
    const [left, right] = [xOf(scale, from) - offset, xOf(scale, until) - offset];
    return [{ left, right, y: Math.round(laneY(rows, at)), isLead: at === 0 }];
  });
}

function strokePieces(pen: Pen, pieces: readonly Piece[]): void {
  for (const { left, right, y } of pieces) line(pen, left, y + under, Math.max(left + 2, right), y + under);
}

/** From the end of one stretch to the beginning of the next. */
function strokeJoins(pen: Pen, pieces: readonly Piece[]): void {
  for (const [at, { right, y }] of pieces.entries()) {
    const next = pieces[at + 1];
    if (next === undefined) return;
    pen.beginPath();
    pen.moveTo(right, y + under);
    pen.lineTo(next.left, y + under);
    pen.lineTo(next.left, next.y + under);
    pen.stroke();
  }
}
