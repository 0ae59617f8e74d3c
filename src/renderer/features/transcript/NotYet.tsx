// What stands in no journal yet: a turn as far as it has been streamed, and messages that are under way.

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import { useTopic } from "../../client/Client.tsx";
import type { Outgoing } from "./outbox.ts";
import { plainText } from "../../ui/terminalText.ts";

export interface NotYetProps {
  readonly run: RunId;
  readonly agent: AgentId;
  readonly pending: readonly Outgoing[];
}

export function NotYet({ run, agent, pending }: NotYetProps) {
  const { snapshot } = useTopic(`live/${run}`);
  const turn = snapshot?.turns.find((turn) => turn.agent === agent);
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
