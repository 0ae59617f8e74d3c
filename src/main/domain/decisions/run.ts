// Decisions about the run as a whole: start, cancel, pause, go on, stop.

import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { Command } from "../commands.ts";
import { isAskingLead } from "../arrival.ts";
import { mayStop } from "../duties.ts";
import { unreconciledWords } from "../verdictNews.ts";
import type { DraftEvent, EventData } from "../events.ts";
import { isTerminal } from "../lifecycle.ts";
import { obstacleTo, overriding } from "../overrides.ts";
import type { StopReason } from "../records.ts";
import { findNode, type NodeState, type RunState } from "../state.ts";
import { forgottenChildren, nextLeadTurn } from "../turn.ts";
import { withdraw } from "./decided.ts";
import { accept, type Decider, type Decision, reject } from "./decision.ts";
import { settleLeft } from "./effect.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

export const start: Decider<CommandOf<"run.start">> = (state, { epoch }) =>
  state.status === "created"
    ? accept({ agent: "lead", type: "run.started", data: { epoch } })
    : reject("NOT_ALLOWED_NOW", `The run is ${state.status}, not new.`);

/** What holds already changes nothing. Work that is under way goes by what it began with, so nothing may be. */
export const override: Decider<CommandOf<"run.override">> = (state, { overrides }, facts) => {
  if (facts.isDriving && state.status === "running")
    return reject("NOT_ALLOWED_NOW", "The run is at work; its options change when it is taken over.");
  const obstacle = obstacleTo(state, overrides);
  return obstacle === null ? accept(...overriding(state, overrides)) : { rejection: obstacle };
};

/** A process has taken the lease of a run that was not driven. */
export const recover: Decider<CommandOf<"run.recover">> = (state, { epoch, pauses }) => {
  if (state.status === "stopped") return reject("RUN_STOPPED", "The run has stopped.");
  if (state.status === "created") return accept({ agent: "lead", type: "run.started", data: { epoch } });
  // Lost by the crash: the answer is unknown, what it was estimated at stays charged.
  const lost = [state.lead, ...state.nodes]
    .filter((agent) => agent.request !== null)
    .map((agent): DraftEvent => ({ agent: agent.id, type: "model.lost", data: { request: agent.request?.id ?? "" } }));
  // Paused by a person: only a person's word makes it go on, whoever drives it now.
  if (state.status === "paused") return accept(...lost);
  const after = state.status === "waiting" || state.status === "ready" ? "waiting" : "crash";
  const paused: readonly DraftEvent[] =
    pauses === true && state.ending === null ? [{ agent: "lead", type: "run.paused", data: { after: "crash" } }] : [];
  return accept({ agent: "lead", type: "run.resumed", data: { epoch, after } }, ...lost, ...paused);
};

export const interrupt: Decider<CommandOf<"run.interrupt">> = (state, { reason }) =>
  state.status === "stopped"
    ? reject("RUN_STOPPED", "The run has stopped.")
    : accept(
        ...(state.status === "interrupted"
          ? []
          : [{ agent: "lead", type: "run.interrupted", data: { reason } } as const]),
      );

/** Nothing new starts; what is in flight is ended; a landing under way is never cut. */
export const cancel: Decider<CommandOf<"run.cancel">> = (state, { by }) => {
  if (state.status === "stopped") return reject("RUN_STOPPED", "The run has stopped already.");
  if (state.ending !== null) return accept();
  return accept(
    { agent: "lead", type: "run.ending", data: { reason: "cancelled", by } },
    ...stopAll(state, "CANCELLED", `Cancelled by ${by}.`),
  );
};

export const pause: Decider<CommandOf<"run.pause">> = (state) => {
  if (state.status === "paused") return accept();
  if (state.status !== "running" && state.status !== "waiting")
    return reject("NOT_ALLOWED_NOW", `The run is ${state.status}.`);
  return accept({ agent: "lead", type: "run.paused", data: {} });
};

export const resume: Decider<CommandOf<"run.resume">> = (state, _command, facts) => {
  if (state.status !== "paused") return accept();
  return accept({ agent: "lead", type: "run.resumed", data: { epoch: facts.epoch, after: "paused" } });
};

/** Most characters of a title. */
const maxTitle = 200;

/** A title is one line; the same one again changes nothing. */
export const rename: Decider<CommandOf<"run.rename">> = (state, { title, by }) => {
  const line = title.trim().replace(/\s+/g, " ");
  if (line === "") return reject("BAD_USAGE", "A run's title has at least one character.");
  if (line.length > maxTitle) return reject("BAD_USAGE", `A run's title has at most ${maxTitle} characters.`);
  return line === state.title ? accept() : accept({ agent: "lead", type: "run.renamed", data: { title: line, by } });
};

/** Only the same repository elsewhere: what it is known by is its root commit. */
export const rebind: Decider<CommandOf<"run.rebind">> = (state, { repository, by }) => {
  const { topLevel, commonDir, rootCommit } = repository;
  if (rootCommit !== state.repo.rootCommit)
    return reject(
      "REPOSITORY_DIFFERS",
      `${topLevel} is another repository than that of ${state.run}: it begins at ${rootCommit}, not at ${state.repo.rootCommit}.`,
    );
  return topLevel === state.repo.topLevel && commonDir === state.repo.commonDir
    ? accept()
    : accept({ agent: "lead", type: "repository.moved", data: { repository, by } });
};

export const input: Decider<CommandOf<"run.input">> = (state, { text, from, to }, facts) => {
  if (state.status !== "stopped" && state.ending !== null)
    return reject("NOT_ALLOWED_NOW", "The run is about to stop.");
  const received: DraftEvent = { agent: "lead", type: "input.received", data: { text, from, to } };
  if (to !== "lead") return inputToSubagent(state, received, to);
  if (state.status !== "stopped") return accept(received);
  return accept(received, { agent: "lead", type: "run.resumed", data: { epoch: facts.epoch, after: "input" } });
};

/** A person's words to a subagent: the answer to its question when it asked one. */
function inputToSubagent(state: RunState, received: DraftEvent, to: SubagentId): Decision {
  const node = findNode(state, to);
  if (!node) return reject("UNKNOWN_SUBAGENT", `There is no ${to} in this run.`);
  if (isTerminal(node.status))
    return reject("NOT_ALLOWED_NOW", `${to} has ${node.status} already; write to the lead instead.`);
  if (node.status === "awaiting_review" || node.status === "landing")
    return reject("NOT_ALLOWED_NOW", `${to} has submitted; send its change set back instead.`);
  return accept(received, ...answerQuestion(node));
}

/** A node that waits for context goes on with what it was just told. */
export function answerQuestion(node: NodeState): readonly DraftEvent[] {
  if (!isAskingLead(node)) return [];
  return [{ agent: node.id, type: "subagent.queued", data: { code: "READY", sentence: "Its question was answered." } }];
}

/** The wall time is over: children stop, the lead gets its wrap-up turn. */
export const expire: Decider<CommandOf<"run.expire">> = (state) => {
  if (state.status === "stopped" || state.ending !== null || state.lead.limitReached !== null) return accept();
  // More of another balance would buy no more time.
  const moot = state.approvals
    .filter((one) => one.kind === "budget" && one.status === "open")
    .map((one) => withdraw(one, "The run's wall time is over."));
  return accept(
    ...moot,
    { agent: "lead", type: "budget.exhausted", data: { agent: "lead", balance: "wallMs" } },
    ...stopAll(state, "WALL_TIME", "The run's wall time is over."),
  );
};

export const abandonChildren: Decider<CommandOf<"lead.abandonChildren">> = (state) =>
  accept(...(nextLeadTurn(state).kind === "abandonChildren" ? forgottenChildren(state).map(abandon) : []));

export const stop: Decider<CommandOf<"run.stop">> = (state) => {
  if (state.status === "stopped") return accept();
  if (!mayStop(state)) return reject("NOT_ALLOWED_NOW", "The run still has work in flight.");
  const reason = state.ending?.reason ?? state.lead.limitReached ?? "final_answer";
  const withdrawn = state.approvals
    .filter((approval) => approval.status === "open")
    .map((approval) => withdraw(approval, "The run has stopped."));
  return accept(...settleLeft(state.lead), ...withdrawn, {
    agent: "lead",
    type: "run.stopped",
    data: {
      reason,
      answer: state.lead.spoke?.text ?? "",
      partial: reason !== "final_answer",
      ...whyStopped(state, reason),
    },
  });
};

function whyStopped(state: RunState, reason: StopReason): Pick<EventData["run.stopped"], "code" | "sentence"> {
  if (reason === "manual_reconciliation") return { code: reason.toUpperCase(), sentence: unreconciledWords(state) };
  return {
    ...(state.ending?.code == null ? {} : { code: state.ending.code }),
    ...(state.ending?.sentence == null ? {} : { sentence: state.ending.sentence }),
  };
}

/** Ends every node that can still be ended. */
export function stopAll(state: RunState, code: string, sentence: string): readonly DraftEvent[] {
  return state.nodes
    .filter((node) => !isTerminal(node.status) && node.status !== "landing")
    .map((node) => ({ agent: node.id, type: "subagent.stopped", data: { status: "cancelled", code, sentence } }));
}

function abandon(node: NodeState): DraftEvent {
  if (isAskingLead(node)) {
    return {
      agent: node.id,
      type: "subagent.stopped",
      data: { status: "failed", code: "NEEDS_CONTEXT", sentence: "The lead ended without answering its question." },
    };
  }
  return {
    agent: node.id,
    type: "subagent.stopped",
    data: { status: "cancelled", code: "ABANDONED", sentence: "The lead ended without waiting for it." },
  };
}
