// Lets something happen at most so often: at once when it was quiet, else once more at the next beat of the clock. Beats
// of one interval are everybody's, so that what is told to a page at that pace arrives together and is drawn in one frame.

import type { Clock } from "../engine/ports/clock.ts";

export interface Pace {
  /** Asks for the act; several asks in one interval become one. */
  ask(): void;
  /** Calls off what is still to come, for good. */
  stop(): void;
}

/** `act` is called synchronously by the first ask, then at most once in every `intervalMs` of the clock. */
export function createPace(clock: Clock, intervalMs: number, act: () => void): Pace {
  let isResting = false;
  let isDue = false;
  let isStopped = false;
  let callOff = () => {};
  function go(): void {
    isResting = true;
    isDue = false;
    callOff = clock.after(untilBeat(clock.now(), intervalMs), () => {
      isResting = false;
      if (isDue && !isStopped) go();
    });
    act();
  }
  return {
    ask() {
      if (isStopped) return;
      if (isResting) isDue = true;
      else go();
    },
    stop() {
      isStopped = true;
      callOff();
    },
  };
}

/** To the next multiple of `intervalMs` that is at least half of one away. */
function untilBeat(now: number, intervalMs: number): number {
  const left = intervalMs - (now % intervalMs);
  return left < intervalMs / 2 ? left + intervalMs : left;
}
