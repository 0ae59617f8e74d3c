// What stands below an agent's tabs: the approvals it waits for, or, while a past moment is shown, why nothing can be decided.

import { Lock } from "lucide-react";

import type { AgentId, ChangeSetId } from "../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../shared/contract/snapshots.ts";
import { AskCard } from "../features/inbox/AskCard.tsx";
import { formatTime } from "../ui/formats.ts";

export interface AgentFootProps {
  readonly live: RunSnapshot;
  readonly agent: AgentId;
  /** Epoch ms that is shown; `null` while live. */
  readonly moment: number | null;
  readonly isReplaying: boolean;
  readonly onReview: (changeset: ChangeSetId) => void;
}

export function AgentFoot({ live, agent, moment, isReplaying, onReview }: AgentFootProps) {
  if (isReplaying)
    return (
      <p className="locked">
        <Lock size={14} aria-hidden="true" />
        <span>
          {moment !== null && `As it stood at ${formatTime(moment)}. `}Nothing can be decided here. The run itself goes
          on.
        </span>
      </p>
    );
  if (live.status === "stopped") return null;
  const asks = live.approvals.filter((approval) => approval.agent === agent);
  if (asks.length === 0) return null;
  return (
    <div className="asked">
      {asks.map((approval) => (
        <AskCard key={approval.id} ask={{ approval, run: live }} onReview={onReview} />
      ))}
    </div>
  );
}
