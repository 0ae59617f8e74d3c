// Ink: how a piece of text may stand out on a terminal. The caller decides once whether there is colour at all.
// Never looks at the environment or at a stream.

import { styleText } from "node:util";

type Ink = (text: string) => string;

/** Colour is kept for meaning. Amber: your turn. Green: work under way, landed. Red: failed, or would be lost. Blue: who. */
export interface Style {
  readonly bold: Ink;
  readonly dim: Ink;
  readonly amber: Ink;
  readonly green: Ink;
  readonly red: Ink;
  readonly blue: Ink;
}

/** What a text means, and so how it is inked. `plain` stays as it is. */
export type Tone = keyof Style | "plain";

const same: Ink = (text) => text;

/** For pipes, files and NO_COLOR. */
export const plainStyle: Style = { bold: same, dim: same, amber: same, green: same, red: same, blue: same };

/** The sixteen colours, so that the person's own palette decides the shades. */
export const ansiStyle: Style = {
  bold: inkOf("bold"),
  dim: inkOf("dim"),
  amber: inkOf("yellow"),
  green: inkOf("green"),
  red: inkOf("red"),
  blue: inkOf("blue"),
};

/** `text` in the ink of `tone`; nothing is put around an empty text. */
export function paint(style: Style, tone: Tone, text: string): string {
  return tone === "plain" || text === "" ? text : style[tone](text);
}

function inkOf(format: Parameters<typeof styleText>[0]): Ink {
  // The caller has decided: Node would look at standard output and the environment again.
  return (text) => styleText(format, text, { validateStream: false });
}
