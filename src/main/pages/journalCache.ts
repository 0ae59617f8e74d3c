// Journals of the runs that are looked at, folded: extended by what is new, never read or folded anew. Forgets the runs
// that have not been asked for longest.

import type { RunId } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RunEvent } from "../domain/events.ts";
import { evolve, fold } from "../domain/evolve.ts";
import { Lanes } from "../domain/projections/timeline.ts";
import type { RunState } from "../domain/state.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { isUnavailable, toFailure } from "../store/failure.ts";

/** A journal as far as it is known here. `events[n - 1]` is the event of ordinal `n`. */
export interface FoldedJournal {
  readonly events: readonly RunEvent[];
  readonly state: RunState;
  /** The state as of ordinal `n`, from 1 to the last. */
  stateAt(n: number): RunState;
  /** The lanes of all its events; read once, however many pages are asked of them. */
  readonly lanes: Lanes;
}

/** Runs kept at a time. */
const maxRuns = 12;

/** A state is kept every so many events, from which those between are folded. States share what is equal. */
const stride = 256;

export class JournalCache {
  readonly #store: StorePort;
  /** In the order in which they were last asked for. */
  readonly #runs = new Map<RunId, GrowingJournal>();

  constructor(store: StorePort) {
    this.#store = store;
  }

  /** The journal with everything that is committed by now. Codes `RUN_NOT_FOUND`, `JOURNAL_DAMAGED`, `STORE_UNAVAILABLE`; `run` is a whole id. */
  async read(run: RunId): Promise<Result<FoldedJournal>> {
    const found = await this.#store.findRun(run);
    if (!found.ok || found.value.run !== run) {
      this.#runs.delete(run);
      return found.ok ? fail(notFound(run)) : found;
    }
    const known = this.#runs.get(run);
    const read = await readable(this.#store.readJournal(run, known?.events.length ?? 0));
    if (!read.ok) return read;
    const events = read.value;
    // Another read may have been faster, or a commit of this process: what is known is never taken in twice.
    const journal = this.#runs.get(run) ?? known ?? new GrowingJournal();
    journal.extend(events);
    if (journal.events.length === 0) return fail(notFound(run));
    this.#keep(run, journal);
    return succeed(journal);
  }

  /** Takes in events that were just committed here; `null` when the run is not known, or not as far as to them. */
  extend(run: RunId, events: readonly RunEvent[]): FoldedJournal | null {
    const journal = this.#runs.get(run);
    if (!journal || (events[0]?.n ?? 0) > journal.events.length + 1) return null;
    journal.extend(events);
    return journal;
  }

  #keep(run: RunId, journal: GrowingJournal): void {
    this.#runs.delete(run);
    this.#runs.set(run, journal);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > maxRuns && oldest !== undefined) this.#runs.delete(oldest);
  }
}

/** What cannot be read of a damaged journal is a failure of this run, and of no other. */
async function readable(reading: Promise<readonly RunEvent[]>): Promise<Result<readonly RunEvent[]>> {
  try {
    return succeed(await reading);
  } catch (error) {
    if (isUnavailable(error)) return fail(toFailure(error));
    const reason = error instanceof Error ? error.message : String(error);
    return fail({ code: "JOURNAL_DAMAGED", message: `This run's journal cannot be read: ${reason}` });
  }
}

class GrowingJournal implements FoldedJournal {
  readonly events: RunEvent[] = [];
  readonly #kept: RunState[] = [];
  readonly #lanes = new Lanes();
  /** Events that the lanes have taken in: none before somebody looks at them. */
  #laneCount = 0;
  #state: RunState | null = null;

  get state(): RunState {
    if (this.#state === null) throw new Error("A journal without events has no state.");
    return this.#state;
  }

  get lanes(): Lanes {
    for (const event of this.events.slice(this.#laneCount)) this.#lanes.read(event);
    this.#laneCount = this.events.length;
    return this.#lanes;
  }

  extend(events: readonly RunEvent[]): void {
    for (const event of events) {
      if (event.n !== this.events.length + 1) continue;
      this.#state = evolve(this.#state, event);
      this.events.push(event);
      if (event.n % stride === 0) this.#kept.push(this.#state);
    }
  }

  stateAt(n: number): RunState {
    if (n >= this.events.length) return this.state;
    const from = this.#kept[Math.floor(n / stride) - 1] ?? null;
    const state = fold(this.events.slice(from?.n ?? 0, n), from);
    if (state === null) throw new Error(`A journal has no state at ordinal ${n}.`);
    return state;
  }
}

function notFound(run: RunId) {
  return {
    code: "RUN_NOT_FOUND",
    message: `There is no run ${run}. It may have been deleted; the list shows those there are.`,
  };
}
