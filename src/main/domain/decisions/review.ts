// Decisions from an executor's submission to the landing of its change set: proposal, checks, approval, landing.

import type { ApprovalId, ChangeSetId, LandingId } from "../../../shared/contract/ids.ts";
import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import { type ApprovalState, type ChangeSetState, findApproval, findChangeSet, findNode, type NodeState, requireAgent, requireChangeSet, requireNode, type RunState } from "../state.ts";
import { mayAct } from "./agent.ts";
import { accept, type Decider, type Decision, reject } from "./decision.ts";
import { checkSelection } from "../selection.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Times that a failed verification goes back to the executor before a person sees it. */
export const maxVerifyRounds = 2;

export const propose: Decider<CommandOf<"changeset.propose">> = (state, { agent, base, commit, tree, ref, files }) => {
  const node = requireNode(state, agent);
  if (node.status !== "submitting") return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  const number = node.changeSetCount + 1;
  const hunks = files.reduce((sum, file) => sum + file.hunks.length, 0);
  return accept({
    agent,
    type: "changeset.proposed",
    data: { changeset: `${agent}.${number}` as ChangeSetId, number, base, commit, tree, ref, files, hunks },
  });
};

export const proposeNothing: Decider<CommandOf<"changeset.empty">> = (state, { agent, base }) => {
  const node = requireNode(state, agent);
  if (node.status !== "submitting") return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  return accept({ agent, type: "changeset.empty", data: { base } }, { agent, type: "subagent.stopped", data: { status: "completed", code: "NO_CHANGES", sentence: "It changed nothing." } });
};

export const recordVerification: Decider<CommandOf<"verification.record">> = (state, { agent, run }) => {
  const node = requireNode(state, agent);
  // Also while it awaits its landing: a tree that was never run as such is verified before it lands.
  if ((node.status !== "submitting" && node.status !== "awaiting_review") || node.changeSet !== run.changeset) return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  return accept({ agent, type: "verification.ran", data: { by: "system", ...run } });
};

/** The checks are over: back to the executor with what failed, or on to the review. */
export const closeVerification: Decider<CommandOf<"verification.close">> = (state, { agent }) => {
  const node = requireNode(state, agent);
  if (node.status !== "submitting") return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  const set = findChangeSet(state, node.changeSet);
  if (set?.status !== "proposed") return reject("NOT_ALLOWED_NOW", `${agent} has proposed nothing yet.`);
  const failed = set.verifications.find((run) => run.exitCode !== 0 || run.outcome !== "exited");
  const maySpend = node.slice.steps === null || node.used.steps < Math.min(node.slice.steps, node.packet.maxSteps) - 1;
  if (failed && node.verifyRounds < maxVerifyRounds && maySpend) {
    const text = `The system ran \`${failed.command}\` on your change: it ended with ${failed.exitCode === null ? failed.outcome : `exit code ${failed.exitCode}`}. Mend it and call submitResult again.\n\n${failed.output}`;
    return accept({ agent, type: "subagent.resumed", data: { after: "verification", text } });
  }
  return accept(...openReview(state, node, set));
};

export const requestApproval: Decider<CommandOf<"approval.request">> = (state, command) => {
  const { agent, kind, summary, why, call, command: line } = command;
  if (state.approvals.some((one) => one.call !== null && one.call === call && one.agent === agent)) return accept();
  if (!mayAct(state, agent) || requireAgent(state, agent).request !== null) return reject("NOT_ACTIVE", `${agent} is not at work, or is thinking.`);
  const node = agent === "lead" ? null : requireNode(state, agent);
  const approval = nextApproval(state);
  const requested: DraftEvent = {
    agent,
    type: "approval.requested",
    data: { approval, kind, agent, summary, ...(why === undefined ? {} : { why }), ...(call === undefined ? {} : { call }), ...(line === undefined ? {} : { command: line }) },
  };
  return accept(requested, ...(node === null ? [] : [{ agent: node.id, type: "subagent.waiting", data: { for: "person", approval } } as const]));
};

/** One-shot and durable before it acts: the same decision again changes nothing, another one is refused. */
export const decideApproval: Decider<CommandOf<"approval.decide">> = (state, command) => {
  const approval = findApproval(state, command.approval);
  if (!approval) return reject("APPROVAL_NOT_FOUND", `There is no approval ${command.approval}; see coppice approvals.`);
  if (approval.status === "withdrawn") return reject("ALREADY_DECIDED", `${approval.id} was withdrawn: ${approval.agent} has ended.`);
  if (approval.status === "decided") return decideAgain(state, approval, command);
  return approval.kind === "changeset" ? decideChangeSet(state, approval, command) : decidePermission(state, approval, command);
};

export const beginLanding: Decider<CommandOf<"landing.begin">> = (state, command) => {
  const set = requireChangeSet(state, command.changeset);
  if (set.status !== "approved") return reject("NOT_ALLOWED_NOW", `${set.id} is ${set.status}.`);
  const landing = `${state.run}-l${state.landings.length + 1}` as LandingId;
  return accept({
    agent: "lead",
    type: "changeset.landing",
    data: { landing, changeset: set.id, target: state.target.branch, old: command.old, new: command.new, tree: command.tree },
  });
};

export const finishLanding: Decider<CommandOf<"landing.finish">> = (state, { changeset, commit, files }) => {
  const landing = state.landings.findLast((one) => one.changeset === changeset && one.status === "begun");
  if (!landing) return reject("NOT_ALLOWED_NOW", `${changeset} is not landing.`);
  const { agent } = requireChangeSet(state, changeset);
  return accept(
    { agent: "lead", type: "changeset.landed", data: { landing: landing.id, changeset, target: landing.target, commit, files } },
    { agent, type: "subagent.stopped", data: { status: "completed" } },
  );
};

/** Nothing moved. The change set keeps its approval and waits, with a plain reason, until a person asks again. */
export const holdLanding: Decider<CommandOf<"landing.hold">> = (state, { changeset, code, sentence, conflicts }) => {
  const set = requireChangeSet(state, changeset);
  if (set.status !== "approved" && set.status !== "landing") return reject("NOT_ALLOWED_NOW", `${set.id} is ${set.status}.`);
  const begun = state.landings.findLast((one) => one.changeset === changeset && one.status === "begun");
  const conflicted: readonly DraftEvent[] = conflicts === undefined ? [] : [{ agent: "lead", type: "changeset.conflicted", data: { changeset, paths: conflicts } }];
  return accept(...conflicted, { agent: "lead", type: "changeset.held", data: { changeset, code, sentence, ...(begun === undefined ? {} : { landing: begun.id }) } });
};

export const retryLanding: Decider<CommandOf<"landing.retry">> = (state, { changeset }) => {
  const set = findChangeSet(state, changeset);
  if (set?.status !== "held") return reject("NOT_ALLOWED_NOW", `${changeset} is ${set?.status ?? "unknown"}, not held.`);
  return accept(approve(set, set.selection ?? "all", "a person", []));
};

function openReview(state: RunState, node: NodeState, set: ChangeSetState): readonly DraftEvent[] {
  const approval = nextApproval(state);
  const summary = `${node.title}: ${set.hunks} ${set.hunks === 1 ? "hunk" : "hunks"} in ${set.files.length} ${set.files.length === 1 ? "file" : "files"}`;
  const obstacle = autoObstacle(state, node, set);
  const requested: DraftEvent = {
    agent: node.id,
    type: "approval.requested",
    data: { approval, kind: "changeset", agent: node.id, summary, changeset: set.id, ...(obstacle === null ? {} : { why: obstacle }) },
  };
  if (state.options.approve !== "auto" || obstacle !== null) return [requested];
  return [requested, { agent: node.id, type: "approval.decided", data: { approval, decision: "approved", by: "policy auto", scope: "once", hunks: "all" } }, approve(set, "all", "policy auto", [])];
}

/** Why `auto` does not land this unasked; `null` when it does. */
function autoObstacle(state: RunState, node: NodeState, set: ChangeSetState): string | null {
  if (state.options.approve === "none") return "The run was started with --approve none.";
  if (state.options.approve === "each") return null;
  if (node.verification === "not-run") return "No verification command is configured, so nothing was verified.";
  if (node.verification === "failed") return "Its verification failed.";
  const marked = set.files.find((file) => file.asks !== undefined);
  if (!marked) return null;
  return marked.asks === "PROTECTED_PATH" ? `${marked.path} is a protected path.` : `${marked.path} lies outside its claim.`;
}

function decideChangeSet(state: RunState, approval: ApprovalState, command: CommandOf<"approval.decide">): Decision {
  const set = findChangeSet(state, approval.changeset);
  const node = findNode(state, approval.agent);
  if (!set || node?.status !== "awaiting_review") return reject("NOT_ALLOWED_NOW", `${approval.agent} is not awaiting a review.`);
  const selection = command.hunks ?? "all";
  const problem = command.decision === "approved" ? checkSelection(set.files, selection) : null;
  if (problem !== null) return reject("UNKNOWN_HUNK", problem);
  const decided: DraftEvent = {
    agent: approval.agent,
    type: "approval.decided",
    data: {
      approval: approval.id,
      decision: command.decision,
      by: command.by,
      scope: "once",
      ...(command.decision === "approved" ? { hunks: selection } : {}),
      ...(command.comment === undefined ? {} : { comment: command.comment }),
      ...(command.message === undefined ? {} : { message: command.message }),
    },
  };
  return accept(decided, ...consequencesOf(command, set));
}

function consequencesOf(command: CommandOf<"approval.decide">, set: ChangeSetState): readonly DraftEvent[] {
  const agent = set.agent;
  switch (command.decision) {
    case "approved":
      return [approve(set, command.hunks ?? "all", command.by, command.message === undefined ? [] : [command.message])];
    case "rejected":
      return [
        { agent: "lead", type: "changeset.dropped", data: { changeset: set.id, reason: command.comment ?? "Rejected." } },
        { agent, type: "subagent.stopped", data: { status: "failed", code: "REJECTED", sentence: command.comment ?? `Rejected by ${command.by}.` } },
      ];
    case "sent_back":
      return [
        { agent, type: "subagent.messaged", data: { text: command.comment ?? "" } },
        { agent, type: "subagent.queued", data: { code: "READY", sentence: "Sent back with comments." } },
      ];
  }
}

/** A command, a permission, a question: the agent that asked goes on with the answer. */
function decidePermission(state: RunState, approval: ApprovalState, command: CommandOf<"approval.decide">): Decision {
  if (command.decision === "sent_back") return reject("BAD_USAGE", `${approval.id} asks for a ${approval.kind}; only a change set can be sent back.`);
  const decided: DraftEvent = {
    agent: approval.agent,
    type: "approval.decided",
    data: { approval: approval.id, decision: command.decision, by: command.by, scope: "once", ...(command.comment === undefined ? {} : { comment: command.comment }) },
  };
  const node = findNode(state, approval.agent);
  if (node?.status !== "waiting" || node.waitsOn !== approval.id) return accept(decided);
  return accept(decided, { agent: node.id, type: "subagent.queued", data: { code: "READY", sentence: "A person decided." } });
}

function decideAgain(state: RunState, approval: ApprovalState, command: CommandOf<"approval.decide">): Decision {
  const isSame = approval.decision === command.decision && (command.hunks === undefined || JSON.stringify(command.hunks) === JSON.stringify(approval.hunks));
  if (!isSame) return reject("ALREADY_DECIDED", `${approval.id} was ${approval.decision} by ${approval.by}.`);
  const set = findChangeSet(state, approval.changeset);
  // Asked again while held: the approval stands, the landing is tried once more.
  return set?.status === "held" ? accept(approve(set, set.selection ?? "all", command.by, [])) : accept();
}

function approve(set: ChangeSetState, hunks: ChangeSetState["selection"] & {}, by: string, comments: readonly string[]): DraftEvent {
  return { agent: "lead", type: "changeset.reviewed", data: { changeset: set.id, hunks, comments, by } };
}

function nextApproval(state: RunState): ApprovalId {
  return `${state.run}-a${state.approvals.length + 1}` as ApprovalId;
}
