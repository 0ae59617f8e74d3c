// One diamond: a moment that changed what could happen. Its sign says which, its colour whose turn it was.

import type { Mark } from "./lanes.ts";
import type { Pen } from "./scene.ts";
import type { Theme } from "./theme.ts";

const radius = 6;

interface Look {
  readonly fill: keyof Theme["colours"];
  readonly edge: keyof Theme["colours"];
  readonly ink: keyof Theme["colours"];
  /** Lines from the middle: pairs of points. */
  readonly sign: readonly (readonly [number, number, number, number])[];
}

const looks: Readonly<Record<Mark["kind"], Look>> = {
  asked: {
    fill: "paper",
    edge: "you-fill",
    ink: "you",
    sign: [
      [0, -2.6, 0, 0.1],
      [0, 2.4, 0, 2.5],
    ],
  },
  ready: {
    fill: "paper",
    edge: "you-fill",
    ink: "you",
    sign: [
      [-2, -1.2, 2, -1.2],
      [-2, 1.2, 2, 1.2],
    ],
  },
  answered: {
    fill: "paper",
    edge: "you-fill",
    ink: "you",
    sign: [
      [-2.2, 0.2, -0.6, 1.9],
      [-0.6, 1.9, 2.3, -1.7],
    ],
  },
  landed: {
    fill: "leaf-fill",
    edge: "leaf-fill",
    ink: "paper",
    sign: [
      [0, -3, 0, 1.3],
      [-1.9, -0.4, 0, 1.5],
      [1.9, -0.4, 0, 1.5],
      [-2.2, 3, 2.2, 3],
    ],
  },
  failed: {
    fill: "fail-fill",
    edge: "fail-fill",
    ink: "paper",
    sign: [
      [-1.8, -1.8, 1.8, 1.8],
      [1.8, -1.8, -1.8, 1.8],
    ],
  },
  note: { fill: "paper", edge: "ink-3", ink: "ink-3", sign: [[-1.6, 0, 1.6, 0]] },
};

export function paintMark(pen: Pen, { colours }: Theme, { kind, isOpen }: Mark, x: number, y: number): void {
  const { fill, edge, ink, sign } = looks[kind];
  pen.beginPath();
  pen.moveTo(x, y - radius);
  pen.lineTo(x + radius, y);
  pen.lineTo(x, y + radius);
  pen.lineTo(x - radius, y);
  pen.closePath();
  // Open is filled: it is the person's turn now.
  pen.fillStyle = colours[isOpen ? edge : fill];
  pen.strokeStyle = colours[edge];
  pen.lineWidth = 1.2;
  pen.fill();
  pen.stroke();
  pen.strokeStyle = colours[isOpen ? "paper" : ink];
  pen.lineWidth = 1.3;
  pen.lineCap = "round";
  pen.beginPath();
  for (const [x0, y0, x1, y1] of sign) {
    pen.moveTo(x + x0, y + y0);
    pen.lineTo(x + x1, y + y1);
  }
  pen.stroke();
  pen.lineCap = "butt";
}
