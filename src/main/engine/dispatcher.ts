// One run's mailbox: commands go in one at a time, become one transaction each, and nobody sees anything before it is
// committed. What was committed is published in the turn in which the acknowledgement arrives.

import type { RunId } from "../../shared/contract/ids.ts";
import type { Json } from "../../shared/lib/json.ts";
import { fail, type Failure, succeed } from "../../shared/lib/result.ts";
import type { Command, Facts } from "../domain/commands.ts";
import { transact } from "../domain/decide.ts";
import type { RunEvent } from "../domain/events.ts";
import { fold } from "../domain/evolve.ts";
import type { RunState } from "../domain/state.ts";
import { commit, type StreamHead, Streams } from "./commit.ts";
import type { Receipt } from "./ports/agent.ts";
import type { Clock } from "./ports/clock.ts";
import type { Lease, StorePort } from "./ports/store.ts";

export interface Commit {
  readonly events: readonly RunEvent[];
  readonly state: RunState;
}

export interface DispatcherOptions {
  readonly run: RunId;
  readonly store: StorePort;
  readonly clock: Clock;
  /** Everything a decision needs to know of the world but the time, asked anew for each command. */
  facts(): Omit<Facts, "now" | "epoch" | "isDriving">;
  readonly leases: readonly Lease[];
  readonly journal: readonly RunEvent[];
}

export class Dispatcher {
  readonly run: RunId;
  readonly #store: StorePort;
  readonly #clock: Clock;
  readonly #facts: DispatcherOptions["facts"];
  readonly #streams = new Streams();
  readonly #journal: RunEvent[];
  readonly #listeners = new Set<(commit: Commit) => void>();
  #state: RunState | null;
  #mailbox: Promise<unknown> = Promise.resolve();
  #broken: Failure | null = null;
  #isDriving = false;

  constructor(options: DispatcherOptions) {
    this.run = options.run;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#facts = options.facts;
    this.#journal = [...options.journal];
    this.#streams.adopt(options.leases, options.journal);
    this.#state = fold(options.journal);
  }

  /** The state as of the last commit. Throws before the run was created. */
  state(): RunState {
    if (!this.#state) throw new Error(`The run ${this.run} has not been created`);
    return this.#state;
  }

  /** The same, or `null` before the run was created. */
  find(): RunState | null {
    return this.#state;
  }

  /** The merged journal, in ordinal order. */
  journal(): readonly RunEvent[] {
    return this.#journal;
  }

  headOf(run: RunId): StreamHead {
    return this.#streams.head(run);
  }

  epoch(): number {
    return this.#streams.epoch(this.run);
  }

  /** From here on this process drives the run: nodes start, and the run goes on by itself. */
  startDriving(): void {
    this.#isDriving = true;
  }

  /** Why nothing more can be committed here (lease lost, store gone); `null` while all is well. */
  broken(): Failure | null {
    return this.#broken;
  }

  /** From here on nothing more is committed here: the lease is gone, or what it stands on. The first reason stays. */
  giveUp(failure: Failure): void {
    this.#broken ??= failure;
  }

  /** Carries out one command: after those before it, in one transaction with all that follows from it. `takes` are requests from elsewhere that it answers. Never rejects but on a defect. */
  dispatch(
    command: Command,
    takes?: (rejection: Failure | null) => readonly { readonly request: number; readonly answer: Json }[],
  ): Promise<Receipt> {
    const outcome = this.#mailbox.then(() => this.#carryOut(command, takes));
    this.#mailbox = outcome.catch(() => undefined);
    return outcome;
  }

  /** Called after every commit, synchronously, with what was committed. Returns the unsubscribe. */
  onCommit(listener: (commit: Commit) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves once everything that was dispatched so far is committed or refused. */
  async drain(): Promise<void> {
    await this.#mailbox;
  }

  async #carryOut(
    command: Command,
    takes?: (rejection: Failure | null) => readonly { readonly request: number; readonly answer: Json }[],
  ): Promise<Receipt> {
    if (this.#broken) return fail(this.#broken);
    const facts: Facts = { ...this.#facts(), now: this.#clock.now(), epoch: this.epoch(), isDriving: this.#isDriving };
    const outcome = transact(this.#state, command, facts, (run) => this.#streams.head(run).seq);
    const rejection =
      "rejection" in outcome ? { code: outcome.rejection.code, message: outcome.rejection.sentence } : null;
    const events = "rejection" in outcome ? [] : outcome.events;
    const committed = await commit({
      store: this.#store,
      boot: this.#store.boot,
      streams: this.#streams,
      before: this.#state,
      events,
      ...(takes === undefined ? {} : { takes: takes(rejection) }),
    });
    if (!committed.ok) {
      if (committed.error.code !== "REQUEST_WITHDRAWN") this.#broken = committed.error;
      return fail(committed.error);
    }
    if (rejection) return fail(rejection);
    return this.#publish(committed.value, "answer" in outcome ? outcome.answer : undefined);
  }

  #publish(events: readonly RunEvent[], answer: Json | undefined): Receipt {
    if (events.length > 0) {
      this.#state = fold(events, this.#state);
      this.#journal.push(...events);
      const commit: Commit = { events, state: this.state() };
      for (const listener of this.#listeners) listener(commit);
    }
    return succeed({ events, state: this.state(), ...(answer === undefined ? {} : { answer }) });
  }
}
