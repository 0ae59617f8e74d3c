// One row of each projected table, as the state or an event says it. Which event touches which row is in tables.ts.

import type { ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import { balanceNames } from "../../../shared/contract/options.ts";
import type { RunEvent } from "../events.ts";
import type { ApprovalState, ChangeSetState, LandingState, NodeState, RunState } from "../state.ts";
import type { RowChange } from "./tables.ts";

/** A change set's row is keyed over all runs, while its own id is unique in its run only. */
export function changeSetKey(run: RunId, id: ChangeSetId): string {
  return `${run}/${id}`;
}

export function rootRow(state: RunState): RowChange {
  return {
    table: "runs",
    key: { run: state.run },
    set: {
      root: state.run,
      agent: "lead",
      kind: "root",
      repo: state.repo.topLevel,
      title: state.title,
      status: state.status,
      stop_reason: state.stop?.reason ?? null,
      created_at: state.createdAt,
      updated_at: state.updatedAt,
    },
  };
}

export function childRow(state: RunState, node: NodeState): RowChange {
  return {
    table: "runs",
    key: { run: node.childRun },
    set: {
      root: state.run,
      agent: node.id,
      kind: "child",
      repo: state.repo.topLevel,
      title: node.title,
      status: node.status,
      stop_reason: node.code,
      created_at: node.createdAt,
      updated_at: node.lastEventAt,
    },
  };
}

export function handoffRow(state: RunState, node: NodeState): RowChange {
  return {
    table: "handoffs",
    key: { run: state.run, subagent: node.id },
    set: {
      child_run: node.childRun,
      role: node.role,
      key: node.key,
      contract_hash: node.contractHash,
      status: node.status,
      code: node.code,
      settled_status: node.isSettled ? node.end : null,
    },
  };
}

export function budgetRows(state: RunState): readonly RowChange[] {
  const { limit, used, reserved } = state.budget;
  return balanceNames.map((balance) => ({
    table: "budgets",
    key: { run: state.run, owner: "run", balance },
    set: { limit_value: limit[balance], used: used[balance], reserved: reserved[balance] },
  }));
}

/** An approval whose landing is held waits for the person again, so it counts as open. */
export function approvalRow(state: RunState, approval: ApprovalState): RowChange {
  const { id, kind, agent, summary, decision, since, decidedAt } = approval;
  const isHeld = state.changeSets.some((set) => set.approval === id && set.status === "held");
  const status = isHeld ? "open" : approval.status;
  return {
    table: "approvals",
    key: { id },
    set: { run: state.run, kind, agent, summary, status, decision, requested_at: since, decided_at: decidedAt },
  };
}

/** A later result with a shorter list empties the rows that an earlier one left: rows are never deleted. */
export function evidenceRows(state: RunState, node: NodeState): readonly RowChange[] {
  return Array.from({ length: node.mostEvidence }, (_, idx) => {
    const item = node.evidence[idx];
    return {
      table: "evidence",
      key: { run: state.run, agent: node.id, idx },
      set: { source: item?.source ?? null, mark: item?.mark ?? null },
    };
  });
}

export function changeSetRow(state: RunState, set: ChangeSetState): RowChange {
  const { agent, base, commit, tree, ref, status, hunks } = set;
  return {
    table: "changesets",
    key: { id: changeSetKey(state.run, set.id) },
    set: { run: state.run, agent, base, commit_oid: commit, tree, ref, status, hunks },
  };
}

export function landingRow(state: RunState, landing: LandingState): RowChange {
  const { id, changeset, target, old, new: tip, tree, status } = landing;
  return {
    table: "landings",
    key: { id },
    set: {
      run: state.run,
      changeset: changeSetKey(state.run, changeset),
      target,
      old_oid: old,
      new_oid: tip,
      tree,
      status,
    },
  };
}

/** Call ids are the model's and may repeat between agents, so the agent is part of the key. */
export function effectRows(event: RunEvent): readonly RowChange[] {
  if (event.type !== "tool.dispatched" && event.type !== "tool.settled") return [];
  const key = { run: event.root, call: `${event.agent}/${event.data.call}` };
  if (event.type === "tool.settled")
    return [{ table: "effects", key, set: { status: "settled", outcome: event.data.outcome } }];
  const { tool, effect, class: effectClass } = event.data;
  return [
    {
      table: "effects",
      key,
      set: { agent: event.agent, tool, effect, class: effectClass, status: "dispatched", outcome: null },
    },
  ];
}

export function worktreeRows(event: RunEvent): readonly RowChange[] {
  switch (event.type) {
    case "worktree.created":
      return [
        {
          table: "worktrees",
          key: { path: event.data.path },
          set: { run: event.root, agent: event.agent, root: event.data.root, status: "created", pin_ref: null },
        },
      ];
    case "worktree.pinned":
      return [
        {
          table: "worktrees",
          key: { path: event.data.path },
          set: { run: event.root, agent: event.agent, pin_ref: event.data.ref },
        },
      ];
    case "worktree.removed":
      return [
        {
          table: "worktrees",
          key: { path: event.data.path },
          set: { run: event.root, agent: event.agent, status: "removed" },
        },
      ];
    default:
      return [];
  }
}
