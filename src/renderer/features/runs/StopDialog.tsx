// Asks before a run is stopped, and says in numbers what will happen.

import type { RefObject } from "react";

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { countOf } from "../../ui/formats.ts";

export interface StopDialogProps {
  readonly ref: RefObject<HTMLDialogElement | null>;
  readonly snapshot: RunSnapshot;
  readonly onStop: () => void;
}

export function StopDialog({ ref, snapshot, onStop }: StopDialogProps) {
  return (
    <dialog className="dialog" ref={ref} aria-labelledby="stop-title">
      <form method="dialog">
        <h2 id="stop-title">Stop “{snapshot.title}”?</h2>
        <ul>
          {consequencesOf(snapshot).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <div className="dialog-acts">
          {/* The safe one takes the focus. */}
          <button type="submit" className="btn large" autoFocus>
            Keep it running
          </button>
          <button type="submit" className="btn large danger" onClick={onStop}>
            Stop the run
          </button>
        </div>
      </form>
    </dialog>
  );
}

/** What stopping does to what is there now, one sentence each. */
export function consequencesOf({ subagents, approvals, landed, target }: RunSnapshot): readonly string[] {
  const open = subagents.filter(({ status }) => !["completed", "failed", "cancelled"].includes(status)).length;
  return [
    open === 0 ? "The lead stops." : `The lead and ${countOf(open, "subagent")} stop where they are.`,
    ...(approvals.length === 0
      ? []
      : [
          `${countOf(approvals.length, "open approval")} will be withdrawn; what ${approvals.length === 1 ? "it asks" : "they ask"} for does not happen.`,
        ]),
    landed.length === 0
      ? "Nothing has landed, so your branches stay as they are."
      : `What has landed stays: ${countOf(landed.length, "commit")} on ${target}.`,
  ];
}
