// What the application asks of one window: the topic `window` behind it. A wish waits until a page is there to hear it,
// and is forgotten with the page that has heard it.

import type { WindowRequest, WindowSnapshot, WindowWish } from "../../../shared/contract/window.ts";
import type { TopicSubscription } from "../../pages/topicSource.ts";

/** A page that hears nothing is not asked for ever. */
const maxKept = 16;

export class Wishes {
  #version = 1;
  #lastN = 0;
  #asked: readonly WindowRequest[] = [];
  #listener: ((snapshot: WindowSnapshot) => void) | null = null;
  /** Wishes up to this one have been sent to a page. */
  #heardN = 0;

  /** Asks the page, or the next one that comes. */
  ask(wish: WindowWish): void {
    this.#lastN += 1;
    this.#version += 1;
    this.#asked = [...this.#asked, { ...wish, n: this.#lastN }].slice(-maxKept);
    if (this.#listener === null) return;
    this.#heardN = this.#lastN;
    this.#listener(this.#snapshot());
  }

  watch(listener: (snapshot: WindowSnapshot) => void): TopicSubscription {
    this.#listener = listener;
    this.#heardN = this.#lastN;
    const unsubscribe = () => {
      if (this.#listener === listener) this.#listener = null;
    };
    return { first: this.#snapshot(), unsubscribe };
  }

  /** Another page is there: what the one before it has heard is done. */
  forgetHeard(): void {
    this.#asked = this.#asked.filter(({ n }) => n > this.#heardN);
  }

  #snapshot(): WindowSnapshot {
    return { version: this.#version, asked: this.#asked };
  }
}
