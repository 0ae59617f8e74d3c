// The run in two rows: its title, how it stands and what can be done with it; from where to where, and what it took. While a
// past moment is shown, the first row is the replay's and nothing can be done.

import { ArrowRight } from "lucide-react";
import { memo, useState } from "react";
import type { ReactNode } from "react";

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { countOf, formatCount, formatDuration } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { isOver } from "../isOver.ts";
import { MovedRepository } from "../MovedRepository.tsx";
import { useAct } from "../useAct.ts";
import { BudgetBar } from "./BudgetBar.tsx";
import { RunControls } from "./RunControls.tsx";
import type { RunControlsProps } from "./RunControls.tsx";
import { RunTitle } from "./RunTitle.tsx";
import { describeSnapshot } from "./standing.ts";

export interface RunHeaderProps extends Omit<RunControlsProps, "snapshot" | "work" | "onRename"> {
  /** Of the moment that is shown. */
  readonly snapshot: RunSnapshot;
  /** What stands in the first row's place while replaying; `null` while live. */
  readonly banner: ReactNode;
  /** Epoch ms of the moment that is shown; `null` while live. */
  readonly moment: number | null;
}

export function RunHeader({ snapshot, banner, moment, ...acts }: RunHeaderProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  const work = useAct();
  const { base, target, subagents, approvals, usage } = snapshot;
  const mark = <Mark {...describeSnapshot(snapshot)} />;
  return (
    <header className="head">
      {banner ?? (
        <div className="head-row">
          <RunTitle snapshot={snapshot} isRenaming={isRenaming} onDone={() => setIsRenaming(false)} />
          {mark}
          <span className="faint head-count">
            {[
              ...(approvals.length > 0 ? [countOf(approvals.length, "approval")] : []),
              ...(subagents.length > 0 ? [countOf(subagents.length, "subagent")] : []),
            ].join(", ")}
          </span>
          <RunControls snapshot={snapshot} work={work} onRename={() => setIsRenaming(true)} {...acts} />
        </div>
      )}
      <div className="head-facts">
        {banner !== null && mark}
        <Branches branch={base.branch} commit={base.commit} target={target} />
        <BudgetBar snapshot={snapshot} />
        <span className="fig head-tokens">{formatCount(usage.inputTokens + usage.outputTokens)} tokens</span>
        <Elapsed snapshot={snapshot} moment={moment} />
      </div>
      {banner === null && work.failure?.code === "REPOSITORY_MOVED" && (
        <div className="head-moved">
          <Notice title="It cannot go on where it was" message={work.failure.message} code={work.failure.code} />
          <MovedRepository
            run={snapshot.run}
            failure={work.failure}
            onFound={() => void work.act({ type: "resume", run: snapshot.run })}
          />
        </div>
      )}
    </header>
  );
}

interface BranchesProps {
  readonly branch: string | null;
  readonly commit: string;
  readonly target: string;
}

/** From where to where the run's work goes: the same for as long as it lasts. */
const Branches = memo(function Branches({ branch, commit, target }: BranchesProps) {
  return (
    <span className="branches">
      <code>{branch ?? "detached"}</code> <code className="faint">{commit.slice(0, 7)}</code>
      <ArrowRight size={13} role="img" aria-label="to" />
      <code className="one" title={target}>
        {target}
      </code>
    </span>
  );
});

interface ElapsedProps {
  readonly snapshot: RunSnapshot;
  readonly moment: number | null;
}

/** From its beginning to its stop: what happens to it afterwards took none of its time. */
function Elapsed({ snapshot: { createdAt, updatedAt, stoppedAt, status }, moment }: ElapsedProps) {
  const now = useNow(1_000);
  const until = moment ?? stoppedAt ?? (isOver({ status }) ? updatedAt : Math.max(now, updatedAt));
  return <span className="fig">{formatDuration(Math.max(0, until - createdAt))}</span>;
}
