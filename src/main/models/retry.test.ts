import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ModelOutcome } from "../engine/ports/model.ts";
import { nextRetry } from "./retry.ts";

const failed = (code: string, more: { retryable?: boolean; retryAfterMs?: number | null } = {}): ModelOutcome => ({
  kind: "failed",
  code,
  message: `${code}!`,
  retryable: true,
  retryAfterMs: null,
  text: "",
  ...more,
});
const cut = (code: "OUTPUT_LIMIT" | "STREAM_CUT" | "STREAM_STALLED" | "NO_FIRST_EVENT"): ModelOutcome => ({
  kind: "cut",
  code,
  message: `${code}!`,
  text: "",
  usage: null,
});

/** The waits of all retries when every request ends with `outcome`. */
function waits(outcome: ModelOutcome, random: () => number): number[] {
  const all: number[] = [];
  let spentMs = 0;
  for (let attempt = 1; attempt < 100; attempt += 1) {
    const retry = nextRetry({ attempt, spentMs, outcome, random: random() });
    if (retry === null) return all;
    all.push(retry.waitMs);
    if (!retry.isNamed) spentMs += retry.waitMs;
  }
  return all;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const chance = fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }));
const draw = (stream: Iterator<number>) => () => stream.next().value as number;

describe("nextRetry", () => {
  it("waits longer each time, four times at most", () => {
    expect(waits(failed("SERVER_ERROR"), () => 0.5)).toEqual([1000, 2000, 4000, 8000]);
  });

  it("waits 30 s in all at most, whatever chance says", () => {
    fc.assert(
      fc.property(chance, (stream) => {
        const all = waits(failed("RATE_LIMITED"), draw(stream));
        expect(all.length).toBe(4);
        expect(sum(all)).toBeLessThanOrEqual(30_000);
      }),
    );
  });

  it("gives up on an endpoint that is not there within 3 s", () => {
    fc.assert(
      fc.property(chance, (stream) => {
        const all = waits(failed("ENDPOINT_UNREACHABLE"), draw(stream));
        expect(all.length).toBeGreaterThan(0);
        expect(sum(all)).toBeLessThanOrEqual(3_000);
      }),
    );
  });

  it("[E25] waits exactly as long as the server names, uncapped", () => {
    expect(
      nextRetry({
        attempt: 1,
        spentMs: 30_000,
        outcome: failed("RATE_LIMITED", { retryAfterMs: 600_000 }),
        random: 0.3,
      }),
    ).toEqual({ waitMs: 600_000, reason: "RATE_LIMITED!", isNamed: true });
    expect(waits(failed("RATE_LIMITED", { retryAfterMs: 0 }), () => 0)).toEqual([0, 0, 0, 0]);
  });

  it("stops when the 30 s are spent", () => {
    expect(nextRetry({ attempt: 2, spentMs: 29_900, outcome: failed("SERVER_ERROR"), random: 0.5 })?.waitMs).toBe(100);
    expect(nextRetry({ attempt: 2, spentMs: 30_000, outcome: failed("SERVER_ERROR"), random: 0.5 })).toBeNull();
  });

  it("retries a stall once and a cut twice", () => {
    expect(waits(cut("STREAM_STALLED"), () => 0.5)).toHaveLength(1);
    expect(waits(cut("NO_FIRST_EVENT"), () => 0.5)).toHaveLength(1);
    expect(waits(cut("STREAM_CUT"), () => 0.5)).toHaveLength(2);
  });

  it("lets everything else stand", () => {
    const standing: readonly ModelOutcome[] = [
      failed("AUTH_FAILED", { retryable: false }),
      failed("AUTH_FAILED", { retryable: false, retryAfterMs: 5 }),
      cut("OUTPUT_LIMIT"),
      { kind: "aborted", text: "" },
      { kind: "completed", text: "", reasoning: "", toolCalls: [], finish: "stop", usage: null },
    ];
    expect(standing.map((outcome) => nextRetry({ attempt: 1, spentMs: 0, outcome, random: 0 }))).toEqual(
      standing.map(() => null),
    );
  });
});
