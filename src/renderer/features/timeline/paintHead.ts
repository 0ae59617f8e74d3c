// What moves over the timeline: the playhead with its time, the veil over what has not happened yet, the line under the pointer.

import { formatTime } from "../../ui/formats.ts";
import { xOf } from "./scale.ts";
import type { Pen, Scene } from "./scene.ts";

const flagWidth = 58;

/** `pointer` in px from the left of the picture; `null` while it is elsewhere. */
export function paintHead(pen: Pen, scene: Scene, pointer: number | null): void {
  const { scale, offset, rows, width, height, theme, at, isLive } = scene;
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
  if (x < -flagWidth || x > width + flagWidth) return;
  pen.fillStyle = isLive ? colours["leaf-fill"] : colours.ink;
  pen.fillRect(x - 0.75, 0, 1.5, height);
  const left = Math.max(0, Math.min(width - flagWidth, x - flagWidth / 2));
  pen.fillStyle = isLive ? colours["leaf-fill"] : colours.inverse;
  pen.beginPath();
  pen.roundRect(left, 0, flagWidth, 15, 2);
  pen.fill();
  pen.fillStyle = isLive ? colours["on-leaf"] : colours["on-inverse"];
  pen.font = theme.strongFont;
  pen.textAlign = "center";
  pen.fillText(formatTime(at), left + flagWidth / 2, 11.5);
}
