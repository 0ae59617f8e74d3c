// The rows of a transcript as a person reads them: a call and its answer as one card, turns numbered, as of a moment. Pure.

import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";

export interface Card {
  readonly kind: "card";
  readonly key: string;
  readonly tool: string;
  readonly state: string;
  /** `null`: there is none of that side. */
  readonly input: string | null;
  readonly output: string | null;
  /** From the turn's end to the answer, ms; `null` while there is none. */
  readonly durationMs: number | null;
}

export interface Turn {
  readonly kind: "turn";
  readonly key: string;
  readonly number: number;
  readonly at: number;
}

export interface Passage {
  readonly kind: "passage";
  readonly key: string;
  readonly item: TranscriptItem;
}

export type Entry = Card | Turn | Passage;

interface OpenCall {
  readonly item: TranscriptItem;
  readonly place: number;
}

/** Entries in order. `upTo`: nothing of later ordinals, and calls as they stood then; `null` for all. An answer joins the open call that it names. */
export function entriesOf(items: readonly TranscriptItem[], upTo: number | null): readonly Entry[] {
  const shown = upTo === null ? items : items.filter(({ n }) => n <= upTo);
  const entries: Entry[] = [];
  // By the model's own id, which it may use again in a later turn.
  const open = new Map<string, OpenCall>();
  let turn = { n: 0, number: 0 };
  for (const [index, item] of shown.entries()) {
    const key = `${item.n}-${index}`;
    if (isOfTurn(item) && item.n !== turn.n) {
      turn = { n: item.n, number: turn.number + 1 };
      open.clear();
      entries.push({ kind: "turn", key: `turn-${item.n}`, number: turn.number, at: item.at });
    }
    if (item.kind === "call") {
      open.set(item.call ?? "", { item, place: entries.length });
      entries.push(callCard(key, item, upTo !== null));
    } else if (item.kind === "answer") {
      const asked = open.get(item.call ?? "");
      if (asked === undefined) entries.push({ ...callCard(key, item, false), input: null, output: item.text });
      else entries[asked.place] = answeredCard(entries[asked.place], asked, item);
    } else entries.push({ kind: "passage", key, item });
  }
  return entries;
}

/** Said or asked for by the agent itself, all rows of one turn under one ordinal. */
function isOfTurn({ kind, title }: TranscriptItem): boolean {
  return kind === "text" || kind === "call" || (kind === "note" && title === "Reasoning");
}

/** A past moment does not know what became of a call whose answer is not there yet. */
function callCard(key: string, { title, text, state = "" }: TranscriptItem, isPast: boolean): Card {
  return {
    kind: "card",
    key,
    tool: title,
    state: isPast ? "open" : state,
    input: text,
    output: null,
    durationMs: null,
  };
}

/** The card keeps its key, so that one that is open stays open when the answer comes. */
function answeredCard(before: Entry | undefined, { item }: OpenCall, answer: TranscriptItem): Card {
  return {
    kind: "card",
    key: before?.key ?? `${item.n}-call-${item.call ?? ""}`,
    tool: item.title,
    state: answer.state ?? "executed",
    input: item.text,
    output: answer.text,
    durationMs: answer.at - item.at,
  };
}

/** What a call is about, on one line: the value of its one argument, else its arguments as they were written. */
export function subjectOf(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const texts = Object.values(value).filter((one): one is string => typeof one === "string");
      if (texts.length > 0) return texts.join("  ");
    }
  } catch {
    // Models write what is no JSON, too: then it is shown as it is.
  }
  return input;
}

/** JSON with line breaks; any other text as it is. */
export function layOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
