// Decisions from an executor's submission to its review: proposal, checks, and the question that follows.

import type { AgentId, ChangeSetId } from "../../../shared/contract/ids.ts";
import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import { theChecks } from "../evolutions/run.ts";
import { ownSetOf, owesSubmission } from "../leadWork.ts";
import {
  type ChangeSetState,
  findChangeSet,
  findNode,
  hasFailed,
  nextNumber,
  requireNode,
  type RunState,
  type VerificationRun,
} from "../state.ts";
import { isReviewedFirst, reviewObstacle } from "../policy/gate.ts";
import { approve } from "./approval.ts";
import { nextApproval } from "./nextApproval.ts";
import { withdraw } from "./decided.ts";
import { accept, type Decider, type Decision, reject } from "./decision.ts";
import { listHunks, summaryOf } from "../hunks.ts";
import { wholly } from "../selection.ts";
import { isLastLeadStep, sliceUsed, stepsOf } from "../turn.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Times that a failed verification goes back to the executor before a person sees it. */
export const maxVerifyRounds = 2;

export const propose: Decider<CommandOf<"changeset.propose">> = (state, command) => {
  const { agent, base, commit, tree, ref, files, leftOut = [] } = command;
  if (!isSubmitting(state, agent)) return reject("NOT_ACTIVE", `${agent} has nothing to propose.`);
  const number = nextNumber(state, agent);
  return accept(...withdrawOlder(state, agent), {
    agent,
    type: "changeset.proposed",
    data: {
      changeset: `${agent}.${number}` as ChangeSetId,
      number,
      base,
      commit,
      tree,
      ref,
      ...listHunks(files),
      ...(leftOut.length === 0 ? {} : { leftOut }),
    },
  });
};

export const proposeNothing: Decider<CommandOf<"changeset.empty">> = (state, { agent, base, leftOut = [] }) => {
  if (!isSubmitting(state, agent)) return reject("NOT_ACTIVE", `${agent} has nothing to propose.`);
  const empty: DraftEvent = {
    agent,
    type: "changeset.empty",
    data: { base, ...(leftOut.length === 0 ? {} : { leftOut }) },
  };
  if (agent === "lead") return accept(empty);
  return accept(empty, {
    agent,
    type: "subagent.stopped",
    data: {
      status: "completed",
      code: "NO_CHANGES",
      sentence: ["It changed nothing.", leftOutSentence(leftOut)].filter((text) => text !== null).join(" "),
    },
  });
};

export const recordVerification: Decider<CommandOf<"verification.record">> = (state, { agent, run }) => {
  const verified: DraftEvent = { agent, type: "verification.ran", data: { by: "system", ...run } };
  // Also while it awaits its landing: a tree that was never run as such is verified before it lands.
  if (agent === "lead")
    return findChangeSet(state, run.changeset)?.agent === "lead"
      ? accept(verified)
      : reject("NOT_ACTIVE", `${run.changeset} is not the lead's.`);
  const node = requireNode(state, agent);
  if ((node.status !== "submitting" && node.status !== "awaiting_review") || node.changeSet !== run.changeset)
    return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  return accept(verified);
};

/** The checks are over: back to the executor with what failed, or on to the review. */
export const closeVerification: Decider<CommandOf<"verification.close">> = (state, { agent }) => {
  if (agent === "lead") return closeLeadVerification(state);
  const node = requireNode(state, agent);
  if (node.status !== "submitting") return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  const set = findChangeSet(state, node.changeSet);
  if (set?.status !== "proposed") return reject("NOT_ALLOWED_NOW", `${agent} has proposed nothing yet.`);
  const failed = set.verifications.find(hasFailed);
  const maySpend = sliceUsed(node).steps < stepsOf(node) - 1;
  if (failed && node.verifyRounds < maxVerifyRounds && maySpend) {
    const text = `${failureWords(failed)} Mend it and call submitResult again.\n\n${failed.output}`;
    return accept({ agent, type: "subagent.resumed", data: { after: "verification", text } });
  }
  // Those that the template names look at it first; see rounds.ts.
  if (isReviewedFirst(state, node)) return accept({ agent, type: "changeset.checked", data: { changeset: set.id } });
  return accept(...openReview(state, node, set));
};

/** The lead is told in the checks' own name, and ends again once it has mended what they found. */
function closeLeadVerification(state: RunState): Decision {
  const set = ownSetOf(state);
  const { work, limitReached } = state.lead;
  if (set?.status !== "proposed" || work === null)
    return reject("NOT_ALLOWED_NOW", "The lead has proposed nothing yet.");
  const failed = set.verifications.find(hasFailed);
  const maySpend = limitReached === null && !isLastLeadStep(state);
  if (failed && work.verifyRounds < maxVerifyRounds && maySpend) {
    const text = `${failureWords(failed)} Mend it, then give your final answer again.\n\n${failed.output}`;
    return accept({ agent: "lead", type: "input.received", data: { text, from: theChecks, to: "lead" } });
  }
  return accept(...openReview(state, { id: "lead", title: state.title }, set));
}

function failureWords({ command, exitCode, outcome }: VerificationRun): string {
  return `The system ran \`${command}\` on your change: it ended with ${exitCode === null ? outcome : `exit code ${exitCode}`}.`;
}

/** Whether an agent's work is on its way from its end to its review. */
function isSubmitting(state: RunState, agent: AgentId): boolean {
  return agent === "lead" ? owesSubmission(state) : requireNode(state, agent).status === "submitting";
}

/** The lead has gone on over an open review, of its own work or of the whole branch: what is asked about is no longer what it proposes. */
function withdrawOlder(state: RunState, agent: AgentId): readonly DraftEvent[] {
  if (agent !== "lead") return [];
  return state.approvals
    .filter((one) => one.agent === "lead" && one.kind === "changeset" && one.status === "open")
    .map((one) => withdraw(one, "The lead has gone on and proposes anew."));
}

/** Whose work is reviewed, and what it is called. */
interface Author {
  readonly id: AgentId;
  readonly title: string;
}

/** Asks the person about a change set, or lets it land where the run's mode does. */
export function openReview(state: RunState, { id: agent, title }: Author, set: ChangeSetState): readonly DraftEvent[] {
  const approval = nextApproval(state);
  const summary = summaryOf(title, set.hunks, set.files.length);
  const obstacle = autoObstacle(state, set);
  const author = findNode(state, agent);
  const remarks = author === undefined ? null : reviewObstacle(state, author);
  const why = [obstacle, remarks, leftOutSentence(set.leftOut)].filter((text) => text !== null).join(" ");
  const requested: DraftEvent = {
    agent,
    type: "approval.requested",
    data: {
      approval,
      kind: "changeset",
      agent,
      summary,
      changeset: set.id,
      ...(why === "" ? {} : { why }),
    },
  };
  const mode = state.options.approve;
  // What could not be taken along, or a reviewer did not pass, is for a person to know before it lands.
  if ((mode !== "auto" && mode !== "final") || why !== "") return [requested];
  return [
    requested,
    {
      agent,
      type: "approval.decided",
      data: { approval, decision: "approved", by: `policy ${mode}`, scope: "once", hunks: "all" },
    },
    approve(set, wholly, `policy ${mode}`, []),
  ];
}

const maxNamed = 5;

/** What of the work is not in the change set; `null`: all of it is. */
function leftOutSentence(leftOut: readonly string[]): string | null {
  if (leftOut.length === 0) return null;
  const more = leftOut.length > maxNamed ? ` and ${leftOut.length - maxNamed} more` : "";
  return `Left out, since git cannot hold it as files: ${leftOut.slice(0, maxNamed).join(", ")}${more}.`;
}

/** Why `auto` does not land this unasked; `null` when it does. */
function autoObstacle(state: RunState, set: ChangeSetState): string | null {
  if (state.options.approve === "none") return "The run goes by --approve none.";
  if (state.options.approve === "each") return null;
  if (set.verifications.length === 0) return "No verification command is configured, so nothing was verified.";
  if (set.verifications.some(hasFailed)) return "Its verification failed.";
  const marked = set.files.find((file) => file.asks !== undefined);
  if (!marked) return null;
  switch (marked.asks) {
    case "PROTECTED_PATH":
      return `${marked.path} is a protected path.`;
    case "CONFLICT_MARKS":
      return `${marked.path} still has conflict marks.`;
    default:
      return `${marked.path} lies outside its claim.`;
  }
}
