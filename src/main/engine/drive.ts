// Drives one run in this process: effect worker, liveness, requests from elsewhere, the wall clock. Ends when the run
// has stopped, when every way forward waits for a person, or when this process may not go on.

import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import type { Failure } from "../../shared/lib/result.ts";
import type { Duty } from "../domain/duties.ts";
import { bringTarget } from "./bringTarget.ts";
import { EffectWorker } from "./effects.ts";
import { land } from "./landing.ts";
import { watchLiveness } from "./liveness.ts";
import type { StorePort } from "./ports/store.ts";
import { proposeLine } from "./proposeLine.ts";
import { serveRequests } from "./requests.ts";
import type { WorkRoom } from "./room.ts";
import { takeSeat } from "./seat.ts";
import { settleNode, stopRun } from "./settlement.ts";
import { finishUndo } from "./undo.ts";
import { submitWork } from "./submission.ts";

export type DriveEnd =
  | { readonly kind: "stopped" }
  | { readonly kind: "waiting" }
  | { readonly kind: "left" }
  | { readonly kind: "broken"; readonly failure: Failure };

export interface DriveOptions {
  /** Leave when the run waits for a person (the command line), or stay (a window). */
  readonly leavesWhenWaiting: boolean;
  /** Aborts to leave the run as it is, recoverable. */
  readonly signal: AbortSignal;
}

/** Resolves with why the driving ended; everything in flight has ended by then. The lease is the caller's to release. */
export async function driveRun(room: WorkRoom, store: StorePort, options: DriveOptions): Promise<DriveEnd> {
  const { dispatcher } = room;
  const worker = new EffectWorker(dispatcher, {
    drive: async (agent: AgentId, signal) => {
      if (await bringTarget(room, agent, signal)) await room.agents.drive(takeSeat(room, agent, signal));
    },
    submit: ({ agent }, signal) => submitWork(room, agent, signal),
    land: ({ changeset }) => land(room, changeset),
    undo: ({ landing }) => finishUndo(room, landing),
    propose: () => proposeFinal(room),
    settle: ({ agent }) => settleNode(room, agent),
    stop: () => stopRun(room),
  });
  const closers = [
    watchLiveness(dispatcher, room.inFlight, room.clock),
    serveRequests(store, dispatcher),
    watchDeadline(room),
  ];
  try {
    return await untilEnd(room, store, worker, options);
  } finally {
    for (const close of closers) close();
    await worker.close();
  }
}

function untilEnd(room: WorkRoom, store: StorePort, worker: EffectWorker, options: DriveOptions): Promise<DriveEnd> {
  const { dispatcher } = room;
  return new Promise((resolve) => {
    const end = (outcome: DriveEnd) => {
      unsubscribe();
      unsubscribeLease();
      options.signal.removeEventListener("abort", leave);
      resolve(outcome);
    };
    const leave = () => end({ kind: "left" });
    const look = () => {
      const broken = dispatcher.broken();
      if (broken) return end({ kind: "broken", failure: broken });
      const { status } = dispatcher.state();
      // What was decided in the run's last moment is still in flight after its stop.
      if (status === "stopped" && !worker.isBusy()) return end({ kind: "stopped" });
      if (status === "waiting" && options.leavesWhenWaiting && !worker.isBusy(isWaitingLead)) end({ kind: "waiting" });
    };
    const unsubscribe = dispatcher.onCommit(() => queueMicrotask(look));
    const unsubscribeLease = store.onLeaseLost((run) => {
      if (run !== dispatcher.run) return;
      const failure = {
        code: "STALE_LEASE",
        message: `This process has lost ${run}: it could not say in time that it lives. Nothing more is written here.`,
      };
      // At once, so that what is on its way is not committed any more; who has it now is found out for people.
      dispatcher.giveUp(failure);
      void describeLoss(store, failure, run).then((told) => end({ kind: "broken", failure: told }));
    });
    worker.onDutyEnd(look);
    options.signal.addEventListener("abort", leave, { once: true });
    if (options.signal.aborted) return leave();
    worker.reconcile();
    look();
  });
}

/** Under `final`, all that has landed on the run's branch goes through one review onto the target. */
async function proposeFinal(room: WorkRoom): Promise<void> {
  const { finalTarget } = room.dispatcher.state();
  if (finalTarget) await proposeLine(room, finalTarget);
}

/** A lead that waits for a review holds nothing. */
function isWaitingLead(duty: Duty): boolean {
  return duty.kind === "drive" && duty.agent === "lead";
}

/** The failure with who drives the run now, as far as the store can say. */
async function describeLoss(store: StorePort, failure: Failure, run: RunId): Promise<Failure> {
  const holder = await store.holderOf(run).catch(() => null);
  if (holder === null || holder.boot === store.boot) return failure;
  return {
    ...failure,
    message: `Process ${holder.pid} on ${holder.host} drives ${run} now. Nothing more is written here.`,
  };
}

/** The run's time goes on only while it runs: waiting for a person and a pause are not counted, and a timer does not count sleep. */
function watchDeadline({ dispatcher, clock }: WorkRoom): () => void {
  let armedFor: number | null = null;
  let callOff = () => undefined as void;
  const arm = () => {
    const { deadlineAt, status } = dispatcher.state();
    const due = status === "running" ? deadlineAt : null;
    if (due === armedFor) return;
    callOff();
    armedFor = due;
    callOff = due === null ? () => undefined : clock.after(Math.max(0, due - clock.now()), expire);
  };
  const expire = () => {
    if (armedFor === null) return;
    // Longer than a timer can hold, or the wall clock was set back.
    const left = armedFor - clock.now();
    if (left > maxTimerSlackMs) {
      armedFor = null;
      return arm();
    }
    void dispatcher.dispatch({ type: "run.expire" });
  };
  arm();
  const unsubscribe = dispatcher.onCommit(arm);
  return () => {
    unsubscribe();
    callOff();
  };
}

/** A timer that fires this much before the deadline by the wall clock counts as on time: sleep and set clocks move that clock, not the work. */
const maxTimerSlackMs = 24 * 60 * 60_000;
