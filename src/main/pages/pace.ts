// Lets something happen at most so often: at once when it was quiet, else once more at the end of the interval.

import type { Clock } from "../engine/ports/clock.ts";

export interface Pace {
  /** Asks for the act; several asks in one interval become one. */
  ask(): void;
  /** Calls off what is still to come, for good. */
  stop(): void;
}

/** `act` is called synchronously by the first ask, then at most once every `intervalMs`. */
export function createPace(clock: Clock, intervalMs: number, act: () => void): Pace {
  let isResting = false;
  let isDue = false;
  let isStopped = false;
  let callOff = () => {};
  function go(): void {
    isResting = true;
    isDue = false;
    callOff = clock.after(intervalMs, () => {
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
