// How a change set moves from proposal to its end, and the approvals on the way.

import type { ChangeSetId, LandingId, Oid } from "../../../shared/contract/ids.ts";
import type { EventOf } from "../events.ts";
import {
  findApproval,
  hasFailed,
  type LandingState,
  type LeadWork,
  type NodeState,
  requireChangeSet,
  type RunState,
} from "../state.ts";
import { withHunks } from "../hunks.ts";
import { chargeQuestion } from "./agent.ts";
import { giveUpReconciling } from "./merge.ts";
import { move, releaseSlice } from "./node.ts";
import { type Evolution, patchChangeSet, patchLead, patchNode } from "./patch.ts";

export const proposed: Evolution<EventOf<"changeset.proposed">> = (state, { agent, n, data }) => {
  const older = state.changeSets.map((set) =>
    set.agent === agent && set.status !== "landed" ? { ...set, status: "replaced" as const } : set,
  );
  const next: RunState = {
    ...state,
    changeSets: [
      ...older,
      {
        id: data.changeset,
        n,
        agent,
        number: data.number,
        base: data.base,
        commit: data.commit,
        tree: data.tree,
        ref: data.ref,
        files: withHunks(data),
        hunks: data.hunks.length,
        leftOut: data.leftOut ?? [],
        isLine: agent === "lead" && data.target !== undefined,
        target: data.target ?? state.target,
        verifications: [],
        status: "proposed",
        approval: null,
        selection: null,
        amendments: [],
        resolutions: [],
        message: null,
        conflicts: [],
        bringsTarget: false,
        held: null,
        heldMerge: null,
        acceptedMerge: null,
        checksSeen: 0,
      },
    ],
  };
  if (agent === "lead") return data.target === undefined ? patchLeadWork(next, () => ({ submittedN: n })) : next;
  return patchNode(next, agent, (node) => ({
    ...node,
    changeSet: data.changeset,
    changeSetCount: data.number,
    verification: "not-run",
  }));
};

/** There was nothing to propose, so there is nothing that is not decided. */
export const empty: Evolution<EventOf<"changeset.empty">> = (state, { agent, n }) =>
  agent === "lead" ? patchLeadWork(state, () => ({ submittedN: n, touchedN: 0 })) : state;

function patchLeadWork(state: RunState, change: (work: LeadWork) => Partial<LeadWork>): RunState {
  return patchLead(state, (lead) => ({ ...lead, work: lead.work && { ...lead.work, ...change(lead.work) } }));
}

/** What came of a change set of the lead's own is decided: its worktree holds nothing that anybody waits for. */
function closeOwnWork(state: RunState, id: ChangeSetId, isDropped: boolean): RunState {
  const set = requireChangeSet(state, id);
  if (set.agent !== "lead" || set.isLine) return state;
  return patchLeadWork(state, ({ touchedN, submittedN }) => ({
    // What it has done since it proposed this is still to be proposed.
    touchedN: touchedN > submittedN ? touchedN : 0,
    isDropped,
  }));
}

export const verified: Evolution<EventOf<"verification.ran">> = (state, { agent, data }) => {
  const { command, exitCode, tree, outcome, durationMs, output } = data;
  const next = patchChangeSet(state, data.changeset, (set) => ({
    ...set,
    verifications: [...set.verifications, { command, exitCode, tree, outcome, durationMs, output }],
  }));
  const isPassed = !requireChangeSet(next, data.changeset).verifications.some(hasFailed);
  return patchNode(next, agent, (node) => ({
    ...node,
    verification: isPassed ? "passed" : "failed",
    activity: checkActivity(state.options.verify, command, exitCode === 0),
  }));
};

/** Which check it was, of how many. A set-up command is none, and is told of only where it failed. */
function checkActivity(verify: readonly string[], command: string, isPassed: boolean): string {
  const at = verify.indexOf(command);
  const what = at < 0 ? "Set-up" : `Check ${at + 1} of ${verify.length}`;
  return `${what} ${isPassed ? "passed" : "failed"}: ${command}`;
}

/** Its author is done for now: it waits for the review, and holds nothing meanwhile. */
export const checked: Evolution<EventOf<"changeset.checked">> = (state, event) =>
  move(releaseSlice(state, event.agent as NodeState["id"]), event, "awaiting_review", () => ({}));

export const returned: Evolution<EventOf<"changeset.returned">> = (state, { data }) =>
  patchChangeSet(state, data.changeset, (set) => ({ ...set, status: "sent_back" }));

export const requested: Evolution<EventOf<"approval.requested">> = (state, event) => {
  const { data } = event;
  const next: RunState = {
    ...state,
    approvals: [
      ...state.approvals,
      {
        id: data.approval,
        kind: data.kind,
        agent: data.agent,
        summary: data.summary,
        why: data.why ?? null,
        since: event.at,
        changeset: data.changeset ?? null,
        call: data.call ?? null,
        command: data.command ?? null,
        choices: data.choices ?? [],
        effect: data.effect ?? null,
        raise: data.raise ?? null,
        plan: data.plan ?? null,
        conflict: data.conflict ?? null,
        status: "open",
        decision: null,
        by: null,
        hunks: null,
        comment: null,
        bringsTarget: false,
        scope: null,
        decidedAt: null,
        decidedN: 0,
      },
    ],
  };
  if (data.kind === "question") return isAskedAgain(state, event) ? next : chargeQuestion(next, event.agent);
  if (data.kind !== "changeset" || data.changeset === undefined) return next;
  const opened = patchChangeSet(next, data.changeset, (set) => ({ ...set, status: "open", approval: data.approval }));
  // Once a person sees its work, failed checks may go back to it again.
  if (event.agent === "lead") return patchLeadWork(opened, () => ({ verifyRounds: 0 }));
  return move(releaseSlice(opened, event.agent), event, "awaiting_review", () => ({}));
};

function isAskedAgain(state: RunState, { agent, data }: EventOf<"approval.requested">): boolean {
  return state.approvals.some((one) => one.agent === agent && one.call !== null && one.call === data.call);
}

export const decided: Evolution<EventOf<"approval.decided">> = (state, { agent, at, n, data }) => {
  const { decision, by, scope } = data;
  const answer = {
    status: "decided" as const,
    decision,
    by,
    hunks: data.hunks ?? null,
    comment: data.comment ?? null,
    bringsTarget: data.bringsTarget === true,
    scope,
    decidedAt: at,
    decidedN: n,
  };
  const approvals = state.approvals.map((approval) =>
    approval.id === data.approval ? { ...approval, ...answer } : approval,
  );
  const changeSets =
    decision === "sent_back"
      ? state.changeSets.map((set) =>
          set.approval === data.approval
            ? { ...set, status: "sent_back" as const, bringsTarget: answer.bringsTarget }
            : set,
        )
      : state.changeSets;
  const next = patchNode({ ...state, approvals, changeSets }, agent, (node) => ({ ...node, reviewedN: n }));
  const isGivenUp = decision === "rejected" && findApproval(state, data.approval)?.kind === "reconcile";
  return isGivenUp ? giveUpReconciling(next) : next;
};

/** What was asked about goes with the question: a change set that nobody can decide any more is not open. */
export const withdrawn: Evolution<EventOf<"approval.withdrawn">> = (state, { data }) => ({
  ...state,
  approvals: state.approvals.map((approval) =>
    approval.id === data.approval ? { ...approval, status: "withdrawn" } : approval,
  ),
  changeSets: state.changeSets.map((set) =>
    set.approval === data.approval && set.status === "open" ? { ...set, status: "withdrawn" } : set,
  ),
});

export const reviewed: Evolution<EventOf<"changeset.reviewed">> = (state, { data }) =>
  patchChangeSet(state, data.changeset, (set) => ({
    ...set,
    status: "approved",
    heldMerge: null,
    acceptedMerge: set.heldMerge ?? set.acceptedMerge,
    checksSeen: set.verifications.length,
    held: null,
    selection: data.hunks,
    amendments: data.amendments ?? [],
    resolutions: data.resolutions ?? [],
    // Trying again does not take back how the commit is to be worded.
    message: data.comments[0] ?? set.message,
    conflicts: [],
  }));

export const landing: Evolution<EventOf<"changeset.landing">> = (state, event) => {
  const { landing: id, changeset, target, old, new: tip, tree, ref, undoes, line } = event.data;
  const begun: LandingState = {
    id,
    changeset,
    target,
    old,
    new: tip,
    tree,
    ref,
    undoes: undoes ?? null,
    line: line ?? null,
    status: "begun",
    files: [],
    hooks: [],
  };
  const next: RunState = { ...state, landings: [...state.landings, begun] };
  // What is taken back has landed; its change set stays as it is until that has happened.
  if (undoes !== undefined) return next;
  const set = requireChangeSet(state, changeset);
  const landing = patchChangeSet(next, changeset, (before) => ({ ...before, status: "landing", conflicts: [] }));
  return move(landing, { agent: set.agent, at: event.at }, "landing", () => ({ held: null }));
};

export const landed: Evolution<EventOf<"changeset.landed">> = (state, { data }) => {
  const set = requireChangeSet(state, data.changeset);
  const next = closeOwnWork(
    patchChangeSet(state, data.changeset, (before) => ({ ...before, status: "landed" })),
    data.changeset,
    false,
  );
  return {
    ...next,
    // The run's line moves with what lands on its own target.
    line: set.target.ref === state.target.ref ? (lineOf(state, data.landing) ?? data.commit) : state.line,
    landings: next.landings.map((one) =>
      one.id === data.landing ? { ...one, status: "landed", files: data.files, hooks: data.hooks ?? [] } : one,
    ),
  };
};

function lineOf(state: RunState, landing: LandingId): Oid | null {
  return state.landings.find((one) => one.id === landing)?.line ?? null;
}

/** The revert stands on the tip of its branch, so the run's line goes on from it, whichever landing it takes back. */
export const undone: Evolution<EventOf<"landing.undone">> = (state, { data }) => ({
  ...state,
  line:
    state.landings.find((one) => one.id === data.landing)?.ref === state.target.ref
      ? (lineOf(state, data.by) ?? data.commit)
      : state.line,
  landings: state.landings.map((one) => {
    if (one.id === data.landing) return { ...one, status: "undone" };
    return one.id === data.by ? { ...one, status: "landed" } : one;
  }),
});

export const landingFailed: Evolution<EventOf<"landing.failed">> = (state, { data }) => ({
  ...state,
  landings: state.landings.map((one) => (one.id === data.landing ? { ...one, status: "failed" } : one)),
});

/** A landing that could not be: nothing moved, the change set waits with a plain reason. */
export const held: Evolution<EventOf<"changeset.held">> = (state, event) => {
  const { data } = event;
  const set = requireChangeSet(state, data.changeset);
  const reason = { code: data.code, sentence: data.sentence };
  const next = patchChangeSet(state, data.changeset, (before) => ({
    ...before,
    status: "held",
    held: reason,
    heldMerge: data.merge ?? null,
  }));
  const landings = next.landings.map((one) =>
    one.changeset === data.changeset && one.status === "begun" ? { ...one, status: "failed" as const } : one,
  );
  return move({ ...next, landings }, { agent: set.agent, at: event.at }, "awaiting_review", () => ({ held: reason }));
};

export const conflicted: Evolution<EventOf<"changeset.conflicted">> = (state, { data }) =>
  patchChangeSet(state, data.changeset, (set) => ({ ...set, conflicts: data.paths }));

export const dropped: Evolution<EventOf<"changeset.dropped">> = (state, { data }) =>
  closeOwnWork(
    patchChangeSet(state, data.changeset, (set) => ({ ...set, status: "rejected" })),
    data.changeset,
    true,
  );
