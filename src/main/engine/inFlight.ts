// What is in flight for whom, since when. Liveness asks it; nothing acts on it.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { InFlight } from "../domain/liveness.ts";
import type { Clock } from "./ports/clock.ts";

interface Entry {
  readonly agent: AgentId;
  readonly kind: InFlight["kind"];
  readonly name: string;
  readonly since: number;
}

export class InFlightTable {
  readonly #clock: Clock;
  readonly #entries = new Set<Entry>();
  /** Monotonic ms at which data last arrived, by agent. */
  readonly #touched = new Map<AgentId, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the way to say that it has ended; saying so twice is harmless. */
  begin(agent: AgentId, kind: InFlight["kind"], name: string): () => void {
    const entry: Entry = { agent, kind, name, since: this.#clock.monotonic() };
    this.#entries.add(entry);
    return () => this.#entries.delete(entry);
  }

  touch(agent: AgentId): void {
    this.#touched.set(agent, this.#clock.monotonic());
  }

  touchedAt(agent: AgentId): number {
    return this.#touched.get(agent) ?? 0;
  }

  of(agent: AgentId): readonly InFlight[] {
    const now = this.#clock.monotonic();
    return [...this.#entries]
      .filter((entry) => entry.agent === agent)
      .map(({ kind, name, since }) => ({ kind, name, sinceMs: now - since }));
  }
}
