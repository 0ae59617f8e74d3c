// What long work is under way in this process, and how far it has come: told to whoever looks, and forgotten with the work.

import type { LongWork, ProgressSnapshot, TellProgress, WorkProgress } from "../../shared/contract/progress.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import type { TopicSnapshot, TopicSubscription } from "../pages/topicSource.ts";

export class ProgressBoard {
  readonly #works = new Map<object, WorkProgress>();
  readonly #listeners = new Set<() => void>();
  #version = 1;

  /** Does the work; what it tells is on the board until it has ended, either way. */
  async during<T>(work: LongWork, act: (tell: TellProgress) => Promise<T>): Promise<T> {
    const key = {};
    try {
      return await act((progress) => {
        this.#works.set(key, { work, ...progress });
        this.#tell();
      });
    } finally {
      if (this.#works.delete(key)) this.#tell();
    }
  }

  current(): ProgressSnapshot {
    return deepFreeze({ version: this.#version, works: [...this.#works.values()] });
  }

  /** Calls `listener` after each change, until the function that it returns is called. */
  onChange(listener: () => void): () => void {
    const own = () => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  #tell(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** The board as a topic: as it stands at once, and again after each change. */
export function followProgress(
  board: ProgressBoard,
  onSnapshot: (snapshot: TopicSnapshot) => void,
): Result<TopicSubscription> {
  return succeed({ first: board.current(), unsubscribe: board.onChange(() => onSnapshot(board.current())) });
}
