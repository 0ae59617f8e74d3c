// The header's first row while a past moment is shown: what it is, the way back, and another way on. The one inverse surface
// of the window.

import { GitFork } from "lucide-react";
import { useState } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import { Key } from "../../ui/Key.tsx";
import { useHeardKeys } from "../../ui/keyNames.ts";
import { formatTime } from "../../ui/formats.ts";
import { ForkDialog } from "./ForkDialog.tsx";
import type { Replay } from "./useReplay.ts";

const whole = new Intl.NumberFormat("en-US");

export interface ReplayBannerProps {
  readonly replay: Replay;
  readonly title: string;
  /** The run that can be forked, and what opens the fork; absent where there is none to go on with. */
  readonly origin?: { readonly run: RunId; readonly onForked: (fork: RunId) => void };
}

export function ReplayBanner({ replay, title, origin }: ReplayBannerProps) {
  const { at, moment, total, seek } = replay;
  // The moment at which it was asked for: a replay that plays goes on behind the question.
  const [fork, setFork] = useState<{ readonly at: number; readonly moment: number | null } | null>(null);
  return (
    <div className="replaying">
      <h1 id="run-title" className="one">
        {title}
      </h1>
      <span className="replaying-words">
        viewing <b className="fig">{moment === null ? "…" : formatTime(moment)}</b>, event{" "}
        <b className="fig">{whole.format(at ?? total)}</b> of {whole.format(total)}
      </span>
      <span className="push replaying-acts">
        <button
          type="button"
          className="btn"
          aria-keyshortcuts={useHeardKeys("replay.live", "End")}
          onClick={() => seek(null)}
        >
          Live <Key name="End" of="replay.live" />
        </button>
        {origin !== undefined && (
          <button type="button" className="btn" onClick={() => setFork({ at: at ?? total, moment })}>
            <GitFork size={13} aria-hidden="true" /> Fork from here
          </button>
        )}
      </span>
      {fork !== null && origin !== undefined && <ForkDialog {...origin} {...fork} onClose={() => setFork(null)} />}
    </div>
  );
}
