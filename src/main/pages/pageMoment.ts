// The moment of a run that a page is read as of: the state then, and the events up to it. Nothing later is in it.

import type { RunPageRequest } from "../../shared/contract/pages.ts";
import { fail, type Failure, type Result, succeed } from "../../shared/lib/result.ts";
import type { RunEvent } from "../domain/events.ts";
import type { RunState } from "../domain/state.ts";
import type { FoldedJournal } from "./journalCache.ts";

export interface Moment {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  /** Nothing has happened since. */
  readonly isNow: boolean;
}

/** Code `BAD_USAGE`: the journal has no such ordinal. */
export function momentOf(journal: FoldedJournal, request: RunPageRequest): Result<Moment> {
  const { events } = journal;
  const at =
    request.kind === "snapshot" || request.kind === "forkPoint"
      ? request.at
      : "upTo" in request
        ? request.upTo
        : undefined;
  if (at === undefined) return succeed({ state: journal.state, events, isNow: true });
  if (at < 1 || at > events.length) {
    return fail({
      code: "BAD_USAGE",
      message: `The journal of ${request.run} is numbered 1 to ${events.length}; there is no event ${at}.`,
    });
  }
  return succeed({ state: journal.stateAt(at), events: events.slice(0, at), isNow: at === events.length });
}

export function unknownAgent(run: string, agent: string): Failure {
  return { code: "UNKNOWN_SUBAGENT", message: `${run} has no ${agent} at this moment.` };
}
