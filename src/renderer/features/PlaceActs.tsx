// Where an agent works, shown in the file manager or opened in the person's editor; in a browser, which may stand on another
// machine, there is nothing to show.

import { FolderOpen } from "lucide-react";
import { useState } from "react";

import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { useCallHost, useHost } from "../client/Client.tsx";
import { OpenInEditor } from "./OpenInEditor.tsx";

export interface PlaceActsProps {
  readonly run: RunId;
  /** `null`: the repository's own checkout. */
  readonly agent: AgentId | null;
}

export function PlaceActs({ run, agent }: PlaceActsProps) {
  const host = useHost();
  const callHost = useCallHost();
  const [failure, setFailure] = useState<Failure | null>(null);
  if (host?.can.includes("reveal") !== true) return null;
  async function reveal(): Promise<void> {
    const answer = await callHost({ kind: "reveal", run, agent });
    setFailure(answer.ok ? null : answer.error);
  }
  return (
    <div className="place-acts">
      <OpenInEditor place={{ run, agent }} onAnswer={setFailure} />
      <button type="button" className="btn" onClick={() => void reveal()}>
        <FolderOpen size={13} aria-hidden="true" /> Show folder
      </button>
      {failure !== null && (
        <p className="bad small" role="alert">
          {failure.message}
        </p>
      )}
    </div>
  );
}
