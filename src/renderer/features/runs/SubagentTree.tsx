// Who works on the run: the lead, and under it every subagent in the order of creation. A tree of which arrow keys walk the rows.

import { useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";

import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { formatCount, formatDuration } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { RoleName } from "./RoleName.tsx";
import { describeSnapshot, describeSubagent, explainSubagent, relateSubagent } from "./standing.ts";

export function SubagentTree({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const { subagents, approvals } = snapshot;
  const [isOpen, setIsOpen] = useState(true);
  const [reached, setReached] = useState("lead");
  const now = useNow(1_000);
  const asking = new Set<string>(approvals.map(({ agent }) => agent));
  const shown = isOpen ? subagents : [];

  function walk(event: KeyboardEvent<HTMLElement>): void {
    if (event.key === "ArrowLeft" && reached === "lead") setIsOpen(false);
    else if (event.key === "ArrowRight" && reached === "lead" && !isOpen) setIsOpen(true);
    else if (!focusRow(event, shown.findIndex(({ id }) => id === reached) + 1)) return;
    event.preventDefault();
  }

  return (
    <section className="agents" aria-labelledby="agents-title">
      <div className="agent-columns">
        <h2 id="agents-title">Agents</h2>
        <span aria-hidden="true">Steps</span>
        <span aria-hidden="true">Tokens</span>
        <span aria-hidden="true">Time</span>
      </div>
      <div className="agents-tree" role="tree" aria-labelledby="agents-title" tabIndex={-1} onKeyDown={walk}>
        <Row
          id="lead"
          level={1}
          isOpen={subagents.length > 0 ? isOpen : null}
          isReached={reached === "lead"}
          onReach={setReached}
        >
          <LeadCells snapshot={snapshot} />
        </Row>
        {shown.map((subagent) => (
          <Row
            key={subagent.id}
            id={subagent.id}
            level={2}
            isOpen={null}
            isReached={reached === subagent.id}
            onReach={setReached}
          >
            <SubagentCells subagent={subagent} asking={asking} now={now} />
          </Row>
        ))}
      </div>
    </section>
  );
}

interface RowProps {
  readonly id: string;
  readonly level: 1 | 2;
  /** `null`: nothing to open. */
  readonly isOpen: boolean | null;
  readonly isReached: boolean;
  readonly onReach: (id: string) => void;
  readonly children: ReactNode;
}

function Row({ id, level, isOpen, isReached, onReach, children }: RowProps) {
  const opens = isOpen === null ? {} : { "aria-expanded": isOpen };
  return (
    <div
      className="agent"
      role="treeitem"
      aria-level={level}
      aria-selected={false}
      {...opens}
      tabIndex={isReached ? 0 : -1}
      onFocus={() => onReach(id)}
      data-agent={id}
    >
      {children}
    </div>
  );
}

function LeadCells({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const { lead, status } = snapshot;
  const isOver = status === "stopped" || status === "imported";
  return (
    <>
      <span className="agent-who">
        <RoleName role="lead" />
        <span className="agent-model faint">{lead.model}</span>
      </span>
      <span className="agent-state">
        <Mark {...describeSnapshot(snapshot)} />
      </span>
      {!isOver && <span className="agent-why">{lead.waitingFor?.sentence ?? lead.activity}</span>}
      <Figure of="steps" value={String(lead.steps)} />
    </>
  );
}

interface SubagentCellsProps {
  readonly subagent: SubagentSnapshot;
  readonly asking: ReadonlySet<string>;
  readonly now: number;
}

function SubagentCells({ subagent, asking, now }: SubagentCellsProps) {
  const { id, role, title, model, steps, maxSteps, inputTokens, outputTokens, startedAt, endedAt, status } = subagent;
  const why = explainSubagent(subagent);
  const relation = relateSubagent(subagent);
  return (
    <>
      <span className="agent-who">
        <RoleName role={role} /> <code>{id}</code>
        <span className="agent-model faint">{model}</span>
      </span>
      <span className="agent-state">
        <Mark {...describeSubagent(subagent, asking)} />
      </span>
      <span className="agent-title">
        {title} {relation !== "" && <span className="agent-relation">{relation}</span>}
      </span>
      {why !== null && <span className={status === "failed" ? "agent-why bad" : "agent-why"}>{why}</span>}
      <Figure of="steps" value={`${steps} of ${maxSteps}`} />
      <Figure of="tokens" value={formatCount(inputTokens + outputTokens)} />
      <Figure
        of="time"
        value={startedAt === null ? "not started" : formatDuration((endedAt ?? Math.max(now, startedAt)) - startedAt)}
      />
    </>
  );
}

/** A number under its column's heading; the heading's word again for whoever hears the row instead of seeing the column. */
function Figure({ of, value }: { readonly of: "steps" | "tokens" | "time"; readonly value: string }) {
  return (
    <span className="agent-figure" data-of={of}>
      {value}
      <span className="heard"> {of}</span>
    </span>
  );
}

/** Moves the focus as `key` says, from the row at `at`. `false` when the key does not walk. */
function focusRow({ key, currentTarget }: KeyboardEvent<HTMLElement>, at: number): boolean {
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[role="treeitem"]')];
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    ArrowLeft: 0,
    Home: 0,
    End: rows.length - 1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  rows[Math.min(Math.max(target, 0), rows.length - 1)]?.focus();
  return true;
}
