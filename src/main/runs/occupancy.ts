// How much of what all runs of a data folder share is taken: by runs that this process drives, as of their last commit,
// and by those of other processes, as the store last showed them. When some of it comes free, runs that wait are asked again.

import type { RunId } from "../../shared/contract/ids.ts";
import { type Capacity, holdsSlot } from "../domain/graph/schedule.ts";
import { type ServerOptions, serverOf } from "../domain/modelServers.ts";
import type { RunState } from "../domain/state.ts";
import type { Dispatcher } from "../engine/dispatcher.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { AtWork, StorePort } from "../engine/ports/store.ts";

/** A process that dies commits nothing, so its places are looked at again after its leases have run out. */
const recheckMs = 15_000;

/** Where a subagent at work takes a place: at a model of a server. */
type Place = Pick<AtWork, "baseUrl" | "model">;

interface Member {
  readonly dispatcher: Dispatcher;
  places: readonly Place[];
}

export class Occupancy {
  readonly #store: Pick<StorePort, "listAtWork" | "onForeignCommit">;
  readonly #clock: Clock;
  readonly #members = new Map<RunId, Member>();
  #others: readonly Place[] = [];
  #unwatch: () => void = () => undefined;
  /** The planned look, while there is one. */
  #callOff: (() => void) | null = null;
  #asking: Promise<void> = Promise.resolve();

  constructor(store: Pick<StorePort, "listAtWork" | "onForeignCommit">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Counts a run that is driven here from now on, and asks it again when places come free. Returns the way to leave; leaving twice is harmless. */
  async join(dispatcher: Dispatcher): Promise<() => void> {
    const member: Member = { dispatcher, places: [] };
    if (this.#members.size === 0) this.#unwatch = this.#store.onForeignCommit(() => void this.#lookElsewhere());
    this.#members.set(dispatcher.run, member);
    await this.#lookElsewhere();
    const unsubscribe = dispatcher.onCommit(({ state }) => {
      const before = member.places.length;
      member.places = placesOf(state);
      if (member.places.length < before) this.#askAgain();
      else this.#planRecheck();
    });
    return () => {
      unsubscribe();
      if (!this.#members.delete(dispatcher.run)) return;
      if (this.#members.size === 0) {
        this.#unwatch();
        this.#planRecheck();
      } else this.#askAgain();
    };
  }

  /** What other runs leave to this one, at the servers and models that it uses. `options`: its own, `null` before it is there. */
  capacityFor(run: RunId, options: ServerOptions | null): Capacity {
    const taken = [...this.#members]
      .filter(([id]) => id !== run)
      .flatMap(([, member]) => member.places)
      .concat(this.#others);
    const byModel: Record<string, number> = {};
    for (const { model, baseUrl } of taken)
      if (options !== null && serverOf(options, model) === baseUrl) byModel[model] = (byModel[model] ?? 0) + 1;
    return { runningElsewhere: taken.length, runningElsewhereByModel: byModel };
  }

  async #lookElsewhere(): Promise<void> {
    const before = this.#others.length;
    // A store that fails is found out by whoever commits to it next; what was known stands until then.
    this.#others = await this.#store.listAtWork().catch(() => this.#others);
    if (this.#others.length < before) this.#askAgain();
  }

  /** One after the other, so that each sees what the one before has taken. */
  #askAgain(): void {
    this.#asking = this.#asking.then(async () => {
      for (const { dispatcher } of this.#members.values()) {
        if (waitsForOthers(dispatcher.find())) await dispatcher.dispatch({ type: "run.admit" });
      }
      this.#planRecheck();
    });
  }

  /** A look that is planned stays planned: commits here, however many, do not put it off. */
  #planRecheck(): void {
    const isDue =
      this.#others.length > 0 && [...this.#members.values()].some((one) => waitsForOthers(one.dispatcher.find()));
    if (!isDue) {
      this.#callOff?.();
      this.#callOff = null;
      return;
    }
    this.#callOff ??= this.#clock.after(recheckMs, () => {
      this.#callOff = null;
      void this.#lookElsewhere().then(() => this.#planRecheck());
    });
  }
}

function placesOf(state: RunState): readonly Place[] {
  return state.nodes.filter(holdsSlot).map(({ model }) => ({ baseUrl: serverOf(state.options, model), model }));
}

/** Whether a node waits for something that other runs may hold. */
function waitsForOthers(state: RunState | null): boolean {
  return (state?.nodes ?? []).some(
    ({ status, queue }) => status === "ready" && (queue?.code === "SLOT" || queue?.code === "MODEL"),
  );
}
