// What the lead has delegated as of the moment that is shown: to whom, how it stands, and what came of it, a line each.

import { useState } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { type Account, hasEnded, viewRun } from "../subagents.ts";
import { AgentLink } from "./AgentLink.tsx";

export interface LedgerProps {
  readonly snapshot: RunSnapshot;
  readonly onSelect: (agent: AgentId) => void;
}

/** Delegations shown before all are asked for: the newest. */
const shownFirst = 8;

export function Ledger({ snapshot, onSelect }: LedgerProps) {
  const [isOpen, setOpen] = useState(false);
  const { subagents } = snapshot;
  if (subagents.length === 0) return null;
  const { accounts } = viewRun(snapshot);
  const shown = isOpen ? subagents : subagents.slice(-shownFirst);
  const hiddenCount = subagents.length - shown.length;
  return (
    <section className="passage" aria-label="Delegation ledger">
      <h3>
        Delegated{" "}
        <span className="push fig">
          {subagents.filter(hasEnded).length} of {subagents.length} ended
        </span>
      </h3>
      {hiddenCount > 0 && (
        <button type="button" className="link" onClick={() => setOpen(true)}>
          Show {hiddenCount} earlier
        </button>
      )}
      <ul className="ledger">
        {shown.map((subagent) => (
          <Delegation key={subagent.id} subagent={subagent} account={accounts.get(subagent.id)} onSelect={onSelect} />
        ))}
      </ul>
    </section>
  );
}

interface DelegationProps extends Pick<LedgerProps, "onSelect"> {
  readonly subagent: SubagentSnapshot;
  readonly account: Account | undefined;
}

function Delegation({ subagent: { id, role, title, replaces }, account, onSelect }: DelegationProps) {
  const says = account?.says ?? "";
  const outcome = [replaces === undefined ? "" : `in the place of ${replaces}`, says].filter((part) => part !== "");
  return (
    <li>
      <p className="ledger-line">
        <span className="one" title={title}>
          {title}
        </span>
        {account !== undefined && <Mark shape={account.shape} word={account.word} />}
      </p>
      <p className="ledger-line faint">
        <span className="one" title={says}>
          <AgentLink agent={id} onSelect={onSelect} />, {role}
          {outcome.length > 0 && `: ${outcome.join(", ")}`}
        </span>
      </p>
    </li>
  );
}
