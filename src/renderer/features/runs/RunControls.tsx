// Pausing, going on and stopping a run. What cannot be done now is not shown.

import { Pause, Play, Square } from "lucide-react";
import { useRef } from "react";

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { useAct } from "../useAct.ts";
import { StopDialog } from "./StopDialog.tsx";

export function RunControls({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const { run, status } = snapshot;
  const { act, isBusy, failure } = useAct();
  const dialog = useRef<HTMLDialogElement>(null);
  const canPause = status === "running" || status === "waiting";
  const canResume = status === "paused" || status === "ready" || status === "interrupted";
  if (!canPause && !canResume) return null;
  return (
    <span className="controls">
      {failure !== null && (
        <span className="bad one" role="alert" title={failure.message}>
          {failure.message}
        </span>
      )}
      {canPause && (
        <button type="button" className="btn" disabled={isBusy} onClick={() => void act({ type: "pause", run })}>
          <Pause size={12} aria-hidden="true" /> Pause
        </button>
      )}
      {canResume && (
        <button type="button" className="btn" disabled={isBusy} onClick={() => void act({ type: "resume", run })}>
          <Play size={12} aria-hidden="true" /> {status === "paused" ? "Resume" : "Continue"}
        </button>
      )}
      <button type="button" className="btn" disabled={isBusy} onClick={() => dialog.current?.showModal()}>
        <Square size={11} aria-hidden="true" /> Stop…
      </button>
      <StopDialog ref={dialog} snapshot={snapshot} onStop={() => void act({ type: "cancel", run })} />
    </span>
  );
}
