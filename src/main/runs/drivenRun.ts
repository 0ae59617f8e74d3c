// One run while it is driven for viewers of this process: until it has stopped and nobody is saying anything to it. What
// it streams is kept as live text. The lease is its owner's to give back.

import { dutiesOf } from "../domain/duties.ts";
import type { DriveEnd } from "../engine/drive.ts";
import type { LiveRun } from "./liveRun.ts";
import type { LiveTexts } from "../pages/liveTexts.ts";

export class DrivenRun {
  /** Resolves with why the driving ended, after the owner was told. Never rejects. */
  readonly done: Promise<DriveEnd>;
  readonly #live: LiveRun;
  /** Acts on their way to the run: it is not let go while there are any. */
  readonly #pending = new Set<Promise<unknown>>();

  /** Drives `live` from now on. `onEnd` is called in the turn in which nothing more can be given to it. */
  constructor(live: LiveRun, texts: LiveTexts, onEnd: () => void) {
    this.#live = live;
    const { run } = live;
    const unfollow = [
      live.onLive((agent, text) => texts.append(run, agent, text)),
      live.onCommit(({ events }) => texts.settle(run, events)),
    ];
    this.done = this.#untilEnd(() => {
      for (const end of unfollow) end();
      texts.forget(run);
      onEnd();
    });
  }

  /** Has the run do something. */
  give<T>(act: (live: LiveRun) => Promise<T>): Promise<T> {
    const given = act(this.#live);
    this.#pending.add(given);
    const forget = () => this.#pending.delete(given);
    void given.then(forget, forget);
    return given;
  }

  /** Ends the driving; the run stays as it is, recoverable. */
  leave(): void {
    this.#live.leave();
  }

  async #untilEnd(onEnd: () => void): Promise<DriveEnd> {
    let seen = -1;
    try {
      for (;;) {
        const end = await this.#live.drive(false);
        while (this.#pending.size > 0) await Promise.allSettled(this.#pending);
        const state = this.#live.state();
        // What was said to it as it stopped has reopened it, or is owed. A round that added nothing will not the next time.
        if (end.kind !== "stopped" || dutiesOf(state).length === 0 || state.n === seen) return end;
        seen = state.n;
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { kind: "broken", failure: { code: "UNEXPECTED", message } };
    } finally {
      onEnd();
    }
  }
}
