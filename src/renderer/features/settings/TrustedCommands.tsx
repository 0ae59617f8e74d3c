// Commands that repositories bring and that a person has trusted: what they are, since when, and the way to take that back.

import { Trash2 } from "lucide-react";

import type { CareBodies } from "../../../shared/contract/care.ts";
import { formatMoment } from "../../ui/formats.ts";
import { NotDone } from "../Spoken.tsx";
import { useCare } from "../useCare.ts";

type Trusted = CareBodies["rules"]["trusted"][number];

export interface TrustedCommandsProps {
  readonly trusted: readonly Trusted[];
  readonly onForgotten: () => void;
}

export function TrustedCommands({ trusted, onForgotten }: TrustedCommandsProps) {
  return (
    <section aria-label="Commands of repositories">
      <h3>Commands of repositories</h3>
      {trusted.length === 0 && (
        <p className="faint">
          None is trusted. Where a repository brings set-up or checks in <code>.coppice/config.json</code>, you are
          asked before they run.
        </p>
      )}
      {trusted.map((repository) => (
        <OfRepository key={repository.repository} {...repository} onForgotten={onForgotten} />
      ))}
    </section>
  );
}

function OfRepository({
  repository,
  folder,
  entries,
  onForgotten,
}: Trusted & Pick<TrustedCommandsProps, "onForgotten">) {
  const [said, take] = useCare();
  return (
    <div className="allowed">
      <h4 className="one faint">{folder}</h4>
      <ul>
        {entries.map(({ hash, at, setup, setupNetwork, verify }) => (
          <li key={hash}>
            <span>
              {[...setup, ...verify].map((line, index) => (
                <span key={index}>
                  {index > 0 && ", "}
                  <code>{line}</code>
                </span>
              ))}{" "}
              <small className="faint">
                {setupNetwork === "on" && "set-up with the network, "}since {formatMoment(at)}
              </small>
            </span>
            <button
              type="button"
              className="btn bare"
              aria-label={`Trust no more: ${[...setup, ...verify].join(", ")}`}
              title="Trust them no more"
              onClick={() => void take({ type: "forgetTrust", repository, hash }).then(onForgotten)}
            >
              <Trash2 size={13} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <NotDone said={said} />
    </div>
  );
}
