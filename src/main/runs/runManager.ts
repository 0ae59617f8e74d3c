// Drives runs in this process, for a window or a server: each by one LiveRun, each act on a run after the one before.
// A command goes to whoever drives the run, here or elsewhere; where nobody does, the lease is held just for it.

import type { AgentId, LandingId, RunId } from "../../shared/contract/ids.ts";
import type { RunOptions } from "../../shared/contract/options.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { type Assignment, prepareRun, targetOf } from "./assignment.ts";
import { rebindRun, repositoryProblem } from "./boundRepository.ts";
import { DrivenRun } from "./drivenRun.ts";
import type { ModelPort } from "../engine/ports/model.ts";
import { askHolder, type ForeignCommand } from "../engine/requests.ts";
import { autoResumeOf } from "../domain/autoResume.ts";
import { fold } from "../domain/evolve.ts";
import { type ForkOrder, forkRun } from "./forkRun.ts";
import { type BeginOptions, LiveRun, type Ports } from "./liveRun.ts";
import type { LiveTexts } from "../pages/liveTexts.ts";
import { noModel } from "./noModel.ts";
import type { Sample } from "./sample.ts";

/** Where a run's answers come from: its server and those beside it, or a cassette; recorded or not. */
export type ModelSource = Pick<RunOptions, "model" | "roleModels" | "baseUrl" | "modelServers" | "cassette" | "record">;

/** What a command has become: the ordinal at or past which it shows, `null` where another process took it. */
export type Outcome = Result<{ readonly at: number | null }>;

export class RunManager {
  readonly #ports: Ports;
  readonly #live: LiveTexts;
  readonly #connect: (source: ModelSource) => Promise<Result<ModelPort>>;
  readonly #driven = new Map<RunId, DrivenRun>();
  /** The last act on each run: lease taken, held, given back. The next begins after it. */
  readonly #turns = new Map<RunId, Promise<unknown>>();
  readonly #mayResume: () => boolean;
  #isClosed = false;

  /** `connect` finds the model of a run by what its options say of it; `mayResume` says whether a person wants that runs go on by themselves. */
  constructor(
    ports: Ports,
    live: LiveTexts,
    connect: (source: ModelSource) => Promise<Result<ModelPort>>,
    mayResume: () => boolean,
  ) {
    this.#ports = ports;
    this.#live = live;
    this.#connect = connect;
    this.#mayResume = mayResume;
  }

  isDrivenHere(run: RunId): boolean {
    return this.#driven.has(run);
  }

  /** The runs that are driven here now. */
  drivenHere(): readonly RunId[] {
    return [...this.#driven.keys()];
  }

  /** Goes on with what dead processes have left and nobody named: after one unclean end within the hour; else, and where a person wants it so, it is settled and left paused. For the start of a window or a server. Answers with what became of each. Rejects only when the store cannot say which there are. */
  async resumeAbandoned(): Promise<readonly { readonly run: RunId; readonly outcome: Outcome }[]> {
    const done: { readonly run: RunId; readonly outcome: Outcome }[] = [];
    for (const { run, aliveAt } of await this.#ports.store.listAbandoned()) {
      const outcome = await this.#inTurn(run, () => this.#resumeAbandoned(run, aliveAt)).catch((error: unknown) =>
        fail({ code: "UNEXPECTED", message: error instanceof Error ? error.message : String(error) }),
      );
      done.push({ run, outcome });
    }
    return done;
  }

  async #resumeAbandoned(run: RunId, aliveAt: number): Promise<Outcome> {
    const { store, clock } = this.#ports;
    const journal = await store.readJournal(run);
    const state = fold(journal);
    const left = { aliveAt, now: clock.now(), isWanted: this.#mayResume() };
    const fate = state === null ? "leave" : autoResumeOf(state, journal, left);
    if (fate === "leave") return succeed({ at: null });
    if (fate === "resume") return this.#takeOver(run, null);
    return this.#hold(run, async (live) => {
      await live.recover(true);
      return succeed({ at: live.state().n });
    });
  }

  /** Starts a run under this id and drives it. Started again, it answers and does nothing. Codes: those of `prepareRun`, `NO_MODEL`. */
  start(run: RunId, assignment: Assignment): Promise<Outcome> {
    return this.#begin(run, async () => {
      const model = await this.#connect(assignment.options);
      return model.ok ? succeed({ assignment, model: model.value }) : model;
    });
  }

  /** Makes the bundled sample's run under this id. Its commands ship with Coppice, so they run even where the sandbox is not whole. Codes: those of `sample`. */
  startSample(run: RunId, sample: () => Promise<Result<Sample>>): Promise<Outcome> {
    return this.#begin(run, sample, { trustsCommands: true });
  }

  #begin(
    run: RunId,
    prepare: () => Promise<Result<{ readonly assignment: Assignment; readonly model: ModelPort }>>,
    options: BeginOptions = {},
  ): Promise<Outcome> {
    return this.#inTurn(run, async () => {
      const known = await this.#ports.store.findRun(run);
      if (known.ok && known.value.run === run) return succeed({ at: known.value.count });
      const given = await prepare();
      if (!given.ok) return given;
      const prepared = await prepareRun(this.#ports, given.value.assignment, run);
      if (!prepared.ok) return prepared;
      const live = await LiveRun.begin(this.#ports, given.value.model, prepared.value, options);
      if (!live.ok) return live;
      this.#drive(live.value);
      return succeed({ at: live.value.state().n });
    });
  }

  /** Makes a fork under `order.run` and leaves it paused. Made again, it answers and does nothing. Codes: those of `forkRun`. */
  fork(origin: RunId, order: ForkOrder): Promise<Outcome> {
    return this.#inTurn(order.run, async () => {
      const known = await this.#ports.store.findRun(order.run);
      if (known.ok && known.value.run === order.run) return succeed({ at: known.value.count });
      const forked = await forkRun(this.#ports, origin, order);
      if (!forked.ok) return forked;
      const made = await this.#ports.store.findRun(order.run);
      return made.ok ? succeed({ at: made.value.count }) : made;
    });
  }

  /** Goes on with a run: unpauses it where it is driven, else takes it over. Codes `RUN_STOPPED`, `NO_MODEL`, `DRIVEN_ELSEWHERE`. */
  async resume(run: RunId, commandId?: string): Promise<Outcome> {
    const command: ForeignCommand = { type: "run.resume", ...withId(commandId) };
    const passed = await this.#pass(run, command);
    return passed ?? this.#inTurn(run, async () => (await this.#pass(run, command)) ?? this.#takeOver(run, null));
  }

  /** Binds a run that nobody drives to where its repository lies now. Codes: those of `rebindRun`. */
  rebind(run: RunId, folder: string): Promise<Outcome> {
    return this.#inTurn(run, async () => {
      const bound = await rebindRun(this.#ports, run, folder);
      const found = bound.ok ? await this.#ports.store.findRun(run) : bound;
      return found.ok ? succeed({ at: found.value.count }) : found;
    });
  }

  /** A person's words. A stopped run that nobody drives goes on with them. Codes: those of `run.input`, and of `resume`. */
  async message(run: RunId, text: string, to: AgentId, commandId?: string): Promise<Outcome> {
    const command: ForeignCommand = { type: "run.input", text, from: "a person", to, ...withId(commandId) };
    const passed = await this.#pass(run, command);
    if (passed) return passed;
    return this.#inTurn(run, async () => {
      const late = await this.#pass(run, command);
      if (late) return late;
      const found = await this.#ports.store.findRun(run);
      if (!found.ok) return found;
      return found.value.status === "stopped" ? this.#takeOver(run, command) : this.#record(run, command);
    });
  }

  /** Ends a run; one that nobody drives is taken to its stop here, before this resolves. Codes `RUN_STOPPED`, `DRIVEN_ELSEWHERE`. */
  async cancel(run: RunId, commandId?: string): Promise<Outcome> {
    const command: ForeignCommand = { type: "run.cancel", by: "a person", ...withId(commandId) };
    const passed = await this.#pass(run, command);
    if (passed) return passed;
    return this.#inTurn(run, async () => {
      const late = await this.#pass(run, command);
      if (late) return late;
      return this.#hold(run, async (live) => {
        await live.recover();
        const cancelled = await live.dispatch(command);
        if (!cancelled.ok) return cancelled;
        const end = await live.drive(true);
        return end.kind === "broken" ? fail(end.failure) : succeed({ at: live.state().n });
      });
    });
  }

  /** Any other command: to whoever drives the run, or recorded here. What follows from a decision is carried out at once, behind the answer; agents go on only with `resume`. Codes: the command's, `DRIVEN_ELSEWHERE`. */
  async steer(run: RunId, command: ForeignCommand): Promise<Outcome> {
    const passed = await this.#pass(run, command);
    return passed ?? this.#inTurn(run, async () => (await this.#pass(run, command)) ?? this.#record(run, command));
  }

  /** Puts all that a stopped run has landed on its branch to one review. Codes `NOTHING_TO_LAND`, `BAD_USAGE`, `NOT_ALLOWED_NOW`, `DRIVEN_ELSEWHERE`. */
  proposeLine(run: RunId): Promise<Outcome> {
    return this.#inTurn(run, async () => {
      if (this.#driven.has(run))
        return fail({
          code: "NOT_ALLOWED_NOW",
          message: `${run} is still at work; its branch is landed once it has stopped.`,
        });
      return this.#hold(run, async (live) => {
        const { base, status } = live.state();
        if (status !== "stopped")
          return fail({
            code: "NOT_ALLOWED_NOW",
            message: `${run} is ${status}; its branch is landed once it has stopped.`,
          });
        if (base.branch === null)
          return fail({
            code: "BAD_USAGE",
            message: `No branch was checked out when ${run} was assigned, so there is none to land on.`,
          });
        const proposed = await live.proposeLine(targetOf(base.branch));
        return proposed.ok ? succeed({ at: live.state().n }) : proposed;
      });
    });
  }

  /** Takes a landing back. Codes: those of `LiveRun.undo`, `DRIVEN_ELSEWHERE`. */
  undo(run: RunId, landing: LandingId): Promise<Outcome> {
    return this.#inTurn(run, async () => {
      const driven = this.#driven.get(run);
      const undo = async (live: LiveRun): Promise<Outcome> => {
        const undone = await (driven ? live.beginUndo(landing) : live.undo(landing));
        return undone.ok ? succeed({ at: live.state().n }) : undone;
      };
      return driven ? driven.give(undo) : this.#hold(run, undo);
    });
  }

  /** Resolves once nothing of this run is under way here any more: it has stopped, was left, or was only held. */
  async untilLeft(run: RunId): Promise<void> {
    await this.#driven.get(run)?.done;
    await this.#turns.get(run);
  }

  /** Leaves every run as it is, recoverable, and gives the leases back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const driven of this.#driven.values()) driven.leave();
    await Promise.allSettled([...this.#driven.values()].map(({ done }) => done));
    await Promise.allSettled(this.#turns.values());
  }

  /** Hands a command to whoever drives the run; `null` when nobody does. */
  async #pass(run: RunId, command: ForeignCommand): Promise<Outcome | null> {
    const driven = this.#driven.get(run);
    if (driven) {
      const receipt = await driven.give((live) => live.dispatch(command));
      return receipt.ok ? succeed({ at: receipt.value.state.n }) : receipt;
    }
    const { clock, store } = this.#ports;
    const holder = await store.holderOf(run);
    // Our own lease without a driven run is that of an act whose turn ends before ours.
    if (holder === null || holder.boot === store.boot) return null;
    const answer = await askHolder(
      store,
      run,
      command,
      (ms) => new Promise((resolve) => void clock.after(ms, () => resolve())),
    );
    if (answer === null) return fail(notTaken(run));
    return answer.done ? succeed({ at: null }) : fail(answer.error);
  }

  /** Takes a run over and drives it on, with a command first where there is one. */
  async #takeOver(run: RunId, command: ForeignCommand | null): Promise<Outcome> {
    const stored = fold(await this.#ports.store.readJournal(run));
    if (stored === null) return fail({ code: "RUN_NOT_FOUND", message: `The journal of ${run} is empty.` });
    const model = await this.#connect(stored.options);
    if (!model.ok) return model;
    const taken = await LiveRun.take(this.#ports, model.value, run);
    if (!taken.ok) return taken;
    const live = taken.value;
    const problem = repositoryProblem(live.state());
    let isDriven = false;
    try {
      const ready = problem === null ? await this.#ready(live, command) : fail(problem);
      if (ready.ok) this.#drive(live);
      isDriven = ready.ok;
      return ready;
    } finally {
      if (!isDriven) await live.release();
    }
  }

  async #ready(live: LiveRun, command: ForeignCommand | null): Promise<Outcome> {
    if (command === null && live.state().status === "stopped")
      return fail({ code: "RUN_STOPPED", message: `${live.run} has stopped; write to it to go on.` });
    await live.recover();
    // Whoever asks to go on with a paused run means that.
    if (command === null && live.state().status === "paused") await live.dispatch({ type: "run.resume" });
    const receipt = command === null ? null : await live.dispatch(command);
    return receipt === null || receipt.ok ? succeed({ at: live.state().n }) : receipt;
  }

  /** Records a command under a lease that is held for it alone. What is owed after it is carried out before the run's next turn. */
  async #record(run: RunId, command: ForeignCommand): Promise<Outcome> {
    const taken = await LiveRun.take(this.#ports, noModel, run);
    if (!taken.ok) return taken;
    const live = taken.value;
    const receipt = await live.dispatch(command);
    this.#queue(run, receipt.ok ? carryOutAndRelease(live) : live.release());
    return receipt.ok ? succeed({ at: receipt.value.state.n }) : receipt;
  }

  async #hold(run: RunId, act: (live: LiveRun) => Promise<Outcome>): Promise<Outcome> {
    const taken = await LiveRun.take(this.#ports, noModel, run);
    if (!taken.ok) return taken;
    try {
      return await act(taken.value);
    } finally {
      await taken.value.release();
    }
  }

  #drive(live: LiveRun): void {
    const { run } = live;
    const driven = new DrivenRun(live, this.#live, () => {
      this.#driven.delete(run);
      this.#queue(run, live.release());
    });
    this.#driven.set(run, driven);
    // Closed while it was being readied.
    if (this.#isClosed) driven.leave();
  }

  /** Runs `act` after all earlier acts on this run. */
  #inTurn<T>(run: RunId, act: () => Promise<Result<T>>): Promise<Result<T>> {
    if (this.#isClosed) return Promise.resolve(fail({ code: "NOT_ALLOWED_NOW", message: "Coppice is closing." }));
    const before = this.#turns.get(run) ?? Promise.resolve();
    const turn = before.then(act);
    this.#queue(run, turn);
    return turn;
  }

  #queue(run: RunId, act: Promise<unknown>): void {
    const before = this.#turns.get(run) ?? Promise.resolve();
    // What went wrong is told to whoever asked; the turn after it begins all the same.
    const both = Promise.allSettled([before, act]).then(() => {
      if (this.#turns.get(run) === both) this.#turns.delete(run);
    });
    this.#turns.set(run, both);
  }
}

async function carryOutAndRelease(live: LiveRun): Promise<void> {
  try {
    await live.carryOutDecisions();
  } finally {
    await live.release();
  }
}

function withId(commandId: string | undefined): { readonly commandId?: string } {
  return commandId === undefined ? {} : { commandId };
}

function notTaken(run: RunId) {
  return {
    code: "DRIVEN_ELSEWHERE",
    message: `Another process drives ${run} and did not take this within 10 s; it was withdrawn. Try again, or do it there.`,
    retryable: true,
  };
}
