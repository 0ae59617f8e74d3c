// The end of one request by our own hand: the person's abort, no first event in time, or silence between data events.
// The SDK's timeout covers neither the body nor comments that keep a connection alive.

export type StopReason = "aborted" | "NO_FIRST_EVENT" | "STREAM_STALLED";

export interface Watchdog {
  /** Aborted at the stop, so that the socket closes. */
  readonly signal: AbortSignal;
  /** Resolves at the stop; stays pending when the request ends by itself. */
  readonly stopped: Promise<StopReason>;
  readonly reason: StopReason | null;
  /** A data event came. Comments and bytes are none. */
  dataArrived(): void;
  dispose(): void;
}

/** Starts the first-event limit. Limits in ms; timers run on the monotonic clock, which stands still while the machine sleeps. */
export function startWatchdog(
  limits: { readonly firstEventMs: number; readonly idleMs: number },
  abort: AbortSignal,
): Watchdog {
  const controller = new AbortController();
  const { promise: stopped, resolve } = Promise.withResolvers<StopReason>();
  let reason: StopReason | null = null;

  function stop(why: StopReason): void {
    if (reason !== null) return;
    reason = why;
    dispose();
    controller.abort();
    resolve(why);
  }
  function onAbort(): void {
    stop("aborted");
  }
  function dispose(): void {
    clearTimeout(timer);
    abort.removeEventListener("abort", onAbort);
  }

  let isIdleTimer = false;
  let timer = setTimeout(stop, limits.firstEventMs, "NO_FIRST_EVENT");
  abort.addEventListener("abort", onAbort);
  if (abort.aborted) onAbort();

  return {
    signal: controller.signal,
    stopped,
    get reason() {
      return reason;
    },
    dataArrived() {
      if (reason !== null) return;
      if (isIdleTimer) {
        timer.refresh();
        return;
      }
      clearTimeout(timer);
      isIdleTimer = true;
      timer = setTimeout(stop, limits.idleMs, "STREAM_STALLED");
    },
    dispose,
  };
}
