// Where an agent works, shown in the file manager or opened in the person's editor; in a browser, which may stand on another
// machine, there is nothing to show.

import { FolderOpen, SquareArrowOutUpRight } from "lucide-react";
import { useState } from "react";

import type { HostCall } from "../../shared/contract/host.ts";
import type { AgentId, RunId } from "../../shared/contract/ids.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { useCallHost, useHost } from "../client/Client.tsx";

export interface PlaceActsProps {
  readonly run: RunId;
  /** `null`: the repository's own checkout. */
  readonly agent: AgentId | null;
}

export function PlaceActs({ run, agent }: PlaceActsProps) {
  const host = useHost();
  const callHost = useCallHost();
  const [failure, setFailure] = useState<Failure | null>(null);
  const can = host?.can ?? [];
  if (!can.includes("reveal")) return null;
  async function call(asked: HostCall): Promise<void> {
    const answer = await callHost(asked);
    setFailure(answer.ok ? null : answer.error);
  }
  return (
    <div className="place-acts">
      {can.includes("openInEditor") && (
        <button type="button" className="btn" onClick={() => void call({ kind: "openInEditor", run, agent })}>
          <SquareArrowOutUpRight size={13} aria-hidden="true" /> Open in {host?.editor}
        </button>
      )}
      <button type="button" className="btn" onClick={() => void call({ kind: "reveal", run, agent })}>
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
