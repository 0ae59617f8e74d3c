// Figures and times as a person reads them: short, with a unit, never more digits than matter. Never asks what time it is.

import type { Balances } from "../../../../shared/contract/options.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** `0.4 s`, `48 s`, `3 m 13 s`, `2 h 05 m`. */
export function durationWords(ms: number): string {
  if (ms < 10 * secondMs) return `${(Math.max(0, ms) / secondMs).toFixed(1)} s`;
  if (ms < minuteMs) return `${Math.floor(ms / secondMs)} s`;
  if (ms < hourMs) return `${Math.floor(ms / minuteMs)} m ${twoDigits(Math.floor((ms % minuteMs) / secondMs))} s`;
  return `${Math.floor(ms / hourMs)} h ${twoDigits(Math.floor((ms % hourMs) / minuteMs))} m`;
}

/** `812`, `8.0 k`, `214 k`, `1.21 M`. */
export function countWords(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 9_950) return `${(count / 1_000).toFixed(1)} k`;
  if (count < 999_500) return `${Math.round(count / 1_000)} k`;
  return `${(count / 1_000_000).toFixed(2)} M`;
}

/** `64 k tokens`. */
export function tokenWords(count: number): string {
  return `${countWords(count)} ${count === 1 ? "token" : "tokens"}`;
}

/** `$1.84`, or `$0.0042` where two digits would read as nothing; `cost unknown` for `null`. */
export function costWords(usd: number | null): string {
  if (usd === null) return "cost unknown";
  return `$${usd > 0 && usd < 0.01 ? usd.toFixed(4) : usd.toFixed(2)}`;
}

/** `1 file`, `2 files`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The first 7 digits of an object name, as git shows them. */
export function shortCommit(commit: string): string {
  return commit.slice(0, 7);
}

export interface Clock {
  /** `14:02:31`. */
  time(at: number): string;
  /** `2026-11-30 14:02`: sorts as it reads, in any locale. */
  moment(at: number): string;
}

/** Times of epoch ms in `timeZone`, an IANA name; the machine's own when left out. */
export function createClock(timeZone?: string): Clock {
  const time = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  const day = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  return {
    time: (at) => time.format(at),
    moment: (at) => `${day.format(at)} ${time.format(at).slice(0, 5)}`,
  };
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

/** `400 steps`, `$7.50`, for each balance that has a limit; `no limit` where none has. */
export function limitWords(limit: Partial<Balances>): readonly string[] {
  const { steps = null, toolCalls = null, inputTokens = null, outputTokens = null, costMicros = null } = limit;
  const counted: readonly (readonly [number | null, string])[] = [
    [steps, "steps"],
    [toolCalls, "tool calls"],
    [inputTokens, "input tokens"],
    [outputTokens, "output tokens"],
  ];
  const words = counted.flatMap(([limit, unit]) => (limit === null ? [] : [`${countWords(limit)} ${unit}`]));
  const all = [...words, ...(costMicros === null ? [] : [costWords(costMicros / 1_000_000)])];
  return all.length === 0 ? ["no limit"] : all;
}

/** What subagents hold, one of them each: `subagent-1 holds 2,500 input tokens`. */
export function sliceWords(slices: Readonly<Record<string, Partial<Balances>>> = {}): readonly string[] {
  return Object.entries(slices).map(([id, slice]) => `${id} holds ${limitWords(slice).join(", ")}`);
}
