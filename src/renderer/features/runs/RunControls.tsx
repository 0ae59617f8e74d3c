// Pausing, going on and stopping a run, opening what is ready to review, and everything else that can be done with it. What
// cannot be done now is not shown.

import { Pause, Play, Square } from "lucide-react";
import { useState } from "react";

import type { ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Act } from "../useAct.ts";
import { StopDialog } from "./RunDialogs.tsx";
import { RunMenu } from "./RunMenu.tsx";

export interface RunControlsProps {
  readonly snapshot: RunSnapshot;
  /** What is done here, and why it was refused. */
  readonly work: Act;
  readonly onRename: () => void;
  readonly onReview: (changeset: ChangeSetId) => void;
  /** The form of a new run has been filled in. */
  readonly onRunAgain: () => void;
  readonly onCompare: () => void;
  /** It is gone; `next` stood beside it in the list. */
  readonly onDeleted: (next: RunId | null) => void;
}

export function RunControls({ snapshot, work, onReview, ...more }: RunControlsProps) {
  const { run, status, approvals } = snapshot;
  const { act, isBusy, failure } = work;
  const [isStopping, setIsStopping] = useState(false);
  const canPause = status === "running" || status === "waiting";
  const canResume = status === "paused" || status === "ready" || status === "interrupted";
  const reviews = approvals.flatMap(({ changeset }) => (changeset === undefined ? [] : [changeset]));
  const [first] = reviews;
  return (
    <span className="controls">
      {/* Where its repository went is asked below, with more room. */}
      {failure !== null && failure.code !== "REPOSITORY_MOVED" && (
        <span className="bad one" role="alert" title={failure.message}>
          {failure.message}
        </span>
      )}
      {first !== undefined && (
        <button type="button" className="btn main" onClick={() => onReview(first)}>
          Review {reviews.length}
          <span className="heard">{reviews.length === 1 ? " change set…" : " change sets…"}</span>
        </button>
      )}
      {canPause && (
        <button
          type="button"
          className="btn"
          data-action="run.pause"
          disabled={isBusy}
          onClick={() => void act({ type: "pause", run })}
        >
          <Pause size={12} aria-hidden="true" /> Pause
        </button>
      )}
      {canResume && (
        <button
          type="button"
          className="btn"
          data-action="run.resume"
          disabled={isBusy}
          onClick={() => void act({ type: "resume", run })}
        >
          <Play size={12} aria-hidden="true" /> {status === "paused" ? "Resume" : "Continue"}
        </button>
      )}
      {(canPause || canResume) && (
        <button
          type="button"
          className="btn"
          data-action="run.stop"
          disabled={isBusy}
          onClick={() => setIsStopping(true)}
        >
          <Square size={11} aria-hidden="true" /> Stop…
        </button>
      )}
      <RunMenu snapshot={snapshot} work={work} {...more} />
      {isStopping && (
        <StopDialog
          snapshot={snapshot}
          onAct={() => void act({ type: "cancel", run })}
          onClose={() => setIsStopping(false)}
        />
      )}
    </span>
  );
}
