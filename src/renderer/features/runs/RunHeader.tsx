// The run in two lines: its title and how it stands; from where to where, and what it took.

import { ArrowRight } from "lucide-react";

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { countOf, formatCount, formatDuration, formatMoney } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { describeSnapshot } from "./standing.ts";

export function RunHeader({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const { title, base, target, subagents, approvals, usage, costUsd } = snapshot;
  const { shape, word } = describeSnapshot(snapshot);
  return (
    <header className="head">
      <div className="head-row">
        <h1 id="run-title">{title}</h1>
        <Mark shape={shape} word={word} />
        <span className="faint">
          {approvals.length > 0 && `${countOf(approvals.length, "approval")}, `}
          {countOf(subagents.length, "subagent")}
        </span>
      </div>
      <div className="head-row quiet">
        <span className="branches">
          <code>{base.branch ?? "detached"}</code> <code className="faint">{base.commit.slice(0, 7)}</code>
          <ArrowRight size={13} role="img" aria-label="to" />
          <code>{target}</code>
        </span>
        <span className="push">{costUsd === null ? "cost unknown" : formatMoney(costUsd)}</span>
        <span>{formatCount(usage.inputTokens + usage.outputTokens)} tokens</span>
        <Elapsed snapshot={snapshot} />
      </div>
    </header>
  );
}

function Elapsed({ snapshot: { createdAt, updatedAt, status } }: { readonly snapshot: RunSnapshot }) {
  const now = useNow(1_000);
  const isOver = status === "stopped" || status === "imported" || status === "quarantined" || status === "interrupted";
  return <span>{formatDuration((isOver ? updatedAt : Math.max(now, updatedAt)) - createdAt)}</span>;
}
