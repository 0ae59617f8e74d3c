// An effect that a crash cut off and whose outcome nobody can know: a person is asked, only its agent waits, and the
// answer settles the call. It is never dispatched again under its id.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import type { ToolOutcome } from "../records.ts";
import {
  type AgentState,
  type ApprovalState,
  type CallState,
  findAgent,
  findNode,
  requireAgent,
  type RunState,
} from "../state.ts";
import { accept, type Decider, type Decision, reject } from "./decision.ts";
import { wakeAsker } from "./decided.ts";
import { nextApproval } from "./nextApproval.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

/** What a person may say of it, with the outcome that the call gets and what its agent reads. */
const answers: Readonly<Record<string, { readonly outcome: ToolOutcome; readonly output: string }>> = {
  applied: {
    outcome: "reconciled",
    output: "Coppice was interrupted during this. A person looked and says: it took effect. Do not do it again.",
  },
  not_applied: {
    outcome: "not_applied",
    output:
      "Coppice was interrupted during this. A person looked and says: it did not take effect. Ask again if you still need it.",
  },
  unknown: {
    outcome: "unknown",
    output:
      "Coppice was interrupted during this, and whether it took effect is not known. Look before you do it again.",
  },
};

/** Asks once for each call, however often recovery comes by. An agent that has ended is not asked for: its call is settled as unknown. */
export const askAboutEffect: Decider<CommandOf<"effect.ask">> = (
  state,
  { agent, call: id, because, files, output },
) => {
  const call = findAgent(state, agent)?.calls.find((one) => one.id === id);
  if (call?.status !== "dispatched" || openQuestion(state, agent, id) !== undefined) return accept();
  const node = findNode(state, agent);
  const isActive = node ? node.status === "running" || node.status === "waiting" : state.ending === null;
  if (!isActive || state.status === "stopped") return accept(settled(agent, call, "unknown"));
  const approval = nextApproval(state);
  const line = commandOf(call);
  const asked: DraftEvent = {
    agent,
    type: "approval.requested",
    data: {
      approval,
      kind: "effect",
      agent,
      summary: `Did this take effect? ${line ?? call.tool}`,
      why: because,
      call: id,
      ...(line === null ? {} : { command: line }),
      choices: Object.keys(answers),
      effect: { tool: call.tool, startedAt: call.at, because, files, ...(output === undefined ? {} : { output }) },
    },
  };
  if (node?.status !== "running") return accept(asked);
  return accept(asked, { agent: node.id, type: "subagent.waiting", data: { for: "person", approval } });
};

/** `applied`, `not_applied` or `unknown`: settles the call, and lets its agent go on. */
export function answerEffect(
  state: RunState,
  approval: ApprovalState,
  command: CommandOf<"approval.decide">,
): Decision {
  const said = command.decision === "answered" ? (command.comment ?? "").trim() : "";
  if (!Object.hasOwn(answers, said))
    return reject(
      "BAD_USAGE",
      `${approval.id} asks what became of an effect: coppice answer ${approval.id} ${Object.keys(answers).join("|")}.`,
    );
  const { agent } = approval;
  const decided: DraftEvent = {
    agent,
    type: "approval.decided",
    data: { approval: approval.id, decision: "answered", by: command.by, scope: "once", comment: said },
  };
  return accept(decided, ...settlementOf(state, approval, said), ...wakeAsker(state, approval));
}

/** Nobody is left to answer for: the call of a withdrawn question is settled as unknown, so that none stays open. */
export function settleUnanswered(state: RunState, approval: ApprovalState): readonly DraftEvent[] {
  return approval.kind === "effect" ? settlementOf(state, approval, "unknown") : [];
}

/** What is left of an agent's calls when it goes for good is settled as unknown: an outcome that came later would be none of its time. */
export function settleLeft({ id, calls }: AgentState): readonly DraftEvent[] {
  return calls.filter((call) => call.status === "dispatched").map((call) => settled(id, call, "unknown"));
}

function settlementOf(state: RunState, approval: ApprovalState, said: string): readonly DraftEvent[] {
  const call = requireAgent(state, approval.agent).calls.find((one) => one.id === approval.call);
  return call?.status === "dispatched" ? [settled(approval.agent, call, said)] : [];
}

function settled(agent: AgentId, call: CallState, said: string): DraftEvent {
  const { outcome, output } = answers[said] ?? { outcome: "unknown" as const, output: said };
  return {
    agent,
    type: "tool.settled",
    data: {
      call: call.id,
      tool: call.tool,
      outcome,
      durationMs: 0,
      output,
      resultHash: `cut:${call.id}`,
      changedState: outcome !== "not_applied",
    },
  };
}

function openQuestion(state: RunState, agent: AgentId, call: string): ApprovalState | undefined {
  return state.approvals.find(
    (one) => one.kind === "effect" && one.agent === agent && one.call === call && one.status === "open",
  );
}

function commandOf(call: CallState): string | null {
  const { input } = call;
  if (typeof input !== "object" || input === null || !("command" in input)) return null;
  return typeof input.command === "string" ? input.command : null;
}
