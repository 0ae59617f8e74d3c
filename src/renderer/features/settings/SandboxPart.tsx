// What confines the commands of agents on this machine, whether it works right now, and what they may read and write. Whether
// new runs' commands reach the network is the person's to say.

import { useState } from "react";

import type { CareBodies } from "../../../shared/contract/care.ts";
import { usePage } from "../../client/Client.tsx";
import { Choices } from "../../ui/Choices.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { Patterns } from "./Patterns.tsx";
import type { PartProps } from "./part.ts";

type Sandbox = CareBodies["sandbox"];

const names: Readonly<Record<Sandbox["kind"], string>> = {
  bubblewrap: "bubblewrap, in namespaces of its own for each command",
  seatbelt: "Seatbelt, the sandbox of macOS, with a profile for each command",
  none: "nothing",
};

export function SandboxPart({ settings, change }: PartProps) {
  const [version, setVersion] = useState(0);
  const { body, failure, isReading } = usePage({ kind: "sandbox" }, version);
  return (
    <>
      <p className="quiet">
        Each command of an agent, and each check and set-up, runs with a cleaned environment, in a process group that is
        ended with it, and inside what this machine has to confine it.
      </p>
      <PageState
        isThere={body !== null}
        failure={failure}
        reading="The sandbox is being tried"
        lost="The sandbox could not be looked at"
        lines={4}
      />
      {body !== null && (
        <>
          <Standing sandbox={body} isLooking={isReading} onLook={() => setVersion((before) => before + 1)} />
          <Choices
            label="Network"
            options={[
              ["off", "No network", "what a command learns stays here"],
              ["on", "Network", "for installs and services; what they read can leave"],
            ]}
            chosen={settings.sandbox.network}
            onChoose={(network) => void change({ sandbox: { network } })}
          />
          {body.kind !== "none" && <View sandbox={body} />}
        </>
      )}
    </>
  );
}

interface StandingProps {
  readonly sandbox: Sandbox;
  readonly isLooking: boolean;
  readonly onLook: () => void;
}

function Standing({ sandbox: { kind, isWhole, missing }, isLooking, onLook }: StandingProps) {
  return (
    <section className="card" aria-label="Confinement">
      <p className="confinement">
        {isWhole ? (
          <Mark shape="done" word="Works here" />
        ) : (
          <Mark shape={kind === "none" ? "failed" : "needs-you"} word={kind === "none" ? "Not confined" : "In part"} />
        )}
        <span>Confined by {names[kind]}.</span>
        <button type="button" className="btn push" disabled={isLooking} onClick={onLook}>
          {isLooking ? "Looking…" : "Look again"}
        </button>
      </p>
      {missing.length > 0 && (
        <ul className="quiet">
          {missing.map((sentence) => (
            <li key={sentence}>
              <Ticked text={sentence} />
            </li>
          ))}
        </ul>
      )}
      <p className="faint small">
        {isWhole
          ? "It was tried on a command that does nothing. Under “Allow, confined” commands run unasked."
          : "Until that is so, a command that would run unasked under “Allow, confined” asks you first."}
      </p>
    </section>
  );
}

function View({ sandbox: { hidden, scratch, shown } }: { readonly sandbox: Sandbox }) {
  return (
    <section aria-label="What a command may see">
      <h3>What a command may see</h3>
      <dl className="sandbox-view">
        <dt>Reads and writes</dt>
        <dd>Its agent’s worktree, and a home folder of the run’s own for caches. A reader’s copy is read only.</dd>
        <dt>Reads</dt>
        <dd>
          The system: programs and libraries. The repository’s git folder too, where it writes new objects and its own
          worktree’s part alone.
        </dd>
        {shown.length > 0 && (
          <>
            <dt>Reads, for tools</dt>
            <dd>
              <Patterns patterns={shown} />
            </dd>
          </>
        )}
        <dt>Finds empty</dt>
        <dd>
          Your checkout, Coppice’s data, and
          <Patterns patterns={hidden} />
        </dd>
        <dt>Scratch of its own</dt>
        <dd>
          <Patterns patterns={scratch} />
        </dd>
        <dt>Cannot reach</dt>
        <dd>Sockets of services and agents, such as those of Docker and SSH, and keys in the environment.</dd>
      </dl>
    </section>
  );
}
