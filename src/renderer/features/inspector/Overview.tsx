// How an agent stands and why, and what it has noted; for the lead the run's own answer, plan, ledger, notepad, landings and particulars.

import type { ReactNode } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { NotepadPage } from "../../../shared/contract/runPages.ts";
import type { LandingSnapshot, RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { Conflicts } from "./Conflicts.tsx";
import { CodeLines, FactList } from "./FactList.tsx";
import { verificationWords } from "./resultWords.ts";
import { Mark } from "../../ui/Mark.tsx";
import { Markdown } from "../../ui/Markdown.tsx";
import { Ticked } from "../../ui/Ticked.tsx";
import { formatCount, formatMoment, formatMoney, formatTime } from "../../ui/formats.ts";
import { describeStop } from "../isOver.ts";
import { PlaceActs } from "../PlaceActs.tsx";
import { viewRun } from "../subagents.ts";
import { ScrollBox } from "../../ui/ScrollBox.tsx";
import { AgentLink } from "./AgentLink.tsx";
import { KeptWork } from "./KeptWork.tsx";
import { Ledger } from "./Ledger.tsx";
import { Notepad } from "./Notepad.tsx";
import { PageState } from "../../ui/PageState.tsx";
import { Plan } from "./Plan.tsx";
import { useHeldPage } from "./useHeldPage.ts";

export interface OverviewProps {
  readonly snapshot: RunSnapshot;
  readonly agent: AgentId;
  /** Ordinal that is replayed; `null` while live. */
  readonly at: number | null;
  readonly onSelect: (agent: AgentId) => void;
}

export function Overview({ snapshot, agent, at, onSelect }: OverviewProps) {
  const subagent = snapshot.subagents.find(({ id }) => id === agent);
  const { run } = snapshot;
  const moment = at === null ? {} : { upTo: at };
  const { body, failure } = useHeldPage({ kind: "notepad", run, ...moment }, snapshot.at, run);
  const { plan, conflicts, notes, noteCount } = body ?? nothingNoted;
  const isOpen = at === null && !["stopped", "imported", "quarantined"].includes(snapshot.status);
  // Below the tabs they stand with their decision.
  const isAsked = at === null && snapshot.approvals.some(({ kind }) => kind === "reconcile");
  const own = notes.filter((note) => note.agent === agent && note.by === null);
  return (
    <ScrollBox className="inspector-scroll" label="Overview">
      {subagent === undefined ? (
        <LeadOverview snapshot={snapshot}>
          {failure !== null && body === null && (
            <PageState failure={failure} reading="The notepad is being read" lost="The notepad could not be read" />
          )}
          <Conflicts
            conflicts={isAsked ? [] : conflicts}
            isStopped={snapshot.status === "stopped"}
            onSelect={onSelect}
          />
          <Plan plan={plan} conflicts={conflicts} onSelect={onSelect} />
          <Ledger snapshot={snapshot} onSelect={onSelect} />
          {/* That nothing is noted is said once it is known. */}
          {body !== null && (
            <Notepad notes={notes} noteCount={noteCount} open={isOpen ? run : null} onSelect={onSelect} />
          )}
        </LeadOverview>
      ) : (
        <>
          <SubagentOverview snapshot={snapshot} subagent={subagent} onSelect={onSelect} />
          {at === null && subagent.endedAt !== null && subagent.status !== "completed" && (
            <KeptWork run={run} agent={agent} endedAt={subagent.endedAt} updatedAt={snapshot.updatedAt} />
          )}
          <Notepad notes={own} noteCount={own.length} open={null} onSelect={onSelect} />
        </>
      )}
      <Landings landed={snapshot.landed.filter((landing) => subagent === undefined || landing.agent === agent)} />
    </ScrollBox>
  );
}

const nothingNoted: NotepadPage = { plan: [], conflicts: [], notes: [], noteCount: 0 };

/** `children`: what belongs between the task and the run's particulars. */
function LeadOverview({ snapshot, children }: { readonly snapshot: RunSnapshot; readonly children: ReactNode }) {
  const { run, repo, task, answer, partial, createdAt, stopReason, stopFailure, usage, at, lead, forkedFrom } =
    snapshot;
  return (
    <>
      {stopFailure !== undefined && (
        <section className="passage">
          <h3>Why it stopped</h3>
          <p className="prose bad">
            <Ticked text={stopFailure.sentence} /> <code>{stopFailure.code}</code>
          </p>
        </section>
      )}
      {answer !== null && answer !== "" && (
        <section className="passage">
          <h3>Answer {partial && <span className="faint">in part: the run ended before the work did</span>}</h3>
          <Markdown text={answer} />
        </section>
      )}
      <section className="passage">
        <h3>Task</h3>
        <Markdown text={task} />
      </section>
      {children}
      <section className="passage">
        <h3>Run</h3>
        <FactList
          rows={[
            ["Waits", lead.waitingFor === undefined ? null : <Ticked key="waits" text={lead.waitingFor.sentence} />],
            ["Id", <code key="id">{run}</code>],
            ["Repository", <code key="repo">{repo}</code>],
            ["Forked from", forkedFrom === undefined ? null : `${forkedFrom.run}, event ${forkedFrom.at}`],
            ["Started", formatMoment(createdAt)],
            ["Ended", stopReason === null ? null : describeStop(stopReason)],
            [
              "Requests",
              `${usage.requests}, ${formatCount(usage.inputTokens)} tokens in (${formatCount(usage.cachedTokens)} cached), ${formatCount(usage.outputTokens)} out`,
            ],
            ["As of", `event ${at}`],
          ]}
        />
        <PlaceActs run={run} agent={null} />
      </section>
    </>
  );
}

interface SubagentOverviewProps extends Pick<OverviewProps, "snapshot" | "onSelect"> {
  readonly subagent: SubagentSnapshot;
}

function SubagentOverview({ snapshot, subagent, onSelect }: SubagentOverviewProps) {
  const { id, dependsOn, replaces, code, verification, inputTokens, outputTokens, costMicros, held } = subagent;
  const account = viewRun(snapshot).accounts.get(id);
  const needed = snapshot.subagents.filter((other) => other.dependsOn.some((one) => one.id === id));
  const links = (ids: readonly AgentId[]) =>
    ids.map((one, at) => (
      <span key={one}>
        {at > 0 && ", "}
        <AgentLink agent={one} onSelect={onSelect} />
      </span>
    ));
  return (
    <>
      {account !== undefined && account.says !== "" && (
        <section className="passage">
          <h3>{held === undefined ? "Now" : "Held"}</h3>
          <p className={account.shape === "failed" ? "prose bad" : "prose"}>{account.says}</p>
        </section>
      )}
      <section className="passage">
        <h3>Standing</h3>
        <FactList
          rows={[
            ["Sent by", <AgentLink key="lead" agent="lead" onSelect={onSelect} />],
            ["After", links(dependsOn.map((one) => one.id))],
            ["Before", links(needed.map((one) => one.id))],
            ["Replaces", replaces === undefined ? null : links([replaces])],
            ["Replaced by", account?.replacedBy ? links([`subagent-${account.replacedBy}`]) : null],
            ["Code", code === undefined ? null : <code key="code">{code}</code>],
            ["Checks", verificationWords[verification]],
            ["Sent", formatTime(subagent.createdAt)],
            ["Started", subagent.startedAt === null ? null : formatTime(subagent.startedAt)],
            ["Ended", subagent.endedAt === null ? null : formatTime(subagent.endedAt)],
            ["Tokens", `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`],
            ["Cost", costMicros === null ? "unknown: the model's price is not" : formatMoney(costMicros / 1_000_000)],
          ]}
        />
      </section>
    </>
  );
}

function Landings({ landed }: { readonly landed: readonly LandingSnapshot[] }) {
  if (landed.length === 0) return null;
  return (
    <section className="passage" aria-label="Landings">
      <h3>Landings</h3>
      <ul className="landings">
        {landed.map(({ landing, commit, target, files, agent }) => (
          <li key={landing}>
            <p className="landing-line">
              <Mark shape="landed" word="Landed" /> <code>{commit.slice(0, 7)}</code> on <code>{target}</code>
              <span className="faint">{agent}</span>
            </p>
            <CodeLines lines={files} />
          </li>
        ))}
      </ul>
    </section>
  );
}
