// What of a run waits for the person: each open approval, and the run itself where nobody drives it. With the command for it.

import type { ApprovalSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { CommandLine } from "../../ui/CommandLine.tsx";
import { formatAge } from "../../ui/formats.ts";
import { Mark } from "../../ui/Mark.tsx";
import { useNow } from "../../ui/useNow.ts";
import { continuingCommand, nameApproval } from "./standing.ts";

export function Approvals({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const { approvals, status } = snapshot;
  const command = continuingCommand(snapshot);
  const open = status === "stopped" ? [] : approvals;
  if (open.length === 0 && command === null) return null;
  return (
    <section aria-label="Needs you">
      {open.map((approval) => (
        <Approval key={approval.id} approval={approval} />
      ))}
      {command !== null && <Continue command={command} />}
    </section>
  );
}

function Approval({ approval: { id, kind, agent, summary, since } }: { readonly approval: ApprovalSnapshot }) {
  const now = useNow(1_000);
  return (
    <article className="approval">
      <h2>
        <Mark shape={kind === "changeset" ? "ready" : "needs-you"} word={nameApproval(kind)} />
        <span className="approval-since fig">{formatAge(since, now)}</span>
      </h2>
      <p className="approval-summary">{summary}</p>
      <p className="quiet small">Asked by {agent === "lead" ? "the lead" : agent}. Decide in a terminal:</p>
      <CommandLine command={`coppice approve ${id}`} />
      <CommandLine command={`coppice reject ${id}`} />
    </article>
  );
}

function Continue({ command }: { readonly command: string }) {
  return (
    <article className="approval">
      <h2>
        <Mark shape="needs-you" word="Nobody drives this run" />
      </h2>
      <p className="quiet small">It stands where it was left. Go on in a terminal:</p>
      <CommandLine command={command} />
    </article>
  );
}
