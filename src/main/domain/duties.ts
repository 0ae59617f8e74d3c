// What a run owes right now, read from its state. The engine starts what is owed and not in flight, and ends what is
// in flight and no longer owed. After a crash nothing is in flight, and the same list brings everything back.

import type { AgentId, ChangeSetId, LandingId, SubagentId } from "../../shared/contract/ids.ts";
import { openConflicts } from "./verdictConflicts.ts";
import { owesSubmission } from "./leadWork.ts";
import { isTerminal } from "./lifecycle.ts";
import { type ChangeSetState, type LandingState, type NodeState, rootBaseOf, type RunState } from "./state.ts";
import { isAskedForMore, isEverythingSettled, nextLeadTurn } from "./turn.ts";

export type Duty =
  /** Drive an agent's loop until its state says otherwise. */
  | { readonly kind: "drive"; readonly agent: AgentId }
  /** Snapshot an executor's worktree, propose the change set, verify it. */
  | { readonly kind: "submit"; readonly agent: AgentId }
  | { readonly kind: "land"; readonly changeset: ChangeSetId }
  /** A landing that is being taken back. */
  | { readonly kind: "undo"; readonly landing: LandingId }
  /** The work is done: propose the run's whole branch for its one review. */
  | { readonly kind: "propose" }
  /** The node has ended: pin and remove its work place, then settle. */
  | { readonly kind: "settle"; readonly agent: SubagentId }
  | { readonly kind: "stop" };

/** Names the duty; two duties of one agent are never in flight at once, and landings go one at a time. */
export function dutyKey(duty: Duty): string {
  switch (duty.kind) {
    case "land":
    case "undo":
      // One landing at a time, either way.
      return "land";
    case "propose":
    case "stop":
      return duty.kind;
    case "drive":
    case "submit":
    case "settle":
      return duty.agent;
  }
}

export function dutiesOf(state: RunState): readonly Duty[] {
  if (state.status === "created" || state.status === "interrupted" || state.status === "quarantined") return [];
  // After its stop a run still lands what is decided, and takes back what has landed.
  if (state.status === "stopped") return landingDuties(state);
  const duties: Duty[] = [];
  if (isLeadAtWork(state)) duties.push({ kind: "drive", agent: "lead" });
  else if (owesSubmission(state)) duties.push({ kind: "submit", agent: "lead" });
  for (const node of state.nodes) {
    const duty = dutyFor(state, node);
    if (duty) duties.push(duty);
  }
  duties.push(...landingDuties(state));
  if (owesFinalReview(state)) duties.push({ kind: "propose" });
  if (mayStop(state)) duties.push({ kind: "stop" });
  return duties;
}

/** Whether nothing is left but to clean up and stop. */
export function mayStop(state: RunState): boolean {
  // What has begun to be taken back is taken back first.
  if (!isEverythingSettled(state) || begunUndo(state) !== undefined) return false;
  // A landing is never cut, also not that of the run's whole branch, which no node stands for.
  if (state.ending !== null)
    return state.lead.request === null && !state.changeSets.some((set) => set.status === "landing");
  return (
    isLeadDone(state) &&
    state.status !== "paused" &&
    !owesSubmission(state) &&
    !owesFinalReview(state) &&
    !state.changeSets.some(isOpenLeadSet)
  );
}

/** Under `final`: everything has landed on the run's own branch, and the review onto the target has not been asked for. */
export function owesFinalReview(state: RunState): boolean {
  if (state.finalTarget === null || state.ending !== null || state.status === "paused") return false;
  if (!isEverythingSettled(state) || !isLeadDone(state) || state.line === rootBaseOf(state)) return false;
  if (owesSubmission(state) || state.changeSets.some(isOpenLeadSet)) return false;
  return state.changeSets.findLast((set) => set.agent === "lead")?.commit !== state.line;
}

function isLeadDone(state: RunState): boolean {
  const isIdle = state.lead.spoke !== null && !isAskedForMore(state) && nextLeadTurn(state).kind === "idle";
  return isIdle && !isReconciling(state);
}

/** Opposite verdicts stand, and what the lead says of them is not its last word. */
function isReconciling(state: RunState): boolean {
  return state.lead.limitReached === null && openConflicts(state).length > 0;
}

/** A review of the whole branch, or of the lead's own work, that is not decided, or not carried out. */
export function isOpenLeadSet(set: ChangeSetState): boolean {
  return (
    set.agent === "lead" &&
    (set.status === "open" || set.status === "approved" || set.status === "landing" || set.status === "held")
  );
}

function landingDuties(state: RunState): readonly Duty[] {
  const undone = begunUndo(state)?.undoes;
  if (undone) return [{ kind: "undo", landing: undone }];
  const landing = nextLanding(state);
  return landing === null ? [] : [{ kind: "land", changeset: landing }];
}

/** The revert that is recorded and not yet carried out. */
export function begunUndo(state: RunState): LandingState | undefined {
  return state.landings.find((landing) => landing.undoes !== null && landing.status === "begun");
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
  return (
    approved.toSorted(
      (left, right) => order.indexOf(left.approval ?? ("" as never)) - order.indexOf(right.approval ?? ("" as never)),
    )[0]?.id ?? null
  );
}
