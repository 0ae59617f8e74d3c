// The lead's control tools. They are commands, not effects: the answer is committed with their event, and a wait that
// a crash interrupted is simply asked again under the same call id.

import type { Json } from "../../../shared/lib/json.ts";
import type { AgentId, SubagentId } from "../../../shared/contract/ids.ts";
import type { Command, ControlCall, Facts, SpawnArguments, WaitArguments } from "../commands.ts";
import { hasArrived, isAskingLead } from "../arrival.ts";
import type { DraftEvent } from "../events.ts";
import { isTerminal } from "../lifecycle.ts";
import { notesToTell } from "../notepad.ts";
import { relayRefusal } from "../policy/relay.ts";
import { resultOf } from "../projections/result.ts";
import { findNode, type NodeState, requireAgent, requireNode, type RunState } from "../state.ts";
import { isAskedForMore } from "../turn.ts";
import { contradictorsIn, openConflicts } from "../verdictConflicts.ts";
import { endAgent, refusalForBudget } from "./agent.ts";
import { answer, problem } from "./answer.ts";
import { hasNobodyToAsk, nextApproval } from "./nextApproval.ts";
import { accept, type Decider, type Decision, reject } from "./decision.ts";
import { answerQuestion } from "./run.ts";
import { mayDelegate } from "./mayDelegate.ts";
import { messagePeer } from "./peers.ts";
import { costRefusal, proposePlan } from "./planApproval.ts";
import { decideSpawn, isRefusal } from "./spawn.ts";

type Control = Extract<Command, { type: "agent.control" }>;

export const control: Decider<Control> = (state, { agent, call, control: asked }, facts) => {
  const open = requireAgent(state, agent).calls.find((one) => one.id === call);
  if (open?.status !== "open" || state.ending !== null) return accept();
  if (open.tool !== asked.tool) return reject("OTHER_CALL", `Call ${call} is ${open.tool}, not ${asked.tool}.`);
  if (state.status === "interrupted" || state.status === "created" || state.status === "stopped")
    return reject("NOT_ACTIVE", `The run is ${state.status}.`);
  if (agent === "lead" && isAskedForMore(state)) return accept();
  const refusal = refusalForBudget(state, agent, open);
  if (refusal) return accept(...refusal);
  switch (asked.tool) {
    case "spawnSubagent":
      return spawn(state, agent, call, asked.input, facts);
    case "waitForSubagents":
      return wait(state, agent, call, open.at, asked.input, facts);
    case "cancelSubagent":
      return cancel(state, agent, call, asked.input.subagentId);
    case "peekSubagents":
      return accept(answer(agent, call, asked.tool, { subagents: glimpses(state), ...notesSeen(state) }));
    case "messageSubagent":
      return message(state, agent, call, asked.input);
    case "askPerson":
      return ask(state, agent, call, asked.input);
    case "updatePlan":
      return proposePlan(state, agent, call, asked.input.steps, facts);
    case "messagePeer":
      return messagePeer(state, agent, call, asked.input);
    case "note":
      return accept({ agent, type: "note.added", data: asked.input }, answer(agent, call, "note", { noted: true }));
  }
};

function spawn(state: RunState, agent: AgentId, call: string, input: SpawnArguments, facts: Facts): Decision {
  const asked = mayDelegate(state, agent, input);
  const decided = "code" in asked ? asked : decideSpawn(state, asked, call, facts);
  const outcome = isRefusal(decided) ? decided : (costRefusal(state, decided) ?? decided);
  if (isRefusal(outcome)) {
    const { code, sentence } = outcome;
    return accept(
      { agent: "lead", type: "handoff.refused", data: { code, sentence, task: input.task, call } },
      answer(agent, call, "spawnSubagent", problem(code, sentence)),
      ...(code === "KEY_CONFLICT" ? endAgent(state, agent, code, sentence) : []),
    );
  }
  if (outcome.events.length === 0)
    return accept(answerSpawn(agent, call, requireNode(state, outcome.subagent), outcome.warnings));
  // The answer names the status that scheduling gives the node, so it is written after that; see `answerSpawns`.
  return accept(...outcome.events);
}

/** The answer of a spawn whose node has been queued or started in the same transaction. */
export function answerSpawn(agent: AgentId, call: string, node: NodeState, warnings: readonly string[]): DraftEvent {
  return answer(agent, call, "spawnSubagent", {
    subagentId: node.id,
    status: node.status,
    ...(node.queue === null || node.queue.code === "READY"
      ? {}
      : { waitingFor: { code: node.queue.code, sentence: node.queue.sentence } }),
    ...(warnings.length === 0 ? {} : { warnings }),
  });
}

function wait(
  state: RunState,
  agent: AgentId,
  call: string,
  askedAt: number,
  input: WaitArguments,
  facts: Facts,
): Decision {
  const unknown = input.subagentIds.find((id) => !state.nodes.some((node) => node.id === id));
  if (unknown !== undefined) {
    return accept(
      answer(
        agent,
        call,
        "waitForSubagents",
        problem(
          "UNKNOWN_SUBAGENT",
          `There is no ${unknown}; those that exist are ${state.nodes.map((node) => node.id).join(", ") || "none"}.`,
        ),
      ),
    );
  }
  const isOver = input.timeoutMs !== undefined && facts.now - askedAt >= input.timeoutMs;
  if (!isWaitOver(state, input) && !isOver) return accept();
  const nodes = input.subagentIds.map((id) => findNode(state, id as AgentId)).filter((node) => node !== undefined);
  const results: Record<string, Json> = {};
  for (const node of nodes) if (hasArrived(node, input.until)) results[node.id] = resultOf(state, node);
  // The question that holds the others up, though nobody waits for the one that asks it.
  for (const asking of nodes.flatMap((node) => askersBelow(state, node))) results[asking.id] = resultOf(state, asking);
  const pending = nodes.filter((node) => !hasArrived(node, input.until)).map((node) => node.id);
  return accept(
    answer(agent, call, "waitForSubagents", {
      results,
      pending,
      ...(isOver && pending.length > 0 ? { timedOut: true } : {}),
    }),
  );
}

/** Whether a wait has what it asked for. An empty list is over at once. */
export function isWaitOver(state: RunState, input: WaitArguments): boolean {
  const nodes = input.subagentIds.map((id) => findNode(state, id as AgentId)).filter((node) => node !== undefined);
  if (nodes.length < input.subagentIds.length) return true;
  if (input.mode === "any" && (nodes.length === 0 || nodes.some((node) => hasArrived(node, input.until)))) return true;
  // Only the lead's answer lets those go on that hang on a question, so it is not kept waiting for them.
  return nodes.every((node) => hasArrived(node, input.until) || askersBelow(state, node).length > 0);
}

/** The nodes that ask the lead something and that this one, which has not started, depends on, however far. */
function askersBelow(state: RunState, node: NodeState): readonly NodeState[] {
  if (node.startedAt !== null || isTerminal(node.status)) return [];
  return node.dependsOn.flatMap(({ id }) => {
    const dependency = findNode(state, id);
    if (dependency === undefined) return [];
    return isAskingLead(dependency) ? [dependency] : askersBelow(state, dependency);
  });
}

/** Reads the arguments of a wait as the model wrote them; `null` when they are no wait. */
export function parseWait(text: string): WaitArguments | null {
  const value = parseJson(text);
  const unwrapped = typeof value === "string" ? parseJson(value) : value;
  if (typeof unwrapped !== "object" || unwrapped === null || !("subagentIds" in unwrapped)) return null;
  const { subagentIds } = unwrapped;
  if (!Array.isArray(subagentIds) || !subagentIds.every((id): id is string => typeof id === "string")) return null;
  const { mode, until, timeoutMs } = unwrapped as { mode?: unknown; until?: unknown; timeoutMs?: unknown };
  return {
    subagentIds,
    mode: mode === "any" ? "any" : "all",
    until: until === "completed" ? "completed" : "proposed",
    ...(typeof timeoutMs === "number" ? { timeoutMs } : {}),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON is no wait; the caller's own parser says so to the model.
    return null;
  }
}

function cancel(state: RunState, agent: AgentId, call: string, id: string): Decision {
  const node = state.nodes.find((one) => one.id === id);
  if (!node) return accept(answer(agent, call, "cancelSubagent", problem("UNKNOWN_SUBAGENT", `There is no ${id}.`)));
  if (isTerminal(node.status))
    return accept(
      answer(agent, call, "cancelSubagent", problem("ALREADY_FINISHED", `${id} has ${node.status} already.`)),
    );
  if (node.status === "landing")
    return accept(answer(agent, call, "cancelSubagent", problem("LANDING", `${id} is landing, which is never cut.`)));
  return accept(
    {
      agent: node.id,
      type: "subagent.stopped",
      data: { status: "cancelled", code: "CANCELLED", sentence: "Cancelled by the lead." },
    },
    answer(agent, call, "cancelSubagent", { subagentId: node.id, cancelled: true }),
  );
}

function message(
  state: RunState,
  agent: AgentId,
  call: string,
  { subagentId: id, text }: Extract<ControlCall, { tool: "messageSubagent" }>["input"],
): Decision {
  const node = state.nodes.find((one) => one.id === id);
  const refuse = (code: string, sentence: string) =>
    accept(answer(agent, call, "messageSubagent", problem(code, sentence)));
  if (!node) return refuse("UNKNOWN_SUBAGENT", `There is no ${id}.`);
  if (isTerminal(node.status)) return refuse("ALREADY_FINISHED", `${id} has ${node.status} already.`);
  if (node.status === "awaiting_review" || node.status === "landing")
    return refuse("AWAITING_REVIEW", `${id} has submitted; what it made is being reviewed.`);
  const relayed = relayRefusal(state, [text]);
  if (relayed !== null) return refuse(relayed.code, relayed.sentence);
  const messaged: DraftEvent = { agent: node.id, type: "subagent.messaged", data: { text } };
  return accept(
    messaged,
    ...answerQuestion(node),
    answer(agent, call, "messageSubagent", {
      subagentId: node.id,
      delivered: node.status === "running" ? "at its next turn" : "with its packet",
    }),
  );
}

/** A question is an approval that the call waits for; deciding it answers the call. */
function ask(
  state: RunState,
  agent: AgentId,
  call: string,
  { question, choices }: Extract<ControlCall, { tool: "askPerson" }>["input"],
): Decision {
  if (hasNobodyToAsk(state)) {
    return accept(
      answer(
        agent,
        call,
        "askPerson",
        problem("NOBODY_TO_ASK", "This run is not attended. Decide yourself, and say in your answer what you assumed."),
      ),
    );
  }
  // A question that was withdrawn with the run's stop is asked anew when the run goes on.
  if (state.approvals.some((one) => one.agent === agent && one.call === call && one.status !== "withdrawn"))
    return accept();
  return accept({
    agent,
    type: "approval.requested",
    data: {
      approval: nextApproval(state),
      kind: "question",
      agent,
      summary: question,
      call,
      ...(choices === undefined ? {} : { choices }),
    },
  });
}

/** What stands on the notepad, for the lead, which has no packet to read it in. */
function notesSeen(state: RunState): { readonly [name: string]: Json } {
  const { notes, leftOut } = notesToTell(state);
  return { ...(notes.length === 0 ? {} : { notes }), ...(leftOut === 0 ? {} : { olderNotes: leftOut }) };
}

function glimpses(state: RunState): readonly Json[] {
  const conflicts = openConflicts(state);
  return state.nodes.map((node) => glimpse(node, contradictorsIn(conflicts, node.id)));
}

function glimpse(node: NodeState, contradictedBy: readonly SubagentId[]): Json {
  return {
    subagentId: node.id,
    role: node.role,
    title: node.title,
    status: node.status,
    ...(node.queue === null ? {} : { waitingFor: { code: node.queue.code, sentence: node.queue.sentence } }),
    ...(node.code === null ? {} : { code: node.code }),
    ...(contradictedBy.length === 0 ? {} : { contradictedBy }),
    steps: node.used.steps,
    activity: node.activity,
  };
}
