import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startWatchdog } from "./watchdog.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const limits = { firstEventMs: 100, idleMs: 30 };

describe("startWatchdog", () => {
  it("stops when no first event comes in time", () => {
    const watchdog = startWatchdog(limits, new AbortController().signal);
    vi.advanceTimersByTime(99);
    expect(watchdog.reason).toBeNull();
    vi.advanceTimersByTime(1);
    expect([watchdog.reason, watchdog.signal.aborted]).toEqual(["NO_FIRST_EVENT", true]);
  });

  it("starts the idle limit anew with each event, and drops the first-event limit", () => {
    const watchdog = startWatchdog(limits, new AbortController().signal);
    for (let event = 0; event < 10; event += 1) {
      watchdog.dataArrived();
      vi.advanceTimersByTime(29);
    }
    expect(watchdog.reason).toBeNull();
    vi.advanceTimersByTime(1);
    expect(watchdog.reason).toBe("STREAM_STALLED");
  });

  it("keeps the first reason", async () => {
    const abort = new AbortController();
    const watchdog = startWatchdog(limits, abort.signal);
    abort.abort();
    vi.advanceTimersByTime(1000);
    expect([watchdog.reason, await watchdog.stopped]).toEqual(["aborted", "aborted"]);
  });

  it("leaves no timer behind", () => {
    const watchdog = startWatchdog(limits, new AbortController().signal);
    watchdog.dataArrived();
    watchdog.dispose();
    startWatchdog(limits, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  });
});
