// The open questions of a run: what is asked, by whom, since when, and the command that decides it.

import type { ApprovalSnapshot } from "../../../shared/contract/snapshots.ts";
import { CommandLine } from "../../ui/CommandLine.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { formatAge } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { decidingCommands, nameApproval } from "./standing.ts";

export function Approvals({ approvals }: { readonly approvals: readonly ApprovalSnapshot[] }) {
  if (approvals.length === 0) return null;
  return (
    <section className="approvals" aria-label={`Open approvals, ${approvals.length}`}>
      {approvals.map((approval) => (
        <Approval key={approval.id} approval={approval} />
      ))}
    </section>
  );
}

function Approval({ approval }: { readonly approval: ApprovalSnapshot }) {
  const { kind, agent, summary, since } = approval;
  const now = useNow(1_000);
  const commands = decidingCommands(approval);
  return (
    <article className="approval">
      <h3>
        <Mark shape={kind === "changeset" ? "ready" : "needs-you"} word={nameApproval(kind)} />
        <span className="approval-since fig">{formatAge(since, now)}</span>
      </h3>
      <p className="approval-summary">{summary}</p>
      <p className="faint small">
        Asked by {agent === "lead" ? "the lead" : agent}. Decide in a terminal
        {commands.length > 1 ? " with one of" : ""}:
      </p>
      {commands.map((command) => (
        <CommandLine key={command} command={command} />
      ))}
    </article>
  );
}
