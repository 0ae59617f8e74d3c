// Decisions about landings: a change set onto its target, the run's whole branch onto another, and a landing taken back.

import type { ChangeSetId, LandingId } from "../../../shared/contract/ids.ts";
import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import { isOpenLeadSet } from "../duties.ts";
import { findChangeSet, type LandingState, nextNumber, requireChangeSet, rootBaseOf, type RunState } from "../state.ts";
import { listHunks, summaryOf } from "../hunks.ts";
import { approve } from "./approval.ts";
import { nextApproval } from "./nextApproval.ts";
import { withdraw } from "./decided.ts";
import { accept, type Decider, reject } from "./decision.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

export const beginLanding: Decider<CommandOf<"landing.begin">> = (state, command) => {
  const set = requireChangeSet(state, command.changeset);
  if (set.status !== "approved") return reject("NOT_ALLOWED_NOW", `${set.id} is ${set.status}.`);
  const { branch: target, ref } = set.target;
  return accept({
    agent: "lead",
    type: "changeset.landing",
    data: {
      landing: nextLanding(state),
      changeset: set.id,
      target,
      ref,
      old: command.old,
      new: command.new,
      tree: command.tree,
      ...(command.line === undefined ? {} : { line: command.line }),
    },
  });
};

export const finishLanding: Decider<CommandOf<"landing.finish">> = (state, command) => {
  const { changeset, commit, files, hooks = [] } = command;
  const landing = findBegun(state, changeset);
  if (!landing) return reject("NOT_ALLOWED_NOW", `${changeset} is not landing.`);
  if (commit !== landing.new) return reject("NOT_ALLOWED_NOW", `${landing.id} lands ${landing.new}, not ${commit}.`);
  const { agent } = requireChangeSet(state, changeset);
  const landed: DraftEvent = {
    agent: "lead",
    type: "changeset.landed",
    data: {
      landing: landing.id,
      changeset,
      target: landing.target,
      commit,
      files,
      ...(hooks.length === 0 ? {} : { hooks }),
    },
  };
  return agent === "lead"
    ? accept(landed)
    : accept(landed, { agent, type: "subagent.stopped", data: { status: "completed" } });
};

/** Nothing moved. The change set keeps its approval and waits, with a plain reason, until a person asks again. */
export const holdLanding: Decider<CommandOf<"landing.hold">> = (state, command) => {
  const { changeset, code, sentence, conflicts, merge } = command;
  const set = requireChangeSet(state, changeset);
  if (set.status !== "approved" && set.status !== "landing")
    return reject("NOT_ALLOWED_NOW", `${set.id} is ${set.status}.`);
  const begun = findBegun(state, changeset);
  const conflicted: readonly DraftEvent[] =
    conflicts === undefined
      ? []
      : [{ agent: "lead", type: "changeset.conflicted", data: { changeset, paths: conflicts } }];
  return accept(...conflicted, {
    agent: "lead",
    type: "changeset.held",
    data: {
      changeset,
      code,
      sentence,
      ...(begun === undefined ? {} : { landing: begun.id }),
      ...(merge === undefined ? {} : { merge }),
    },
  });
};

export const retryLanding: Decider<CommandOf<"landing.retry">> = (state, { changeset, by }) => {
  const set = findChangeSet(state, changeset);
  if (set?.status !== "held")
    return reject("NOT_ALLOWED_NOW", `${changeset} is ${set?.status ?? "unknown"}, not held.`);
  const { selection, amendments, resolutions } = set;
  return accept(approve(set, { hunks: selection ?? "all", amendments, resolutions }, by, []));
};

/** One review of all that the run has landed on its own branch, onto another. Possible after the run's stop too. */
export const proposeLine: Decider<CommandOf<"line.propose">> = (state, { commit, tree, ref, files, target }) => {
  if (state.status === "created")
    return reject("NOT_ALLOWED_NOW", "The run has not begun, so nothing of it has landed.");
  const open = state.changeSets.find(isOpenLeadSet);
  if (open) return reject("NOT_ALLOWED_NOW", `${open.id} is ${open.status} already; decide it first.`);
  const number = nextNumber(state, "lead");
  const changeset = `lead.${number}` as ChangeSetId;
  const changes = listHunks(files);
  const summary = `${summaryOf(state.title, changes.hunks.length, files.length)} onto ${target.branch}`;
  return accept(
    {
      agent: "lead",
      type: "changeset.proposed",
      data: { changeset, number, base: rootBaseOf(state), commit, tree, ref, ...changes, target },
    },
    {
      agent: "lead",
      type: "approval.requested",
      data: { approval: nextApproval(state), kind: "changeset", agent: "lead", summary, changeset },
    },
  );
};

export const beginUndo: Decider<CommandOf<"undo.begin">> = (state, command) => {
  const landing = state.landings.find((one) => one.id === command.landing);
  if (landing?.status !== "landed" || landing.undoes !== null)
    return reject(
      "NOT_ALLOWED_NOW",
      `${command.landing} is ${landing?.status ?? "unknown"}, so there is nothing to take back.`,
    );
  if (state.landings.some((one) => one.undoes === landing.id && one.status === "begun")) return accept();
  const { changeset, target, ref } = landing;
  return accept({
    agent: "lead",
    type: "changeset.landing",
    data: {
      landing: nextLanding(state),
      changeset,
      target,
      ref,
      old: command.old,
      new: command.new,
      tree: command.tree,
      undoes: landing.id,
      ...(command.line === undefined ? {} : { line: command.line }),
    },
  });
};

export const finishUndo: Decider<CommandOf<"undo.finish">> = (state, { landing, commit }) => {
  const begun = findBegunUndo(state, landing);
  if (!begun) return reject("NOT_ALLOWED_NOW", `${landing} is not being taken back.`);
  return accept(
    { agent: "lead", type: "landing.undone", data: { landing, commit, by: begun.id } },
    ...withdrawLines(state, landing),
  );
};

/** A review of the whole branch shows what has just been taken back, so it is asked for anew. */
function withdrawLines(state: RunState, undone: LandingId): readonly DraftEvent[] {
  const stale = state.changeSets.filter(
    (set) => set.isLine && (set.status === "open" || set.status === "held" || set.status === "approved"),
  );
  return stale.flatMap((set): readonly DraftEvent[] => {
    const reason = `${undone} was taken back.`;
    const dropped: DraftEvent = { agent: "lead", type: "changeset.dropped", data: { changeset: set.id, reason } };
    const open = state.approvals.filter((approval) => approval.id === set.approval && approval.status === "open");
    return [...open.map((approval) => withdraw(approval, reason)), dropped];
  });
}

export const failUndo: Decider<CommandOf<"undo.fail">> = (state, { landing, code, sentence }) => {
  const begun = findBegunUndo(state, landing);
  return begun
    ? accept({ agent: "lead", type: "landing.failed", data: { landing: begun.id, code, sentence } })
    : accept();
};

function findBegun(state: RunState, changeset: ChangeSetId): LandingState | undefined {
  return state.landings.findLast((one) => one.changeset === changeset && one.undoes === null && one.status === "begun");
}

function findBegunUndo(state: RunState, landing: LandingId): LandingState | undefined {
  return state.landings.findLast((one) => one.undoes === landing && one.status === "begun");
}

function nextLanding(state: RunState): LandingId {
  return `${state.run}-l${state.landings.length + 1}` as LandingId;
}
