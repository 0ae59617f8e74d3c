// What stands below an agent's tabs: the approvals it waits for, or, while a past moment is shown, why nothing can be decided.

import { Lock } from "lucide-react";

import type { AgentId, ChangeSetId } from "../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../shared/contract/snapshots.ts";
import { AskCard } from "../features/inbox/AskCard.tsx";
import { formatTime } from "../ui/formats.ts";

export interface AgentFootProps {
  readonly live: RunSnapshot;
  /** Of the moment that is shown. */
  readonly shown: RunSnapshot;
  readonly agent: AgentId;
  /** Epoch ms that is shown; `null` while live. */
  readonly moment: number | null;
  readonly isReplaying: boolean;
  /** Questions stand in the transcript while that is shown. */
  readonly hidesQuestions: boolean;
  readonly onReview: (changeset: ChangeSetId) => void;
}

export function AgentFoot({ live, shown, agent, moment, isReplaying, hidesQuestions, onReview }: AgentFootProps) {
  if (isReplaying)
    return (
      <div className="locked">
        <Lock size={14} aria-hidden="true" />
        <div>
          {shown.approvals
            .filter((one) => one.agent === agent)
            .map(({ id, summary, since }) => (
              <p key={id} className="locked-ask">
                It waited for you: {summary}, since {formatTime(since)}.
              </p>
            ))}
          <p>
            {moment !== null && `As it stood at ${formatTime(moment)}. `}Nothing can be decided here.
            {live.status !== "stopped" && " The run itself goes on."}
          </p>
        </div>
      </div>
    );
  // A run that has stopped may still ask: for the review of its branch, or of a change set that is held.
  const asks = live.approvals.filter((one) => one.agent === agent && !(hidesQuestions && one.kind === "question"));
  if (asks.length === 0) return null;
  return (
    <div className="asked">
      {asks.map((approval) => (
        <AskCard key={approval.id} ask={{ approval, run: live }} isRoomy={false} onReview={onReview} />
      ))}
    </div>
  );
}
