// What stands in no journal yet: a turn as far as it has been streamed, and messages that are under way.

import { useCallback, useEffect, useState } from "react";

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import { useTopicPart } from "../../client/Client.tsx";
import type { Outgoing } from "./outbox.ts";
import { plainText } from "../../ui/terminalText.ts";

export interface NotYetProps {
  readonly run: RunId;
  readonly agent: AgentId;
  readonly pending: readonly Outgoing[];
  /** Of the last row that has been read. */
  readonly lastN: number;
}

/** How long a turn that is over stays at most, in ms: one that was cut has no rows. */
const staysMs = 1_500;

export function NotYet({ run, agent, pending, lastN }: NotYetProps) {
  const turn = useStreamed(run, agent, lastN);
  return (
    <>
      {turn !== undefined && turn.text !== "" && (
        <div className="provisional">
          <h3 className="turn-head">
            <b>Being said</b> provisional
          </h3>
          <p>
            {turn.skipped > 0 && <span className="faint">{turn.skipped} characters before. </span>}
            {plainText(turn.text)}
          </p>
        </div>
      )}
      {pending.map(({ text }, at) => (
        // Two may say the same; they stand in the order in which they were sent.
        <section className="quote pending" key={at} aria-label="Message under way">
          <h3>
            <b>You</b> <span>on its way</span>
          </h3>
          <p className="prose">{text}</p>
        </section>
      ))}
    </>
  );
}

/** The turn that `agent` is in the middle of. Once it is over it stays until its rows have been read, so that the page does not grow shorter under who reads it. */
function useStreamed(run: RunId, agent: AgentId, lastN: number) {
  const turn = useTopicPart(
    `live/${run}`,
    useCallback((live) => live?.turns.find((one) => one.agent === agent), [agent]),
  );
  const [held, setHeld] = useState({ turn, lastN });
  if (turn !== undefined && turn !== held.turn) setHeld({ turn, lastN });
  useEffect(() => {
    if (turn !== undefined) return undefined;
    const timer = setTimeout(() => setHeld((before) => ({ ...before, turn })), staysMs);
    return () => clearTimeout(timer);
  }, [turn]);
  return turn ?? (held.lastN === lastN ? held.turn : undefined);
}
