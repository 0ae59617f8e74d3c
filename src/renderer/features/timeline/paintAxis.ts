// The words of the axis: round times, and how much each fold hides. A strip of its own, since the playhead's own time moves over it.

import { formatDuration } from "../../ui/formats.ts";
import { ticksOf } from "./paintGround.ts";
import { flagWidth } from "./scene.ts";
import type { Pen, Scene } from "./scene.ts";

/** `flag` is the left side of the playhead's own time in px, where no other may stand; `null` when it is out of sight. */
export function paintAxis(pen: Pen, { scale, offset, width, theme }: Scene, flag: number | null): void {
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
    const isUnderFlag = flag !== null && Math.abs(x - flag - flagWidth / 2) < flagWidth / 2 + half + 4;
    if (isUnderFlag || x - half < taken || x - half < 0 || x + half > width) continue;
    pen.fillText(label, x, 11);
    taken = x + half + 8;
  }
}
