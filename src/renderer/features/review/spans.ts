// What a line of code is drawn from: its characters with their colours, the words that changed, and what it would hide. Pure.

import { diffWordsWithSpace } from "diff";

import { partsOf } from "./hiddenText.ts";

/** A stretch that changed, by character. */
export interface Changed {
  readonly from: number;
  readonly to: number;
}

/** A stretch of one colour, by character. */
export interface Coloured extends Changed {
  readonly colour: string;
}

/** One piece of a drawn line. */
export interface Span {
  readonly text: string;
  readonly colour: string | null;
  readonly isChanged: boolean;
  /** It stands for a character that cannot be seen. */
  readonly isHidden: boolean;
  readonly isTreacherous: boolean;
}

/** Longer lines are marked as a whole: their words are not compared. */
const maxComparedChars = 1_000;
const maxEdits = 200;

export interface ChangedWords {
  readonly removed: readonly Changed[];
  readonly added: readonly Changed[];
}

const none: ChangedWords = { removed: [], added: [] };

/** The words that two versions of a line do not share; none where they share so little that marks would say nothing. */
export function changedWords(removed: string, added: string): ChangedWords {
  if (Math.max(removed.length, added.length) > maxComparedChars) return none;
  const parts = diffWordsWithSpace(removed, added, { maxEditLength: maxEdits });
  if (parts === undefined) return none;
  const found = { removed: [] as Changed[], added: [] as Changed[] };
  let [removedAt, addedAt, shared] = [0, 0, 0];
  for (const part of parts) {
    const { length } = part.value;
    if (part.removed) found.removed.push({ from: removedAt, to: removedAt + length });
    else if (part.added) found.added.push({ from: addedAt, to: addedAt + length });
    else shared += part.value.trim().length;
    if (!part.added) removedAt += length;
    if (!part.removed) addedAt += length;
  }
  return shared === 0 ? none : found;
}

/** The line cut at every change of colour, of what changed, and at every hidden character. `colours` and `changed` are in order. */
export function spansOf(text: string, colours: readonly Coloured[], changed: readonly Changed[]): readonly Span[] {
  const spans: Span[] = [];
  for (const part of partsOf(text)) {
    if (part.name !== null) {
      const { isTreacherous } = part;
      const isChanged = changed.some(({ from, to }) => from <= part.from && part.to <= to);
      spans.push({ text: part.name, colour: null, isChanged, isHidden: true, isTreacherous });
      continue;
    }
    for (const [from, to] of pieces(part.from, part.to, [...colours, ...changed])) {
      const covers = (one: Changed) => one.from <= from && to <= one.to;
      spans.push({
        text: text.slice(from, to),
        colour: colours.find(covers)?.colour ?? null,
        isChanged: changed.some(covers),
        isHidden: false,
        isTreacherous: false,
      });
    }
  }
  return spans;
}

/** `from` to `to`, cut wherever one of the stretches begins or ends. */
function pieces(from: number, to: number, stretches: readonly Changed[]): readonly (readonly [number, number])[] {
  const inside = stretches.flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
  const cuts = [...new Set([from, ...inside, to])].toSorted((left, right) => left - right);
  return cuts.slice(1).map((end, index) => [cuts[index] ?? from, end] as const);
}

/** Whether two lines differ in white space alone. */
export function isSameButForSpace(left: string, right: string): boolean {
  return left !== right && left.replace(/\s+/g, "") === right.replace(/\s+/g, "");
}
