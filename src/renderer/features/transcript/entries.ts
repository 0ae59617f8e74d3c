// The rows of a transcript as a person reads them: a call and its answer as one card, turns numbered, as of a moment. Pure.

import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";

export interface Card {
  readonly kind: "card";
  readonly key: string;
  readonly tool: string;
  readonly state: string;
  /** `null`: there is none of that side. */
  readonly input: RowText | null;
  readonly output: RowText | null;
  /** As the tool said, else from the turn's end to the answer, ms; `null` while there is none. */
  readonly durationMs: number | null;
  /** Of a program; `null` where none ran to its end. */
  readonly exitCode: number | null;
}

/** The text of one row, and where the journal has it whole. */
export interface RowText {
  readonly text: string;
  /** Its event's ordinal, and its place among the rows of that event. */
  readonly n: number;
  readonly row: number;
  /** Characters of the whole; `null` where `text` is all of it. */
  readonly chars: number | null;
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
  readonly text: RowText;
}

export type Entry = Card | Turn | Passage;

interface OpenCall {
  readonly item: TranscriptItem;
  readonly text: RowText;
  readonly place: number;
}

/** Entries in order. `upTo`: nothing of later ordinals, and calls as they stood then; `null` for all. An answer joins the open call that it names. */
export function entriesOf(items: readonly TranscriptItem[], upTo: number | null): readonly Entry[] {
  const shown = upTo === null ? items : items.filter(({ n }) => n <= upTo);
  const entries: Entry[] = [];
  // By the model's own id, which it may use again in a later turn.
  const open = new Map<string, OpenCall>();
  let turn = { n: 0, number: 0 };
  let row = 0;
  for (const [index, item] of shown.entries()) {
    const key = `${item.n}-${index}`;
    // A page never splits the rows of one event, so their places can be counted.
    row = shown[index - 1]?.n === item.n ? row + 1 : 0;
    const text = { text: item.text, n: item.n, row, chars: item.chars ?? null };
    if (isOfTurn(item) && item.n !== turn.n) {
      turn = { n: item.n, number: turn.number + 1 };
      open.clear();
      entries.push({ kind: "turn", key: `turn-${item.n}`, number: turn.number, at: item.at });
    }
    if (item.kind === "call") {
      open.set(item.call ?? "", { item, text, place: entries.length });
      entries.push(callCard(key, item, text, upTo !== null));
    } else if (item.kind === "answer") {
      const asked = open.get(item.call ?? "");
      if (asked === undefined) entries.push({ ...callCard(key, item, text, false), input: null, output: text });
      else entries[asked.place] = answeredCard(entries[asked.place], asked, item, text);
    } else entries.push({ kind: "passage", key, item, text });
  }
  return entries;
}

/** From which entry on what a person wrote has not been read: nothing of the agent's own follows it. */
export function unreadFrom(entries: readonly Entry[]): number {
  return entries.findLastIndex(({ kind }) => kind !== "passage") + 1;
}

/** Said or asked for by the agent itself, all rows of one turn under one ordinal. */
function isOfTurn({ kind, title }: TranscriptItem): boolean {
  return kind === "text" || kind === "call" || (kind === "note" && title === "Reasoning");
}

/** A past moment does not know what became of a call whose answer is not there yet. */
function callCard(key: string, { title, state = "" }: TranscriptItem, input: RowText, isPast: boolean): Card {
  return {
    kind: "card",
    key,
    tool: title,
    state: isPast ? "open" : state,
    input,
    output: null,
    durationMs: null,
    exitCode: null,
  };
}

/** The card keeps its key, so that one that is open stays open when the answer comes. */
function answeredCard(
  before: Entry | undefined,
  { item, text }: OpenCall,
  answer: TranscriptItem,
  output: RowText,
): Card {
  return {
    kind: "card",
    key: before?.key ?? `${item.n}-call-${item.call ?? ""}`,
    tool: item.title,
    state: answer.state ?? "executed",
    input: text,
    output,
    durationMs: answer.durationMs ?? answer.at - item.at,
    exitCode: answer.exitCode ?? null,
  };
}

/** The first entry of what happened at ordinal `n` or after it; the last one where nothing did. */
export function entryAt(entries: readonly Entry[], n: number): number {
  const found = entries.findIndex((entry) => endOf(entry) >= n);
  return found === -1 ? entries.length - 1 : found;
}

/** The latest ordinal that any of the entries, which are in order, shows. */
export function lastOrdinal(entries: readonly Entry[]): number {
  // An answer is further on than its card's place among the entries.
  return Math.max(0, ...entries.slice(-50).map(endOf));
}

/** The ordinal with which an entry is complete. */
function endOf(entry: Entry): number {
  if (entry.kind === "turn") return -1;
  return entry.kind === "card" ? ((entry.output ?? entry.input)?.n ?? 0) : entry.item.n;
}

/** Indices of the entries that hold `words`, whatever their case; none for no words. */
export function entriesWith(entries: readonly Entry[], words: string): readonly number[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  return entries.flatMap((entry, index) => (textOf(entry).toLowerCase().includes(wanted) ? [index] : []));
}

function textOf(entry: Entry): string {
  if (entry.kind === "turn") return "";
  if (entry.kind === "passage") return `${entry.item.title}\n${entry.item.text}`;
  return `${entry.tool}\n${entry.input?.text ?? ""}\n${entry.output?.text ?? ""}`;
}

/** What a call is about, on one line: the value of its one argument, else its arguments as they were written. */
export function subjectOf(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const texts = Object.values(value).filter((one): one is string => typeof one === "string");
      if (texts.length > 0) return texts.join("  ");
      const paths = Object.values(value).flatMap((one) => (Array.isArray(one) ? one.flatMap(pathOf) : []));
      if (paths.length > 0) return [...new Set(paths)].join("  ");
    }
  } catch {
    // Models write what is no JSON, too: then it is shown as it is.
  }
  return input;
}

function pathOf(one: unknown): readonly string[] {
  if (typeof one !== "object" || one === null || !("path" in one)) return [];
  return typeof one.path === "string" ? [one.path] : [];
}

/** JSON with line breaks; any other text as it is. */
export function layOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
