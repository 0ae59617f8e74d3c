// Who may ask a model server when: a bounded number of requests to each model and in all, in order of arrival, and none
// while the server has asked to wait. Keeps no request and no answer.

import type { Clock } from "../engine/ports/clock.ts";

export interface QueueLimits {
  /** Requests in flight to one model of one server. */
  readonly maxPerModel: number;
  /** Requests in flight over all models and servers of the queue. Without it: as many as the models allow. */
  readonly maxInAll?: number;
  readonly clock: Clock;
}

/** A wait that a server asked for, and why. */
export interface Hold {
  readonly waitMs: number;
  readonly reason: string;
}

/** A server, as the queue knows it. Made by `addServer`. */
export interface Server {
  readonly inFlight: Map<string, number>;
  /** Monotonic ms until which the server asked us to wait, and why. */
  heldUntil: number;
  heldBecause: string;
  /** After such a wait one request goes first: the others would only be told to wait again, all at once. */
  trial: "none" | "due" | "under way";
}

/** The right to be in flight, from `enter` to `leave`. */
export interface Turn {
  /** The server has begun to answer: it takes requests again. */
  accepted(): void;
  /** Gives the place back. */
  leave(hold: Hold | null): void;
}

export interface Waiting {
  readonly signal: AbortSignal;
  /** See `ModelWatch`. */
  onQueued?(reason: string, endsAt: number | null): void;
}

interface Waiter {
  readonly server: Server;
  readonly model: string;
  readonly waiting: Waiting;
  start(): void;
  /** What it was told last, so that it is told only what is new. */
  told: string;
  /** Calls off the look at the clock that this waiter is waiting for. Without waiters no timer runs. */
  callOff: (() => void) | null;
}

interface Obstacle {
  readonly reason: string;
  /** For a wait that ends by the clock: ms from now. */
  readonly leftMs: number | null;
}

export class RequestQueue {
  readonly #limits: QueueLimits;
  readonly #waiters = new Set<Waiter>();
  #inAll = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  addServer(): Server {
    return { inFlight: new Map(), heldUntil: -Infinity, heldBecause: "", trial: "none" };
  }

  /** Resolves when the request may be made, or with `null` once `signal` aborts: it has no place then. Who is kept back by its own model or server is overtaken by others. */
  enter(server: Server, model: string, waiting: Waiting): Promise<Turn | null> {
    if (waiting.signal.aborted) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<Turn | null>();
    const settle = (turn: Turn | null): void => {
      this.#waiters.delete(waiter);
      waiter.callOff?.();
      waiting.signal.removeEventListener("abort", giveUp);
      resolve(turn);
    };
    const giveUp = (): void => settle(null);
    const start = (): void => settle(this.#begin(server, model));
    const waiter: Waiter = { server, model, waiting, start, told: "", callOff: null };
    waiting.signal.addEventListener("abort", giveUp, { once: true });
    this.#waiters.add(waiter);
    this.#admit();
    return promise;
  }

  /** Starts whoever may, in order of arrival, and tells the others why not. */
  #admit(): void {
    for (const waiter of this.#waiters) {
      const obstacle = this.#findObstacle(waiter);
      if (obstacle === null) waiter.start();
      else this.#keepBack(waiter, obstacle);
    }
  }

  #findObstacle({ server, model }: Waiter): Obstacle | null {
    const { clock, maxPerModel, maxInAll = Infinity } = this.#limits;
    const leftMs = server.heldUntil - clock.monotonic();
    if (leftMs > 0) return { reason: server.heldBecause, leftMs };
    if (server.trial === "under way") return busy(`one request goes first after the wait (${server.heldBecause})`);
    if ((server.inFlight.get(model) ?? 0) >= maxPerModel)
      return busy(`the limit of requests to ${model} is reached (${maxPerModel} at a time)`);
    return this.#inAll >= maxInAll
      ? busy(`the limit of requests to all models is reached (${maxInAll} at a time)`)
      : null;
  }

  #keepBack(waiter: Waiter, { reason, leftMs }: Obstacle): void {
    const { clock } = this.#limits;
    // A timer may be early, or unable to last so long: then the clock is looked at again.
    if (leftMs !== null) {
      waiter.callOff ??= clock.after(Math.ceil(leftMs), () => {
        waiter.callOff = null;
        this.#admit();
      });
    }
    const news = leftMs === null ? reason : `${reason} until ${waiter.server.heldUntil}`;
    if (news === waiter.told) return;
    waiter.told = news;
    waiter.waiting.onQueued?.(reason, leftMs === null ? null : Math.ceil(clock.now() + leftMs));
  }

  #begin(server: Server, model: string): Turn {
    let stage: "asked" | "accepted" | "left" = "asked";
    const isTrial = server.trial === "due";
    if (isTrial) server.trial = "under way";
    server.inFlight.set(model, (server.inFlight.get(model) ?? 0) + 1);
    this.#inAll += 1;
    const endTrial = (): void => {
      if (isTrial && stage === "asked" && server.trial === "under way") server.trial = "none";
    };
    return {
      accepted: () => {
        if (stage !== "asked") return;
        endTrial();
        stage = "accepted";
        if (isTrial) this.#admit();
      },
      leave: (hold) => {
        if (stage === "left") return;
        endTrial();
        stage = "left";
        server.inFlight.set(model, (server.inFlight.get(model) ?? 1) - 1);
        this.#inAll -= 1;
        if (hold !== null) this.#hold(server, hold);
        this.#admit();
      },
    };
  }

  #hold(server: Server, { waitMs, reason }: Hold): void {
    const until = this.#limits.clock.monotonic() + waitMs;
    // Of several that were told to wait at once, the longest wait counts.
    if (until > server.heldUntil) Object.assign(server, { heldUntil: until, heldBecause: reason, trial: "due" });
  }
}

function busy(reason: string): Obstacle {
  return { reason, leftMs: null };
}
