// One run that this process drives: begun here or taken over, followed, cancelled, left.

import { createHash } from "node:crypto";
import type { AgentId, LandingId, RunId } from "../../shared/contract/ids.ts";
import { fail, type Failure, type Result, succeed } from "../../shared/lib/result.ts";
import { createAgents } from "../agents/agentLoop.ts";
import { redact } from "../agents/redact.ts";
import { builtInRoles } from "../agents/roles.ts";
import { type Commit, Dispatcher } from "../engine/dispatcher.ts";
import { carryOutDecisions } from "../engine/decisions.ts";
import { driveRun, type DriveEnd } from "../engine/drive.ts";
import { fenceCommands, fenceGit } from "../engine/fence.ts";
import { InFlightTable } from "../engine/inFlight.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { CommandPort } from "../engine/ports/command.ts";
import type { GitPort } from "../engine/ports/git.ts";
import type { ModelPolicy, ModelPort } from "../engine/ports/model.ts";
import type { RulePort } from "../engine/ports/rules.ts";
import type { Lease, StorePort } from "../engine/ports/store.ts";
import { proposeLine } from "../engine/proposeLine.ts";
import { keepBase, recoverRun } from "../engine/recovery.ts";
import { runFolders, type WorkRoom } from "../engine/room.ts";
import { beginUndo } from "../engine/undo.ts";
import type { RunEvent } from "../domain/events.ts";
import { serverOf } from "../domain/modelServers.ts";
import type { Target } from "../domain/records.ts";
import type { RunState } from "../domain/state.ts";
import type { TrustedCommands } from "../settings/trustedCommands.ts";
import type { NewRun } from "./assignment.ts";
import type { Occupancy } from "./occupancy.ts";
import { proveRun } from "./proveRun.ts";

/** What every run of this process shares. */
export interface Ports {
  readonly home: string;
  readonly store: StorePort;
  readonly git: GitPort;
  readonly commands: CommandPort;
  readonly rules: RulePort;
  /** Which commands of a repository's own a person has trusted. */
  readonly trusted: Pick<TrustedCommands, "isTrusted">;
  readonly clock: Clock;
  readonly policy: ModelPolicy;
  /** What a model of a server costs, by the settings of the moment: micros a million tokens; `null`: not known. */
  readonly priceOf: (baseUrl: string, model: string) => RunState["price"];
  /** What the runs of this data folder share. */
  readonly occupancy: Occupancy;
}

export interface BeginOptions {
  /** Sees the first events too, which are committed before there is a run to listen to. */
  readonly onCommit?: ((commit: Commit) => void) | undefined;
  /** Only for the bundled demo: its commands run even where the sandbox is not whole. */
  readonly trustsCommands?: boolean;
}

/** A refusal that may name who holds the run. */
export type HeldFailure = Failure & { readonly heldBy?: unknown };

export class LiveRun {
  readonly run: RunId;
  readonly #ports: Ports;
  readonly #dispatcher: Dispatcher;
  readonly #room: WorkRoom;
  readonly #liveListeners = new Set<(agent: AgentId, text: string) => void>();
  readonly #leave = new AbortController();
  #leaveOccupancy: () => void = () => undefined;

  private constructor(ports: Ports, model: ModelPort, dispatcher: Dispatcher, trustsCommands = false) {
    this.run = dispatcher.run;
    this.#ports = ports;
    this.#dispatcher = dispatcher;
    const { home, rules, clock, policy, store } = ports;
    const isHeld = () => {
      if (dispatcher.broken() !== null) return false;
      if (store.isHeld(dispatcher.run)) return true;
      // What is refused here is nobody's failure, so nothing is recorded of it either.
      dispatcher.giveUp({
        code: "STALE_LEASE",
        message: `This process could not say in time that it drives ${dispatcher.run}. Nothing more is written here; coppice resume ${dispatcher.run} goes on.`,
      });
      return false;
    };
    const git = fenceGit(ports.git, isHeld, () =>
      dispatcher.giveUp({
        code: "STORE_UNAVAILABLE",
        message: `The disk is full: git could not write. Free some space; coppice resume ${dispatcher.run} goes on.`,
      }),
    );
    const commands = fenceCommands(ports.commands, isHeld);
    this.#room = {
      dispatcher,
      isHeld,
      git,
      commands,
      clock,
      agents: createAgents({ git, commands, rules, clock, policy, model, random: Math.random, trustsCommands }),
      folders: runFolders(home, dispatcher.run),
      inFlight: new InFlightTable(clock),
      redact: (text) => redact(text).text,
      live: (agent, text) => {
        for (const listener of this.#liveListeners) listener(agent, text);
      },
    };
  }

  /** Begins a run: its first events are on disk when this resolves. */
  static async begin(
    ports: Ports,
    model: ModelPort,
    { run, data }: NewRun,
    options: BeginOptions = {},
  ): Promise<Result<LiveRun>> {
    const { onCommit, trustsCommands } = options;
    const live = new LiveRun(ports, model, dispatcherFor(ports, run, [{ run, epoch: 1 }], []), trustsCommands);
    await live.#startDriving();
    const unsubscribe = onCommit ? live.onCommit(onCommit) : () => undefined;
    try {
      const created = await live.#dispatcher.dispatch({ type: "run.create", run, data });
      if (created.ok) await keepBase(live.#room);
      const started = created.ok ? await live.#dispatcher.dispatch({ type: "run.start", epoch: 1 }) : created;
      if (started.ok) return succeed(live);
      await live.release();
      return started;
    } catch (error) {
      await live.release();
      throw error;
    } finally {
      unsubscribe();
    }
  }

  /** Takes over a run that nobody drives, once its journal proves sound. `DRIVEN_ELSEWHERE` names who drives it. */
  static async take(ports: Ports, model: ModelPort, run: RunId): Promise<Result<LiveRun, HeldFailure>> {
    const leases = await ports.store.acquire(run);
    if (!leases.ok) return fail(leases.error);
    let live: LiveRun | null = null;
    try {
      // A damaged journal is not driven: this run alone is set aside, and nothing of it is changed.
      const proved = await proveRun(ports.store, run);
      if (!proved.ok) return proved;
      const journal = await ports.store.readJournal(run);
      live = new LiveRun(ports, model, dispatcherFor(ports, run, leases.value, journal));
      return succeed(live);
    } finally {
      if (live === null) await ports.store.release(run);
    }
  }

  state(): RunState {
    return this.#dispatcher.state();
  }

  journal(): readonly RunEvent[] {
    return this.#dispatcher.journal();
  }

  dispatch(command: Parameters<Dispatcher["dispatch"]>[0]): ReturnType<Dispatcher["dispatch"]> {
    return this.#dispatcher.dispatch(command);
  }

  onCommit(listener: (commit: Commit) => void): () => void {
    return this.#dispatcher.onCommit(listener);
  }

  onLive(listener: (agent: AgentId, text: string) => void): () => void {
    this.#liveListeners.add(listener);
    return () => this.#liveListeners.delete(listener);
  }

  /** Settles what a crash cut. Only for a run that was taken over. `pauses`: it is left paused, for somebody to go on with. */
  async recover(pauses = false): Promise<void> {
    await this.#startDriving();
    await recoverRun(this.#room, pauses);
  }

  /** From here on what the run takes counts for the others, and theirs for it. */
  async #startDriving(): Promise<void> {
    this.#leaveOccupancy();
    this.#leaveOccupancy = await this.#ports.occupancy.join(this.#dispatcher);
    this.#dispatcher.startDriving();
  }

  /** Drives it until it stops, waits for a person, or is left. */
  drive(leavesWhenWaiting: boolean): Promise<DriveEnd> {
    return driveRun(this.#room, this.#ports.store, { leavesWhenWaiting, signal: this.#leave.signal });
  }

  /** Carries out what people have decided (landings, the settling of what was rejected) without driving any agent on. */
  async carryOutDecisions(): Promise<void> {
    await carryOutDecisions(this.#room);
  }

  /** Proposes the run's whole branch for one review onto `target`. Codes `NOTHING_TO_LAND`, `NOT_ALLOWED_NOW`. */
  proposeLine(target: Target): Promise<Result<null>> {
    return proposeLine(this.#room, target);
  }

  /** Takes a landing back. Codes `LANDING_NOT_FOUND`, `IDENTITY_MISSING`, `CONFLICT`, `NOTHING_TO_UNDO`, `NOT_ALLOWED_NOW`, and why a branch could not be moved. */
  async undo(landing: LandingId): Promise<Result<null>> {
    const begun = await beginUndo(this.#room, landing);
    if (!begun.ok) return begun;
    await carryOutDecisions(this.#room);
    const failed = this.journal().findLast(
      (event) => event.type === "landing.failed" || event.type === "landing.undone",
    );
    return failed?.type === "landing.failed"
      ? fail({ code: failed.data.code, message: failed.data.sentence })
      : succeed(null);
  }

  /** Records that a landing is to be taken back; whoever drives the run carries it out. Codes: those of `undo`, but for why a branch could not be moved. */
  beginUndo(landing: LandingId): Promise<Result<null>> {
    return beginUndo(this.#room, landing);
  }

  /** Ends the driving; the run stays as it is, recoverable. */
  leave(): void {
    this.#leave.abort();
  }

  /** Gives the lease back. */
  async release(): Promise<void> {
    this.#leaveOccupancy();
    await this.#dispatcher.drain();
    await this.#ports.store.release(this.run);
  }
}

function dispatcherFor(ports: Ports, run: RunId, leases: readonly Lease[], journal: readonly RunEvent[]): Dispatcher {
  const { places } = runFolders(ports.home, run);
  const dispatcher: Dispatcher = new Dispatcher({
    run,
    store: ports.store,
    clock: ports.clock,
    leases,
    journal,
    facts: () => ({
      roles: builtInRoles,
      capacity: ports.occupancy.capacityFor(run, dispatcher.find()?.options ?? null),
      placesFolder: places,
      hash: (text) => createHash("sha256").update(text).digest("hex"),
      priceOf: (model) => ports.priceOf(serverOf(dispatcher.state().options, model), model),
    }),
  });
  return dispatcher;
}
