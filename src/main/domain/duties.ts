// What a run owes right now, read from its state. The engine starts what is owed and not in flight, and ends what is
// in flight and no longer owed. After a crash nothing is in flight, and the same list brings everything back.

import type { AgentId, ChangeSetId, SubagentId } from "../../shared/contract/ids.ts";
import { isTerminal } from "./lifecycle.ts";
import type { NodeState, RunState } from "./state.ts";
import { isEverythingSettled, nextLeadTurn } from "./turn.ts";

export type Duty =
  /** Drive an agent's loop until its state says otherwise. */
  | { readonly kind: "drive"; readonly agent: AgentId }
  /** Snapshot an executor's worktree, propose the change set, verify it. */
  | { readonly kind: "submit"; readonly agent: SubagentId }
  | { readonly kind: "land"; readonly changeset: ChangeSetId }
  /** The node has ended: pin and remove its work place, then settle. */
  | { readonly kind: "settle"; readonly agent: SubagentId }
  | { readonly kind: "stop" };

/** Names the duty; two duties of one agent are never in flight at once, and landings go one at a time. */
export function dutyKey(duty: Duty): string {
  switch (duty.kind) {
    case "land":
    case "stop":
      return duty.kind;
    case "drive":
    case "submit":
    case "settle":
      return duty.agent;
  }
}

export function dutiesOf(state: RunState): readonly Duty[] {
  if (state.status === "stopped" || state.status === "created" || state.status === "interrupted" || state.status === "quarantined") return [];
  const duties: Duty[] = [];
  if (isLeadAtWork(state)) duties.push({ kind: "drive", agent: "lead" });
  for (const node of state.nodes) {
    const duty = dutyFor(state, node);
    if (duty) duties.push(duty);
  }
  const landing = nextLanding(state);
  if (landing) duties.push({ kind: "land", changeset: landing });
  if (mayStop(state)) duties.push({ kind: "stop" });
  return duties;
}

/** Whether nothing is left but to clean up and stop. */
export function mayStop(state: RunState): boolean {
  if (!isEverythingSettled(state)) return false;
  if (state.ending !== null) return state.lead.request === null;
  return state.lead.spoke !== null && nextLeadTurn(state).kind === "idle" && state.status !== "paused";
}

function isLeadAtWork(state: RunState): boolean {
  if (state.ending !== null) return false;
  return nextLeadTurn(state).kind !== "idle";
}

function dutyFor(state: RunState, node: NodeState): Duty | null {
  if (node.isSettled) return null;
  if (isTerminal(node.status)) return { kind: "settle", agent: node.id };
  if (state.status === "paused") return null;
  if (node.status === "running") return { kind: "drive", agent: node.id };
  return node.status === "submitting" ? { kind: "submit", agent: node.id } : null;
}

/** In order of decision: the oldest approved change set, or the one whose landing a crash cut. */
function nextLanding(state: RunState): ChangeSetId | null {
  const begun = state.changeSets.find((set) => set.status === "landing");
  if (begun) return begun.id;
  const approved = state.changeSets.filter((set) => set.status === "approved");
  const order = state.approvals.map((approval) => approval.id);
  return approved.toSorted((left, right) => order.indexOf(left.approval ?? ("" as never)) - order.indexOf(right.approval ?? ("" as never)))[0]?.id ?? null;
}
