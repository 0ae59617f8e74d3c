// What it is that an invariant finds broken, and how it looks at a journal.

import type { RunEvent } from "../events.ts";
import type { RoleTable } from "../roles.ts";
import type { RunState } from "../state.ts";

/** Invariants that a run's journal alone can break, by their numbers in the documentation. */
export type InvariantId = "I4" | "I6" | "I7" | "I8" | "I9" | "I10" | "I11" | "I12" | "I13" | "I14" | "I15";

export interface Fault {
  readonly id: InvariantId;
  /** What is wrong, and at which event. */
  readonly sentence: string;
}

/** One event between the states around it. `before` is `null` for the first. */
export interface Step {
  readonly before: RunState | null;
  readonly event: RunEvent;
  readonly after: RunState;
  readonly roles: RoleTable;
}

/** Looks at a journal event by event, in order; keeps what it has to remember of the earlier ones. */
export type Watcher = (step: Step) => readonly Fault[];

export function faultAt(id: InvariantId, { n }: RunEvent, what: string): readonly Fault[] {
  return [{ id, sentence: `Event ${n}: ${what}` }];
}

export const none: readonly Fault[] = [];
