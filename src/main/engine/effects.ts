// The effect worker: after each commit it compares what the run owes with what is in flight, starts what is missing,
// and aborts what is no longer owed. It knows no difference between a fresh run and one that a crash cut.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { Command } from "../domain/commands.ts";
import { dutiesOf, type Duty, dutyKey } from "../domain/duties.ts";
import { findNode } from "../domain/state.ts";
import type { Dispatcher } from "./dispatcher.ts";

export interface DutyHandlers {
  drive(agent: AgentId, signal: AbortSignal): Promise<void>;
  submit(duty: Extract<Duty, { kind: "submit" }>, signal: AbortSignal): Promise<void>;
  land(duty: Extract<Duty, { kind: "land" }>): Promise<void>;
  undo(duty: Extract<Duty, { kind: "undo" }>): Promise<void>;
  propose(): Promise<void>;
  settle(duty: Extract<Duty, { kind: "settle" }>): Promise<void>;
  stop(): Promise<void>;
}

interface InFlightDuty {
  readonly duty: Duty;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** What the worker needs of a run: how it stands, what is committed, and a way to say what a defect comes to. */
export type WorkedRun = Pick<Dispatcher, "state" | "onCommit" | "drain" | "dispatch" | "broken" | "headOf">;

/** A duty that ends again and again while the state stays as it is would spin; after this often it counts as a defect. */
const maxFruitless = 3;

export class EffectWorker {
  readonly #dispatcher: WorkedRun;
  readonly #handlers: DutyHandlers;
  readonly #inFlight = new Map<string, InFlightDuty>();
  readonly #fruitless = new Map<string, number>();
  readonly #unsubscribe: () => void;
  #isClosed = false;
  #onIdle: (() => void) | null = null;

  constructor(dispatcher: WorkedRun, handlers: DutyHandlers) {
    this.#dispatcher = dispatcher;
    this.#handlers = handlers;
    this.#unsubscribe = dispatcher.onCommit(() => this.reconcile());
  }

  /** Brings what is in flight in line with what is owed. */
  reconcile(): void {
    if (this.#isClosed) return;
    const state = this.#dispatcher.state();
    const owed = new Map(dutiesOf(state).map((duty) => [dutyKey(duty), duty]));
    for (const [key, { duty, abort }] of this.#inFlight) {
      const next = owed.get(key);
      // What is in flight when the run is paused may end by itself, unless its agent has ended meanwhile.
      const mayEndByItself = state.status === "paused" && state.ending === null && next === undefined;
      // A landing is never cut.
      if (next?.kind !== duty.kind && !isLanding(duty) && !mayEndByItself) abort.abort();
    }
    for (const [key, duty] of owed) if (!this.#inFlight.has(key) && !this.#isEarly(duty)) this.#start(key, duty);
  }

  /** A cancelled lead's act is ended first, so that what came of it is on record before the stop and its worktree is not taken from under it. */
  #isEarly(duty: Duty): boolean {
    return duty.kind === "stop" && this.#inFlight.has("lead");
  }

  /** Whether anything but `except` is in flight. */
  isBusy(except: (duty: Duty) => boolean = () => false): boolean {
    return [...this.#inFlight.values()].some(({ duty }) => !except(duty));
  }

  /** Starts nothing more, aborts what may be aborted, and resolves once all of it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    for (const { abort, duty } of this.#inFlight.values()) if (!isLanding(duty)) abort.abort();
    while (this.#inFlight.size > 0) await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
  }

  /** Calls back each time a duty has ended. */
  onDutyEnd(listener: () => void): void {
    this.#onIdle = listener;
  }

  #start(key: string, duty: Duty): void {
    const abort = new AbortController();
    const from = this.#dispatcher.state().n;
    const done = this.#carryOut(duty, abort.signal)
      .catch((error: unknown) => this.#recordDefect(duty, error))
      .then(() => this.#dispatcher.drain())
      .then(() => {
        this.#inFlight.delete(key);
        const isFruitless = this.#dispatcher.state().n === from;
        this.#fruitless.set(key, isFruitless ? (this.#fruitless.get(key) ?? 0) + 1 : 0);
        if (this.#dispatcher.broken()) return;
        const isOwed = dutiesOf(this.#dispatcher.state()).some((one) => dutyKey(one) === key);
        if (!isOwed || (this.#fruitless.get(key) ?? 0) < maxFruitless) this.reconcile();
      })
      .finally(() => this.#onIdle?.());
    this.#inFlight.set(key, { duty, abort, done });
  }

  #carryOut(duty: Duty, signal: AbortSignal): Promise<void> {
    switch (duty.kind) {
      case "drive":
        return this.#handlers.drive(duty.agent, signal);
      case "submit":
        return this.#handlers.submit(duty, signal);
      case "land":
        return this.#handlers.land(duty);
      case "undo":
        return this.#handlers.undo(duty);
      case "propose":
        return this.#handlers.propose();
      case "settle":
        return this.#handlers.settle(duty);
      case "stop":
        return this.#handlers.stop();
    }
  }

  /** A defect in a handler ends what it worked for, with its words in the journal, instead of hanging the run. */
  async #recordDefect(duty: Duty, error: unknown): Promise<void> {
    const sentence = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const command = this.#consequenceOf(duty, sentence);
    if (command) await this.#dispatcher.dispatch(command);
  }

  #consequenceOf(duty: Duty, sentence: string): Command | null {
    switch (duty.kind) {
      case "drive":
      case "submit":
        return { type: "agent.fail", agent: duty.agent, code: "UNEXPECTED", sentence };
      case "land":
        return { type: "landing.hold", changeset: duty.changeset, code: "LANDING_FAILED", sentence };
      case "undo":
        return { type: "undo.fail", landing: duty.landing, code: "UNDO_FAILED", sentence };
      case "settle": {
        const node = findNode(this.#dispatcher.state(), duty.agent);
        return node
          ? {
              type: "node.settle",
              agent: duty.agent,
              childHead: this.#dispatcher.headOf(node.childRun).hash,
              diagnostic: sentence,
            }
          : null;
      }
      case "propose":
        return { type: "agent.fail", agent: "lead", code: "UNEXPECTED", sentence };
      case "stop":
        return { type: "run.stop" };
    }
  }
}

/** Never cut: a cancel takes effect after it. */
function isLanding(duty: Duty): boolean {
  return duty.kind === "land" || duty.kind === "undo";
}
