// Asks before a run is stopped or deleted, with what that comes to.

import { usePage } from "../../client/Client.tsx";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { deleteConsequences, stopConsequences } from "./consequences.ts";

export interface RunDialogProps {
  readonly snapshot: RunSnapshot;
  readonly onAct: () => void;
  readonly onClose: () => void;
}

export function StopDialog({ snapshot, onAct, onClose }: RunDialogProps) {
  const { body } = usePage({ kind: "holdings", run: snapshot.run });
  return (
    <ConfirmDialog
      title={`Stop “${snapshot.title}”?`}
      keep="Keep it running"
      act="Stop the run"
      onAct={onAct}
      onClose={onClose}
    >
      <Sentences sentences={stopConsequences(snapshot, body?.keepDays ?? null)} />
    </ConfirmDialog>
  );
}

export function DeleteDialog({ snapshot, onAct, onClose }: RunDialogProps) {
  const { body, failure } = usePage({ kind: "holdings", run: snapshot.run });
  return (
    <ConfirmDialog
      title={`Delete “${snapshot.title}”?`}
      keep="Keep the run"
      act="Delete the run"
      isReady={body !== null}
      onAct={onAct}
      onClose={onClose}
    >
      {body !== null && <Sentences sentences={deleteConsequences(body, snapshot.target)} />}
      {body === null && (
        <PageState
          failure={failure}
          reading="What it holds is being counted"
          lost="What it holds could not be counted"
          lines={3}
        />
      )}
    </ConfirmDialog>
  );
}

function Sentences({ sentences }: { readonly sentences: readonly string[] }) {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
