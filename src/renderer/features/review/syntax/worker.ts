// The thread in which code is coloured: a text in, its colours out, one after the other. Keeps nothing.

import { colourLines } from "./colourLines.ts";
import type { LineColours } from "./colours.ts";

export interface ColourRequest {
  readonly id: number;
  readonly text: string;
  readonly language: string;
}

export interface ColourAnswer {
  readonly id: number;
  readonly lines: LineColours;
}

self.addEventListener("message", ({ data }: MessageEvent<ColourRequest>) => {
  const answer: ColourAnswer = { id: data.id, lines: colourLines(data.text, data.language) };
  self.postMessage(answer);
});
