// Rows that people and other processes query without folding: what each event does to them.
// A fold rebuilds every one of them; a check proves fold and rows equal. No row depends on an ordinal or a hash.

import type { AgentId, ChangeSetId } from "../../../shared/contract/ids.ts";
import type { EventType, RunEvent } from "../events.ts";
import { evolve } from "../evolve.ts";
import { type ApprovalState, findChangeSet, findNode, type LandingState, type RunState } from "../state.ts";
import {
  approvalRow,
  budgetRows,
  changeSetRow,
  childRow,
  effectRows,
  evidenceRows,
  handoffRow,
  landingRow,
  rootRow,
  worktreeRows,
} from "./rows.ts";

/** The tables that follow from events alone. Columns are listed in `store/migrations/001.ts`. */
export type ProjectedTable =
  | "runs"
  | "handoffs"
  | "budgets"
  | "effects"
  | "approvals"
  | "evidence"
  | "changesets"
  | "landings"
  | "worktrees";

export type Cell = string | number | null;

/** Insert or update the row with this key. `key` names all key columns, `set` the others; on insertion absent columns are NULL, on update they stay. */
export interface RowChange {
  readonly table: ProjectedTable;
  readonly key: { readonly [column: string]: Cell };
  readonly set: { readonly [column: string]: Cell };
}

/** A whole row: key columns and the others. */
export type Row = Readonly<Record<string, Cell>>;

/** What one event does to the tables, given the state after it. Every change but that of a settled effect or a pinned or removed worktree names the whole row. */
export function rowsOf(event: RunEvent, after: RunState): readonly RowChange[] {
  const agents = agentsTouched(event, after);
  const nodes = agents.map((id) => findNode(after, id)).filter((node) => node !== undefined);
  return [
    rootRow(after),
    ...nodes.flatMap((node) => [childRow(after, node), handoffRow(after, node)]),
    ...(isCharging(event) ? budgetRows(after) : []),
    ...approvalsTouched(event, after).map((approval) => approvalRow(after, approval)),
    ...(reviewingTypes.has(event.type)
      ? after.changeSets.filter((set) => agents.includes(set.agent)).map((set) => changeSetRow(after, set))
      : []),
    ...landingsTouched(event, after).map((landing) => landingRow(after, landing)),
    ...(event.type === "subagent.result" ? nodes.flatMap((node) => evidenceRows(after, node)) : []),
    ...effectRows(event),
    ...worktreeRows(event),
  ];
}

/** All changes that a merged journal leads to, in order; a journal begins with `run.created`. */
export function rowChangesOf(events: Iterable<RunEvent>): readonly RowChange[] {
  const changes: RowChange[] = [];
  let state: RunState | null = null;
  for (const event of events) {
    state = evolve(state, event);
    changes.push(...rowsOf(event, state));
  }
  return changes;
}

/** What a whole fold says the tables hold for this run. Takes the journal, because the state forgets the effects and work places of earlier turns: those two are read from the events, all others from the state at the end. Rows come in no promised order. */
export function tablesOf(events: Iterable<RunEvent>): ReadonlyMap<ProjectedTable, readonly Row[]> {
  const remembered: RowChange[] = [];
  let state: RunState | null = null;
  for (const event of events) {
    state = evolve(state, event);
    remembered.push(...effectRows(event), ...worktreeRows(event));
  }
  return applyRows(state === null ? [] : [...stateRows(state), ...remembered]);
}

/** The tables after these changes, as the store would write them: later ones win, column by column. */
export function applyRows(changes: Iterable<RowChange>): ReadonlyMap<ProjectedTable, readonly Row[]> {
  const tables = new Map<ProjectedTable, Map<string, Row>>();
  for (const { table, key, set } of changes) {
    const rows = tables.get(table) ?? new Map<string, Row>();
    const name = JSON.stringify(Object.values(key));
    rows.set(name, { ...rows.get(name), ...key, ...set });
    tables.set(table, rows);
  }
  return new Map([...tables].map(([table, rows]) => [table, [...rows.values()]]));
}

/** Whether an event changes the run's balances: a use of the lead's own (its questions among them), or a slice that is held, released or renewed. */
function isCharging(event: RunEvent): boolean {
  // A review holds no slice.
  if (event.type === "changeset.checked") return true;
  if (event.type === "approval.requested") return event.data.kind === "changeset" || event.data.kind === "question";
  return event.agent === "lead" && chargingTypes.has(event.type);
}

const chargingTypes: ReadonlySet<EventType> = new Set([
  "run.created",
  "run.forked",
  "budget.set",
  "handoff.recorded",
  "slice.renewed",
  "subagent.settled",
  "model.completed",
  "model.failed",
  "model.lost",
  "tool.dispatched",
  "tool.answered",
]);

/** Events after which a change set of the agents they touch may stand differently. */
const reviewingTypes: ReadonlySet<EventType> = new Set([
  "changeset.proposed",
  "changeset.checked",
  "changeset.returned",
  "changeset.reviewed",
  "changeset.landing",
  "changeset.landed",
  "changeset.held",
  "changeset.conflicted",
  "changeset.dropped",
  "approval.requested",
  "approval.decided",
  "approval.withdrawn",
  "run.ending",
  "subagent.resumed",
  "subagent.stopped",
]);

/** Agents that an event says something about: the one whose stream it is in, and the one it names. */
function agentsTouched(event: RunEvent, after: RunState): readonly AgentId[] {
  // Every row says where its repository is.
  if (event.type === "repository.moved") return ["lead", ...after.nodes.map(({ id }) => id)];
  const named = "subagent" in event.data ? event.data.subagent : undefined;
  const owner = findChangeSet(after, changeSetOf(event))?.agent;
  const spokenTo = event.type === "input.received" ? event.data.to : undefined;
  return [...new Set([event.agent, named, owner, spokenTo].filter((id) => id !== undefined))];
}

function changeSetOf(event: RunEvent): ChangeSetId | null {
  return "changeset" in event.data ? (event.data.changeset ?? null) : null;
}

/** The landing that an event names, the one that took it back, and those of its change set. */
function landingsTouched(event: RunEvent, after: RunState): readonly LandingState[] {
  const named = "landing" in event.data ? [event.data.landing] : [];
  const ids = event.type === "landing.undone" ? [...named, event.data.by] : named;
  const set = changeSetOf(event);
  return after.landings.filter((landing) => landing.changeset === set || ids.includes(landing.id));
}

function approvalsTouched(event: RunEvent, after: RunState): readonly ApprovalState[] {
  const named = "approval" in event.data ? event.data.approval : undefined;
  // A held change set opens its approval again, whatever it leaves that state by: a decision, its agent's end, a newer one.
  const agents = [event.agent, findChangeSet(after, changeSetOf(event))?.agent];
  return after.approvals.filter(
    (approval) => approval.id === named || (approval.changeset !== null && agents.includes(approval.agent)),
  );
}

function stateRows(state: RunState): readonly RowChange[] {
  return [
    rootRow(state),
    ...state.nodes.flatMap((node) => [childRow(state, node), handoffRow(state, node), ...evidenceRows(state, node)]),
    ...budgetRows(state),
    ...state.approvals.map((approval) => approvalRow(state, approval)),
    ...state.changeSets.map((set) => changeSetRow(state, set)),
    ...state.landings.map((landing) => landingRow(state, landing)),
  ];
}
