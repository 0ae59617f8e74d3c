// What is known of the selected agent: who it is and how it stands, and five tabs about it. Transcript and decision come from
// outside, since other features draw them.

import type { ReactNode } from "react";

import type { AgentId, ChangeSetId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { countOf } from "../../ui/formats.ts";
import { useNow } from "../../ui/useNow.ts";
import { describeLead, describeLeadUsage, describeTime, describeUsage, viewRun } from "../subagents.ts";
import { ChangesTab } from "./ChangesTab.tsx";
import { Overview } from "./Overview.tsx";
import { PacketTab } from "./PacketTab.tsx";
import { ResultTab } from "./ResultTab.tsx";

export interface InspectorProps {
  /** Of the moment that is shown. */
  readonly snapshot: RunSnapshot;
  readonly agent: AgentId;
  /** Ordinal that is replayed; `null` while live. */
  readonly at: number | null;
  /** Epoch ms of that moment. */
  readonly moment: number | null;
  readonly transcript: ReactNode;
  /** Below the tabs: what waits for the person, or why nothing can be decided. */
  readonly foot: ReactNode;
  readonly tab: TabName;
  readonly onTab: (tab: TabName) => void;
  readonly onSelect: (agent: AgentId) => void;
  /** Opens the review of a change set; `null` while nothing can be decided. */
  readonly onReview: ((changeset: ChangeSetId) => void) | null;
}

export type TabName = "overview" | "packet" | "transcript" | "changes" | "result";

const panelId = "inspector-panel";

export function Inspector(props: InspectorProps) {
  const { snapshot, agent, at, moment, transcript, foot, tab, onTab, onSelect, onReview } = props;
  const changesets = changeSetsOf(snapshot, agent);
  return (
    <aside
      className="inspector"
      aria-label="Inspector"
      data-region="inspector"
      data-replaying={at !== null}
      tabIndex={-1}
    >
      <Head snapshot={snapshot} agent={agent} moment={moment} />
      <Tabs
        label="About this agent"
        panelId={panelId}
        selected={tab}
        onSelect={onTab}
        tabs={[
          { name: "overview", label: "Overview", count: null },
          { name: "packet", label: agent === "lead" ? "Task" : "Packet", count: null },
          { name: "transcript", label: "Transcript", count: null },
          { name: "changes", label: "Changes", count: changesets.length > 0 ? changesets.length : null },
          { name: "result", label: "Result", count: null },
        ]}
      />
      <div className="inspector-panel" role="tabpanel" id={panelId} aria-labelledby={`${panelId}-${tab}`}>
        {tab === "overview" && <Overview snapshot={snapshot} agent={agent} at={at} onSelect={onSelect} />}
        {tab === "packet" && <PacketTab run={snapshot.run} agent={agent} onSelect={onSelect} />}
        {tab === "transcript" && transcript}
        {tab === "changes" && (
          <ChangesTab
            run={snapshot.run}
            agent={agent}
            version={snapshot.at}
            at={at}
            known={changesets}
            onReview={onReview}
          />
        )}
        {tab === "result" && <ResultTab run={snapshot.run} agent={agent} version={snapshot.at} at={at} />}
      </div>
      {foot}
    </aside>
  );
}

interface HeadProps {
  readonly snapshot: RunSnapshot;
  readonly agent: AgentId;
  readonly moment: number | null;
}

function Head({ snapshot, agent, moment }: HeadProps) {
  const clock = useNow(1_000);
  const { lead } = snapshot;
  const subagent = snapshot.subagents.find(({ id }) => id === agent);
  const account = subagent === undefined ? undefined : viewRun(snapshot).accounts.get(subagent.id);
  const { shape, word } = account ?? describeLead(snapshot);
  const figures =
    subagent === undefined
      ? [lead.model, ...describeLeadUsage(snapshot), countOf(lead.steps, "step")]
      : [
          subagent.model,
          describeTime(subagent, moment ?? clock),
          ...(subagent.startedAt === null ? [] : describeUsage(subagent)),
          `step ${subagent.steps} of ${subagent.maxSteps}`,
        ];
  return (
    <header className="inspector-head">
      <p className="inspector-who">
        <RoleName role={subagent?.role ?? "lead"} />
        <span className="faint one">{agent === "lead" ? "sends the subagents" : agent}</span>
        <Mark shape={shape} word={word} />
      </p>
      <h2>{subagent?.title ?? snapshot.title}</h2>
      <p className="inspector-figures fig">
        {figures.map((figure, at) => (
          // Figures stand in a fixed order, the model's name first, and two may be equal.
          <span key={at} className={at === 0 ? "one" : undefined}>
            {figure}
          </span>
        ))}
      </p>
    </header>
  );
}

/** Change sets of an agent that the snapshot knows of: waiting, or landed. Newest first. */
function changeSetsOf({ approvals, landed }: RunSnapshot, agent: AgentId): readonly ChangeSetId[] {
  const waiting = approvals.flatMap((one) =>
    one.agent === agent && one.changeset !== undefined ? [one.changeset] : [],
  );
  const done = landed.flatMap((one) => (one.agent === agent ? [one.changeset] : []));
  return [...new Set([...waiting, ...done.toReversed()])];
}
