// The run as a tree: the lead, under it every subagent with its id as text. The graph's equal: same facts, same selection.
// Use: <RunTree snapshot={snapshot} selected={agent} onSelect={select} />, in a box that scrolls; needs styles/agents.css and
// tree.css. `moment` while replaying. Opened expanded; above 30 nodes what has finished is folded by wave.

import { ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { Mark } from "../../ui/Mark.tsx";
import { RoleName } from "../../ui/RoleName.tsx";
import { useNow } from "../../ui/useNow.ts";
import { describeLead, describeLeadUsage, describeTime, describeUsage, isSubagent, viewRun } from "../subagents.ts";
import type { Account, RunView } from "../subagents.ts";
import { describeGroup } from "./groups.ts";
import { relationOf, treeRows } from "./treeRows.ts";
import type { TreeRow } from "./treeRows.ts";
import { useGraphLayout } from "./useGraphLayout.ts";

export interface RunTreeProps {
  readonly snapshot: RunSnapshot;
  readonly selected: AgentId | null;
  readonly onSelect: (agent: AgentId) => void;
  /** Epoch ms of the moment that is replayed; left out while live. */
  readonly moment?: number;
}

export function RunTree({ snapshot, selected, onSelect, moment }: RunTreeProps) {
  const layout = useGraphLayout(snapshot);
  const view = viewRun(snapshot);
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => treeRows(snapshot.subagents, layout, toggled), [snapshot.subagents, layout, toggled]);
  const [reached, setReached] = useState<string | null>(null);
  const stop = [reached, selected].find((key) => rows.some((row) => row.key === key)) ?? "lead";
  const clock = useNow(1_000);

  function toggle(key: string): void {
    setToggled((before) =>
      before.has(key) ? new Set([...before].filter((each) => each !== key)) : new Set([...before, key]),
    );
  }
  function act({ key }: TreeRow): void {
    if (key.startsWith("wave-")) toggle(key);
    else onSelect(key as AgentId);
  }
  function walk(event: KeyboardEvent<HTMLElement>): void {
    const at = rows.findIndex(({ key }) => key === stop);
    const row = rows[at];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const isFoldKey =
      (event.key === "ArrowRight" && row.isOpen === false) || (event.key === "ArrowLeft" && row.isOpen === true);
    if (isFoldKey) toggle(row.key);
    else if (event.key === "Enter" || event.key === " ") act(row);
    else if (!focusRow(event, rows, at)) return;
    event.preventDefault();
  }

  return (
    <div className="tree" role="tree" aria-label="Agents" tabIndex={-1} onKeyDown={walk}>
      {rows.map((row) => (
        // The tree around it walks and selects by key for all of its rows.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={row.key}
          className="tree-row"
          role="treeitem"
          aria-level={row.level}
          aria-posinset={row.position}
          aria-setsize={row.size}
          aria-selected={row.key === selected}
          {...(row.isOpen === null ? {} : { "aria-expanded": row.isOpen })}
          tabIndex={row.key === stop ? 0 : -1}
          data-row={row.key}
          onFocus={() => setReached(row.key)}
          onClick={() => act(row)}
        >
          <RowCells row={row} snapshot={snapshot} view={view} now={moment ?? clock} />
        </div>
      ))}
    </div>
  );
}

interface RowCellsProps {
  readonly row: TreeRow;
  readonly snapshot: RunSnapshot;
  readonly view: RunView;
  readonly now: number;
}

function RowCells({ row: { key, members, isOpen }, snapshot, view, now }: RowCellsProps) {
  if (members.length > 0) return <GroupCells name={key} members={members} isOpen={isOpen === true} />;
  const subagent = view.byId.get(key);
  const account = view.accounts.get(key);
  if (subagent === undefined || account === undefined) return <LeadCells snapshot={snapshot} />;
  return <SubagentCells subagent={subagent} account={account} now={now} />;
}

function LeadCells({ snapshot }: { readonly snapshot: RunSnapshot }) {
  const { shape, word, says } = describeLead(snapshot);
  return (
    <Cells
      who={<RoleName role="lead" />}
      id="lead"
      mark={<Mark shape={shape} word={word} />}
      title={snapshot.title}
      says={says}
      figures={["", ...describeLeadUsage(snapshot)]}
      model={snapshot.lead.model}
    />
  );
}

interface SubagentCellsProps {
  readonly subagent: SubagentSnapshot;
  readonly account: Account;
  readonly now: number;
}

function SubagentCells({ subagent, account, now }: SubagentCellsProps) {
  const { id, role, title, model, startedAt } = subagent;
  return (
    <Cells
      who={<RoleName role={role} />}
      id={id}
      mark={<Mark shape={account.shape} word={account.word} />}
      title={title}
      relation={relationOf(subagent, account.replacedBy)}
      says={account.says}
      isBad={account.shape === "failed"}
      figures={[describeTime(subagent, now), ...(startedAt === null ? [] : describeUsage(subagent))]}
      model={model}
    />
  );
}

interface CellsProps {
  readonly who: ReactNode;
  readonly id: AgentId;
  readonly mark: ReactNode;
  readonly title: string;
  readonly relation?: string;
  readonly says: string;
  readonly isBad?: boolean;
  /** Time, tokens, cost. */
  readonly figures: readonly string[];
  readonly model: string;
}

function Cells({ who, id, mark, title, relation = "", says, isBad = false, figures, model }: CellsProps) {
  const [time = "", tokens = "", cost = ""] = figures;
  return (
    <>
      <span className="tree-who">
        {who} {isSubagent(id) && <code>{id}</code>}
      </span>
      <span className="tree-title one" title={title}>
        {title}
        {relation !== "" && <span className="tree-relation"> {relation}</span>}
      </span>
      <span className="tree-state">{mark}</span>
      <span className={isBad ? "tree-says one bad" : "tree-says one"}>{says}</span>
      <span className="tree-figure">{time}</span>
      <span className="tree-figure">
        {tokens}
        {tokens !== "" && <span className="heard"> tokens</span>}
      </span>
      <span className="tree-figure">{cost}</span>
      <span className="tree-model one">{model}</span>
    </>
  );
}

interface GroupCellsProps {
  /** `wave-0` is the first wave. */
  readonly name: string;
  readonly members: readonly SubagentSnapshot[];
  readonly isOpen: boolean;
}

function GroupCells({ name, members, isOpen }: GroupCellsProps) {
  return (
    <span className="tree-group">
      <ChevronRight size={13} aria-hidden="true" data-open={isOpen} />
      <b>Wave {Number(name.slice("wave-".length)) + 1}</b> <Mark shape="done" word="Finished" />{" "}
      {describeGroup(members)}
    </span>
  );
}

/** Moves the focus as the key says. `false` when it does not walk. */
function focusRow({ key, currentTarget }: KeyboardEvent<HTMLElement>, rows: readonly TreeRow[], at: number): boolean {
  const parent = rows.findLastIndex((row, index) => index < at && row.level < (rows[at]?.level ?? 1));
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowLeft: Math.max(0, parent),
    Home: 0,
    End: rows.length - 1,
  };
  const target = targets[key];
  if (target === undefined) return false;
  const row = rows[Math.min(Math.max(target, 0), rows.length - 1)];
  currentTarget.querySelector<HTMLElement>(`[data-row="${row?.key ?? "lead"}"]`)?.focus();
  return true;
}
