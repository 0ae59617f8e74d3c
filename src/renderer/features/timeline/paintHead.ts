// What lies over the timeline: the words of the axis, the playhead with its time, the veil over what has not happened yet, the
// line under the pointer. Drawn without the lanes, since it moves by itself.

import { formatDuration, formatTime } from "../../ui/formats.ts";
import { ticksOf } from "./paintGround.ts";
import { xOf } from "./scale.ts";
import type { Head, Pen, Scene } from "./scene.ts";

const flagWidth = 58;

export function paintHead(pen: Pen, scene: Scene, { at, isLive, pointer }: Head): void {
  const { scale, offset, rows, width, height, theme } = scene;
  const { colours } = theme;
  const x = xOf(scale, at) - offset;
  if (!isLive && x < width) {
    pen.fillStyle = colours.scrim;
    pen.fillRect(Math.max(0, x), rows.axisHeight - 4, width - Math.max(0, x), height);
  }
  if (pointer !== null) {
    pen.fillStyle = colours["line-strong"];
    pen.fillRect(Math.round(pointer), rows.axisHeight - 4, 1, height);
  }
  const left = Math.max(0, Math.min(width - flagWidth, x - flagWidth / 2));
  const hasFlag = x >= 0 && x <= width;
  paintWords(pen, scene, hasFlag ? left + flagWidth / 2 : -Infinity);
  if (!hasFlag) return;
  pen.fillStyle = isLive ? colours["leaf-fill"] : colours.ink;
  pen.fillRect(x - 0.75, 0, 1.5, height);
  pen.fillStyle = isLive ? colours["leaf-fill"] : colours.inverse;
  pen.beginPath();
  pen.roundRect(left, 0, flagWidth, 15, 2);
  pen.fill();
  pen.fillStyle = isLive ? colours["on-leaf"] : colours["on-inverse"];
  pen.font = theme.strongFont;
  pen.fillText(formatTime(at), left + flagWidth / 2, 11.5);
}

/** The times of the axis, and how much each fold hides. `flag` is the middle of the playhead's own time. */
function paintWords(pen: Pen, { scale, offset, width, theme }: Scene, flag: number): void {
  const ticks = ticksOf(scale, offset, width).filter(({ label }) => label !== "");
  const folds = scale.folds.filter((fold) => fold.width >= 12);
  const words = [
    ...ticks.map(({ x, label }) => ({ x: x - offset, label })),
    ...folds.map((fold) => ({
      x: fold.x + fold.width / 2 - offset,
      label: `+${formatDuration(fold.until - fold.from)}`,
    })),
  ];
  pen.font = theme.font;
  pen.textAlign = "center";
  pen.fillStyle = theme.colours["ink-3"];
  let taken = -Infinity;
  for (const { x, label } of words.toSorted((a, b) => a.x - b.x)) {
    const half = pen.measureText(label).width / 2;
    if (x - half < taken || x - half < 0 || x + half > width || Math.abs(x - flag) < flagWidth / 2 + half + 4) continue;
    pen.fillText(label, x, 11);
    taken = x + half + 8;
  }
}
