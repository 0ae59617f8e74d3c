// The ground of the timeline: grid, folds, rules between lanes, and the stems on which every lane grows out of the lead's.

import { formatTime } from "../../ui/formats.ts";
import { axisTicks } from "./axis.ts";
import type { AxisTick } from "./axis.ts";
import { laneY } from "./hit.ts";
import type { Lane } from "./lanes.ts";
import { xOf } from "./scale.ts";
import type { TimeScale } from "./scale.ts";
import { headHeight, lanesInSight } from "./scene.ts";
import type { Pen, Scene } from "./scene.ts";

/** Lanes born within this of each other grow from one stem, in ms. */
const togetherMs = 15_000;

export function paintGround(pen: Pen, scene: Scene): void {
  paintGrid(pen, scene);
  paintFolds(pen, scene);
  paintRules(pen, scene);
  paintStems(pen, scene);
}

function paintGrid(pen: Pen, { scale, offset, width, height, theme }: Scene): void {
  pen.strokeStyle = theme.colours.line;
  pen.lineWidth = 1;
  for (const { x, label } of ticksOf(scale, offset, width)) {
    const left = Math.round(x - offset) + 0.5;
    pen.globalAlpha = label === "" ? 0.5 : 1;
    line(pen, left, label === "" ? 17 : 15, left, height);
  }
  pen.globalAlpha = 1;
}

/** The axis of what is seen, at moments that are round where the person is. */
export function ticksOf(scale: TimeScale, offset: number, width: number): readonly AxisTick[] {
  const offsetMs = -new Date(scale.extent.from).getTimezoneOffset() * 60_000;
  return axisTicks(scale, offset, offset + width, offsetMs, formatTime);
}

function paintFolds(pen: Pen, { scale, offset, width, height, theme }: Scene): void {
  for (const fold of scale.folds) {
    const left = fold.x - offset;
    if (left > width || left + fold.width < 0) continue;
    pen.fillStyle = theme.colours.ground;
    pen.fillRect(left, 15, fold.width, height - 15);
    if (fold.width < 8) continue;
    pen.strokeStyle = theme.colours["line-strong"];
    pen.lineWidth = 1;
    wave(pen, left, 15, height);
    wave(pen, left + fold.width, 15, height);
  }
}

function wave(pen: Pen, x: number, top: number, bottom: number): void {
  pen.beginPath();
  pen.moveTo(x, top);
  for (let y = top, side = 1; y < bottom; y += 5, side = -side) pen.lineTo(x + 1.25 + side * 1.25, y + 5);
  pen.stroke();
}

function paintRules(pen: Pen, scene: Scene): void {
  const { lanes, rows, width, theme, selected } = scene;
  const [first, end] = lanesInSight(scene);
  const rule = (y: number): void => line(pen, 0, Math.round(y) - 0.5, width, Math.round(y) - 0.5);
  below(pen, scene, () => {
    for (let index = first; index < end; index += 1) {
      const y = laneY(rows, index);
      if (lanes[index]?.agent === selected) highlight(pen, scene, y - rows.laneHeight / 2, rows.laneHeight);
      pen.globalAlpha = 0.6;
      pen.strokeStyle = theme.colours.line;
      rule(y + rows.laneHeight / 2);
      pen.globalAlpha = 1;
    }
  });
  if (selected === "lead") highlight(pen, scene, rows.axisHeight, rows.leadHeight);
  pen.globalAlpha = 0.6;
  pen.strokeStyle = theme.colours.line;
  rule(headHeight(rows));
  pen.globalAlpha = 1;
}

function highlight(pen: Pen, { width, theme }: Scene, top: number, height: number): void {
  pen.fillStyle = theme.colours.chosen;
  pen.fillRect(0, top, width, height);
}

function paintStems(pen: Pen, scene: Scene): void {
  const { lanes, scale, offset, rows, theme, width } = scene;
  const leadY = laneY(rows, 0);
  pen.strokeStyle = theme.colours.edge;
  pen.lineWidth = 1;
  for (const stem of stemsOf(lanes)) {
    const x = Math.round(xOf(scale, stem.at) - offset) + 0.5;
    if (x < -20 || x > width) continue;
    const lastY = laneY(rows, stem.last);
    below(pen, scene, () => {
      pen.beginPath();
      pen.moveTo(x, headHeight(rows));
      pen.lineTo(x, lastY - 4);
      for (const [index, bornAt] of stem.members) {
        const y = laneY(rows, index);
        if (y < 0 || y > scene.height + rows.laneHeight) continue;
        pen.moveTo(x, y - 4);
        pen.quadraticCurveTo(x, y, x + 4, y);
        pen.lineTo(Math.max(x + 5, xOf(scale, bornAt) - offset + 3), y);
      }
      pen.stroke();
    });
    line(pen, x, leadY, x, headHeight(rows));
    pen.fillStyle = theme.colours["role-lead"];
    pen.beginPath();
    pen.arc(x, leadY, 1.9, 0, 2 * Math.PI);
    pen.fill();
  }
}

interface Stem {
  readonly at: number;
  readonly last: number;
  /** Index of a lane, and when it was born. */
  readonly members: readonly (readonly [number, number])[];
}

function stemsOf(lanes: readonly Lane[]): readonly Stem[] {
  const stems: { at: number; last: number; members: (readonly [number, number])[] }[] = [];
  lanes.forEach(({ bornAt }, index) => {
    if (index === 0 || bornAt === Infinity) return;
    const stem = stems.find(({ at }) => Math.abs(bornAt - at) < togetherMs);
    if (stem === undefined) stems.push({ at: bornAt, last: index, members: [[index, bornAt]] });
    else {
      stem.at = Math.min(stem.at, bornAt);
      stem.last = index;
      stem.members.push([index, bornAt]);
    }
  });
  return stems;
}

/** Draws below the lead's lane only: that is where the lanes scroll. */
export function below(pen: Pen, { rows, width, height }: Scene, draw: () => void): void {
  const top = headHeight(rows);
  pen.save();
  pen.beginPath();
  pen.rect(0, top, width, height - top);
  pen.clip();
  draw();
  pen.restore();
}

export function line(pen: Pen, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}
