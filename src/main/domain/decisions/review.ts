// Decisions from an executor's submission to its review: proposal, checks, and the question that follows.

import type { ChangeSetId } from "../../../shared/contract/ids.ts";
import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import { type ChangeSetState, findChangeSet, type NodeState, requireNode, type RunState } from "../state.ts";
import { approve } from "./approval.ts";
import { nextApproval } from "./nextApproval.ts";
import { accept, type Decider, reject } from "./decision.ts";
import { listHunks } from "../hunks.ts";
import { wholly } from "../selection.ts";
import { sliceUsed, stepsOf } from "../turn.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Times that a failed verification goes back to the executor before a person sees it. */
export const maxVerifyRounds = 2;

export const propose: Decider<CommandOf<"changeset.propose">> = (state, command) => {
  const { agent, base, commit, tree, ref, files, leftOut = [] } = command;
  const node = requireNode(state, agent);
  if (node.status !== "submitting") return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  const number = node.changeSetCount + 1;
  return accept({
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
  const node = requireNode(state, agent);
  if (node.status !== "submitting") return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  return accept(
    { agent, type: "changeset.empty", data: { base, ...(leftOut.length === 0 ? {} : { leftOut }) } },
    {
      agent,
      type: "subagent.stopped",
      data: {
        status: "completed",
        code: "NO_CHANGES",
        sentence: ["It changed nothing.", leftOutSentence(leftOut)].filter((text) => text !== null).join(" "),
      },
    },
  );
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
  const node = requireNode(state, agent);
  if (node.status !== "submitting") return reject("NOT_ACTIVE", `${agent} is ${node.status}.`);
  const set = findChangeSet(state, node.changeSet);
  if (set?.status !== "proposed") return reject("NOT_ALLOWED_NOW", `${agent} has proposed nothing yet.`);
  const failed = set.verifications.find((run) => run.exitCode !== 0 || run.outcome !== "exited");
  const maySpend = sliceUsed(node).steps < stepsOf(node) - 1;
  if (failed && node.verifyRounds < maxVerifyRounds && maySpend) {
    const text = `The system ran \`${failed.command}\` on your change: it ended with ${failed.exitCode === null ? failed.outcome : `exit code ${failed.exitCode}`}. Mend it and call submitResult again.\n\n${failed.output}`;
    return accept({ agent, type: "subagent.resumed", data: { after: "verification", text } });
  }
  return accept(...openReview(state, node, set));
};

function openReview(state: RunState, node: NodeState, set: ChangeSetState): readonly DraftEvent[] {
  const approval = nextApproval(state);
  const summary = `${node.title}: ${set.hunks} ${set.hunks === 1 ? "hunk" : "hunks"} in ${set.files.length} ${set.files.length === 1 ? "file" : "files"}`;
  const obstacle = autoObstacle(state, node, set);
  const why = [obstacle, leftOutSentence(set.leftOut)].filter((text) => text !== null).join(" ");
  const requested: DraftEvent = {
    agent: node.id,
    type: "approval.requested",
    data: {
      approval,
      kind: "changeset",
      agent: node.id,
      summary,
      changeset: set.id,
      ...(why === "" ? {} : { why }),
    },
  };
  const mode = state.options.approve;
  // What could not be taken along is for a person to know before the rest lands.
  if ((mode !== "auto" && mode !== "final") || why !== "") return [requested];
  return [
    requested,
    {
      agent: node.id,
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
function autoObstacle(state: RunState, node: NodeState, set: ChangeSetState): string | null {
  if (state.options.approve === "none") return "The run was started with --approve none.";
  if (state.options.approve === "each") return null;
  if (node.verification === "not-run") return "No verification command is configured, so nothing was verified.";
  if (node.verification === "failed") return "Its verification failed.";
  const marked = set.files.find((file) => file.asks !== undefined);
  if (!marked) return null;
  return marked.asks === "PROTECTED_PATH"
    ? `${marked.path} is a protected path.`
    : `${marked.path} lies outside its claim.`;
}
