// What agents of this process's runs are saying right now: text of the turn in progress, kept until the journal has it.
// Provisional, bounded, and gone with the process.

import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import type { LiveSnapshot } from "../../shared/contract/snapshots.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import type { RunEvent } from "../domain/events.ts";

/** Characters over all agents of a run, so that even text that JSON spells in six bytes each fits into a message. */
const maxChars = 32_000;

interface Turn {
  text: string;
  skipped: number;
}

export class LiveTexts {
  readonly #runs = new Map<RunId, Map<AgentId, Turn>>();
  readonly #listeners = new Set<(run: RunId) => void>();
  #version = 0;

  /** Streamed text, as it comes. */
  append(run: RunId, agent: AgentId, piece: string): void {
    const turns = this.#runs.get(run) ?? new Map<AgentId, Turn>();
    this.#runs.set(run, turns);
    const turn = turns.get(agent) ?? { text: "", skipped: 0 };
    turns.set(agent, turn);
    turn.text += piece;
    // Cut in halves now and then, not at every piece.
    if (turn.text.length > 2 * maxChars) clip(turn, maxChars);
    this.#tell(run);
  }

  /** Forgets the turns that these events end or begin anew. */
  settle(run: RunId, events: readonly RunEvent[]): void {
    const turns = this.#runs.get(run);
    const ended = events.filter((event) => turnTypes.has(event.type) && turns?.delete(event.agent));
    if (ended.length > 0) this.#tell(run);
  }

  /** Forgets a run that is no longer driven here. */
  forget(run: RunId): void {
    if (this.#runs.delete(run)) this.#tell(run);
  }

  snapshotOf(run: RunId): LiveSnapshot {
    const turns = [...(this.#runs.get(run) ?? [])];
    const share = Math.floor(maxChars / Math.max(1, turns.length));
    const shown = turns.map(([agent, turn]) => ({ agent, ...clip({ ...turn }, share) }));
    return deepFreeze({ run, version: this.#version, turns: shown });
  }

  /** Calls back when there is something new about a run. Returns the unsubscribe. */
  onChange(listener: (run: RunId) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #tell(run: RunId): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener(run);
  }
}

const turnTypes: ReadonlySet<RunEvent["type"]> = new Set([
  "model.requested",
  "model.completed",
  "model.failed",
  "model.lost",
  "model.retried",
]);

function clip(turn: Turn, max: number): Turn {
  const over = turn.text.length - max;
  if (over <= 0) return turn;
  turn.text = turn.text.slice(over);
  turn.skipped += over;
  return turn;
}
