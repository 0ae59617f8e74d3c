// What a decision is: the events that a command becomes, with an answer for the asker, or a refusal as a value.

import type { Json } from "../../../shared/lib/json.ts";
import type { Facts, Rejection } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import type { RunState } from "../state.ts";

export type Decision =
  | { readonly events: readonly DraftEvent[]; readonly answer?: Json }
  | { readonly rejection: Rejection };

/** Decides one command type. Pure: two executions with the same arguments agree to the byte. */
export type Decider<C> = (state: RunState, command: C, facts: Facts) => Decision;

export function accept(...events: readonly DraftEvent[]): Decision {
  return { events };
}

export function reject(code: string, sentence: string): Decision {
  return { rejection: { code, sentence } };
}

export function isRejected(decision: Decision): decision is { readonly rejection: Rejection } {
  return "rejection" in decision;
}
