// Every open approval of every run, the longest wait first, and the chosen one beside it. j and k walk, a and x decide the row
// in focus, Enter opens what must be looked at first. Below them, what was decided today.

import { useEffect, useState } from "react";
import type { KeyboardEvent } from "react";

import type { AgentId, ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { useTopic } from "../../client/Client.tsx";
import { Key } from "../../ui/Key.tsx";
import { Mark } from "../../ui/Mark.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Tabs } from "../../ui/Tabs.tsx";
import { countOf, formatAge } from "../../ui/formats.ts";
import { revealedText } from "../../ui/terminalText.ts";
import { useNow } from "../../ui/useNow.ts";
import { useAct } from "../useAct.ts";
import { AskCard } from "./AskCard.tsx";
import { DecidedToday } from "./DecidedToday.tsx";
import { approving, askerOf, countKinds, isYesOrNo, lineOf, rejecting, wordsOf } from "./ask.ts";
import type { Ask } from "./ask.ts";
import { useAsks } from "./useAsks.ts";

const panelId = "inbox-panel";

/** `Change sets`, `Commands`. */
function pluralOf(kind: string): string {
  const word = wordsOf({ kind }).kind;
  return kind === "budget" ? word : `${word}s`;
}

export interface InboxProps {
  readonly onReview: (run: RunId, changeset: ChangeSetId) => void;
  /** `entry`: the event that is shown in the agent's transcript. */
  readonly onOpen: (run: RunId, agent: AgentId, entry?: number) => void;
}

export function Inbox({ onReview, onOpen }: InboxProps) {
  const { asks: all, watched, report, isReading, laterCount } = useAsks();
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted, setKind] = useState("all");
  // A kind of which the last one was decided has no tab any more.
  const kind = all.some(({ approval }) => approval.kind === wanted) ? wanted : "all";
  const asks = kind === "all" ? all : all.filter(({ approval }) => approval.kind === kind);
  const selected = asks.find(({ approval }) => approval.id === chosen) ?? asks[0];
  const runCount = new Set(all.map(({ run }) => run.run)).size;
  return (
    <>
      {watched.map((run) => (
        <RunWatch key={run} run={run} onSnapshot={report} />
      ))}
      <main className="middle inbox" data-region="inbox" tabIndex={-1}>
        <header className="page-head">
          <h1>Inbox</h1>
          <span className="faint">
            {all.length > 0 && `${all.length} open in ${countOf(runCount, "run")}, the longest wait first`}
            {laterCount > 0 && `; ${countOf(laterCount, "more run waits", "more runs wait")}`}
          </span>
          {asks.length > 0 && (
            <span className="push faint" aria-hidden="true">
              <Key name="j" /> <Key name="k" /> move <Key name="a" of="ask.approve" /> <Key name="x" of="ask.reject" />{" "}
              decide <Key name="↵" /> open
            </span>
          )}
        </header>
        {all.length > 0 && (
          <Tabs
            label="Kinds"
            panelId={panelId}
            selected={kind}
            onSelect={setKind}
            tabs={[
              { name: "all", label: "All", count: all.length },
              ...countKinds(all).map(([name, count]) => ({ name, label: pluralOf(name), count })),
            ]}
          />
        )}
        {asks.length > 0 && selected !== undefined && (
          <AskList asks={asks} selected={selected} onChoose={setChosen} onReview={onReview} onOpen={onOpen} />
        )}
        {asks.length === 0 && (isReading ? <Skeleton lines={4} label="The inbox is being read" /> : <NothingOpen />)}
        <DecidedToday onReview={onReview} onOpen={onOpen} />
      </main>
      {selected !== undefined && (
        <aside className="inspector" aria-label="The chosen one" data-region="ask" tabIndex={-1}>
          <AskCard
            key={selected.approval.id}
            ask={selected}
            isRoomy
            onReview={(changeset) => onReview(selected.run.run, changeset)}
          />
          <div className="ask-open">
            <button type="button" className="btn" onClick={() => onOpen(selected.run.run, selected.approval.agent)}>
              Open in run
            </button>
          </div>
        </aside>
      )}
    </>
  );
}

/** Watches a run as long as it is mounted. Draws nothing. */
function RunWatch({ run, onSnapshot }: { readonly run: RunId; readonly onSnapshot: (snapshot: RunSnapshot) => void }) {
  const { snapshot } = useTopic(`run/${run}`);
  useEffect(() => {
    if (snapshot !== null) onSnapshot(snapshot);
  }, [snapshot, onSnapshot]);
  return null;
}

function NothingOpen() {
  return (
    <section className="nothing">
      <Mark shape="done" word="Nothing needs you" />
      <p className="quiet">Change sets to review, commands to allow and questions of every run come together here.</p>
    </section>
  );
}

interface AskListProps extends Pick<InboxProps, "onReview" | "onOpen"> {
  readonly asks: readonly Ask[];
  readonly selected: Ask;
  readonly onChoose: (id: string) => void;
}

function AskList({ asks, selected, onChoose, onReview, onOpen }: AskListProps) {
  const now = useNow(1_000);
  const { act, failure } = useAct();

  function open({ approval, run }: Ask): void {
    if (approval.changeset === undefined) onOpen(run.run, approval.agent);
    else onReview(run.run, approval.changeset);
  }
  function press(event: KeyboardEvent<HTMLElement>): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = asks.indexOf(selected);
    const steps: Readonly<Record<string, number>> = {
      j: at + 1,
      ArrowDown: at + 1,
      k: at - 1,
      ArrowUp: at - 1,
      Home: 0,
      End: asks.length - 1,
    };
    const step = steps[event.key];
    const next = step === undefined ? undefined : asks[Math.min(Math.max(step, 0), asks.length - 1)];
    if (next !== undefined) {
      onChoose(next.approval.id);
      event.currentTarget.querySelector<HTMLElement>(`[data-ask="${next.approval.id}"]`)?.focus();
    } else if (event.key === "Enter") open(selected);
    // A change set is looked at before it is decided.
    else if (event.key === "a")
      void (isYesOrNo(selected.approval) ? act(approving(selected.approval, "once")) : open(selected));
    else if (event.key === "x" && isYesOrNo(selected.approval)) void act(rejecting(selected.approval));
    else return;
    event.preventDefault();
  }

  return (
    <>
      {failure !== null && <Notice title="It could not be decided" message={failure.message} code={failure.code} />}
      <div className="asks" role="listbox" id={panelId} aria-label="Open approvals" tabIndex={-1} onKeyDown={press}>
        {asks.map((ask) => (
          <AskRow key={ask.approval.id} ask={ask} now={now} isSelected={ask === selected} onChoose={onChoose} />
        ))}
      </div>
    </>
  );
}

interface AskRowProps {
  readonly ask: Ask;
  readonly now: number;
  readonly isSelected: boolean;
  readonly onChoose: (id: string) => void;
}

function AskRow({ ask, now, isSelected, onChoose }: AskRowProps) {
  const { approval, run } = ask;
  const { shape, kind } = wordsOf(approval);
  const { role, name } = askerOf(ask);
  return (
    // The list above walks and decides by key for all of its rows.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      className="ask-row"
      role="option"
      aria-selected={isSelected}
      tabIndex={isSelected ? 0 : -1}
      data-ask={approval.id}
      onClick={() => onChoose(approval.id)}
    >
      <span className="ask-what">
        <Mark shape={shape} word={kind} />
        {approval.kind === "command" ? (
          <code>{revealedText(approval.summary)}</code>
        ) : (
          <b>{revealedText(lineOf(approval))}</b>
        )}
      </span>
      <span className="ask-who">
        <RoleName role={role} /> {name !== "Lead" && <span>{name}</span>}
        <span className="faint one">{run.title}</span>
      </span>
      {approval.why !== undefined && <span className="ask-why one">{approval.why}</span>}
      <span className="ask-age fig">{formatAge(approval.since, now)}</span>
    </div>
  );
}
