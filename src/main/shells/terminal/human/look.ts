// What every view is drawn with: ink, signs, width, clock. Decided once by the caller, passed down, never guessed.

import { type Clock, createClock } from "./figures.ts";
import { plainLine } from "./plainText.ts";
import type { Style } from "./style.ts";

export interface LookOptions {
  readonly style: Style;
  /** Columns of the terminal; 100 when left out, at least 40. */
  readonly columns?: number;
  /** `false` for terminals that show only ASCII. True when left out. */
  readonly unicode?: boolean;
  /** IANA name; the machine's own zone when left out. */
  readonly timeZone?: string;
}

/** Shapes of states. Circle: the machine's turn. Diamond: your turn. Square: ended without success. Arrow: on a branch. */
export type Glyph =
  | "queued"
  | "waiting"
  | "working"
  | "needs-you"
  | "ready"
  | "landing"
  | "landed"
  | "done"
  | "failed"
  | "stopped";

export interface Signs {
  readonly glyphs: Readonly<Record<Glyph, string>>;
  readonly ellipsis: string;
  /** Between facts of one line. */
  readonly dot: string;
  readonly arrow: string;
  readonly lineEnd: string;
  readonly fork: string;
  readonly lastFork: string;
  readonly stem: string;
}

const unicodeSigns: Signs = {
  glyphs: {
    queued: "○",
    waiting: "◌",
    working: "●",
    "needs-you": "◆",
    ready: "◇",
    landing: "→",
    landed: "⇥",
    done: "◉",
    failed: "■",
    stopped: "□",
  },
  ellipsis: "…",
  dot: "·",
  arrow: "→",
  lineEnd: "↵",
  fork: "├─",
  lastFork: "└─",
  stem: "│",
};

const asciiSigns: Signs = {
  glyphs: {
    queued: "o",
    waiting: ".",
    working: "*",
    "needs-you": "!",
    ready: "?",
    landing: ">",
    landed: "=",
    done: "+",
    failed: "x",
    stopped: "-",
  },
  ellipsis: "...",
  dot: "-",
  arrow: "->",
  lineEnd: "\\n",
  fork: "|-",
  lastFork: "`-",
  stem: "|",
};

export interface Look {
  readonly style: Style;
  readonly columns: number;
  readonly signs: Signs;
  readonly clock: Clock;
  /** Foreign text made safe for one line. */
  line(text: string): string;
  /** Facts of one line, the empty ones left out. */
  facts(parts: readonly string[]): string;
}

export function lookOf({ style, columns = 100, unicode = true, timeZone }: LookOptions): Look {
  const signs = signsOf(unicode);
  return {
    style,
    columns: Math.max(40, columns),
    signs,
    clock: createClock(timeZone),
    line: (text) => plainLine(text, signs.lineEnd),
    facts: (parts) => parts.filter((part) => part !== "").join(` ${signs.dot} `),
  };
}

export function signsOf(unicode: boolean): Signs {
  return unicode ? unicodeSigns : asciiSigns;
}
