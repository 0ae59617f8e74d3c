// What an agent made that did not land and is kept all the same, and the way to bring it back on a branch.

import { GitBranch } from "lucide-react";
import { useState } from "react";

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import type { PinnedItem } from "../../../shared/contract/runPages.ts";
import { useAct } from "../useAct.ts";
import { useHeldPage } from "./useHeldPage.ts";

export interface KeptWorkProps {
  readonly run: RunId;
  readonly agent: AgentId;
  /** Its end, and the run's last event, epoch ms: what an agent made is kept some events after its end. */
  readonly endedAt: number;
  readonly updatedAt: number;
}

/** So long after an agent's end, ms, each event of the run may be the one that keeps its work; later ones are of others. */
const settlingMs = 60_000;

export function KeptWork({ run, agent, endedAt, updatedAt }: KeptWorkProps) {
  const version = Math.min(updatedAt, endedAt + settlingMs);
  const { body } = useHeldPage({ kind: "holdings", run }, version, run);
  const pinned = body?.pinned.findLast((item) => item.agent === agent);
  if (body === null || pinned === undefined) return null;
  return (
    <section className="passage" aria-label="Kept work">
      <h3>Kept work</h3>
      <p className="prose">
        What it made did not land. It is kept for {body.keepDays} days after the run’s last event.
      </p>
      <Restore run={run} pinned={pinned} />
    </section>
  );
}

function Restore({ run, pinned: { agent, branch, commit } }: { readonly run: RunId; readonly pinned: PinnedItem }) {
  const { act, isBusy, failure } = useAct();
  const [isRestored, setRestored] = useState(false);
  if (isRestored)
    return (
      <p role="status">
        <code>{commit.slice(0, 7)}</code> stands on <code>{branch}</code>.
      </p>
    );
  return (
    <div className="place-acts">
      <button
        type="button"
        className="btn"
        disabled={isBusy}
        title={`Puts it on ${branch}; nothing else moves`}
        onClick={() => void act({ type: "restore", run, agent }).then((receipt) => setRestored(receipt !== null))}
      >
        <GitBranch size={13} aria-hidden="true" /> Restore on a branch
      </button>
      {failure !== null && (
        <p className="bad small" role="alert">
          {failure.message}
        </p>
      )}
    </div>
  );
}
