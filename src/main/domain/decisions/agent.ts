// Decisions about one agent's turn: the request, its answer, its calls and its result.

import type { AgentId } from "../../../shared/contract/ids.ts";
import { nothing, overrun } from "../budget.ts";
import type { Command } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import type { SubagentResult, ToolCall } from "../records.ts";
import { isTerminal } from "../lifecycle.ts";
import { spendable } from "../spendable.ts";
import { type CallState, findAgent, findNode, requireAgent, requireNode, type RunState } from "../state.ts";
import { isAskedForMore, isLastLeadStep, leadAllowance, sliceUsed, wrapUpAllowance } from "../turn.ts";
import { answer } from "./answer.ts";
import { accept, type Decider, type Decision, reject } from "./decision.ts";
import { askForMore } from "./raise.ts";
import { stopAll } from "./run.ts";

type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;

/** Calls in one turn beyond this number are refused one by one. */
export const maxCallsPerTurn = 10;

export const request: Decider<CommandOf<"agent.request">> = (state, command) => {
  const agent = requireAgent(state, command.agent);
  if (!mayAct(state, command.agent)) return notActive(command.agent);
  if (agent.request !== null) return reject("NOT_ALLOWED_NOW", `${command.agent} has a request in flight.`);
  if (waitsForMore(state, command.agent)) return leadWaitsForMore;
  const raise = raiseFor(state, command);
  if (raise) return accept(raise);
  const refusal = budgetRefusal(state, command);
  if (refusal) return refusal;
  const limit: readonly DraftEvent[] =
    command.agent === "lead" && command.isForced && state.lead.limitReached === null
      ? [
          {
            agent: "lead",
            type: "budget.exhausted",
            data: { agent: "lead", balance: command.forcedBy ?? "maxSteps" },
          },
        ]
      : [];
  const { inputTokens, outputTokens, costMicros } = command.estimate;
  return accept(...limit, {
    agent: command.agent,
    type: "model.requested",
    data: {
      request: `${command.agent}-t${agent.requestCount + 1}`,
      model: command.model,
      estimate: { inputTokens, outputTokens, costMicros: command.isCostKnown ? costMicros : null },
      ...(command.isForced ? { forced: true } : {}),
      ...(command.prompt === undefined ? {} : { prompt: command.prompt.text, promptKind: command.prompt.kind }),
    },
  });
};

export const complete: Decider<CommandOf<"agent.complete">> = (state, command) => {
  const agent = findAgent(state, command.agent);
  if (agent?.request?.id !== command.request) return accept();
  const done: DraftEvent = {
    agent: command.agent,
    type: "model.completed",
    data: {
      request: command.request,
      text: command.text,
      ...(command.reasoning === "" ? {} : { reasoning: command.reasoning }),
      toolCalls: command.toolCalls,
      finish: command.finish,
      usage: command.usage,
      costMicros: command.costMicros,
    },
  };
  return accept(done, ...refusedCalls(command.agent, agent.request.isForced, command.toolCalls));
};

/** A summary is on disk in the same moment as its answer, so that no crash comes between the two. */
export const summarize: Decider<CommandOf<"agent.summarize">> = (state, command) => {
  const { agent, request: id, text, reasoning, finish, usage, costMicros, from, to, upTo, summary, ledger } = command;
  if (findAgent(state, agent)?.request?.id !== id) return accept();
  return accept(
    {
      agent,
      type: "model.completed",
      data: {
        request: id,
        text,
        ...(reasoning === "" ? {} : { reasoning }),
        toolCalls: [],
        finish,
        usage,
        costMicros,
        purpose: "summary",
      },
    },
    {
      agent,
      type: "context.compacted",
      data: { from, to, stubbed: 0, calls: [], upTo, summary, ...(ledger === undefined ? {} : { ledger }) },
    },
  );
};

/** Calls of a turn that are not carried out: the excess, and any in a lead's forced turn, which offers no tools. */
function refusedCalls(agent: AgentId, isForced: boolean, calls: readonly ToolCall[]): readonly DraftEvent[] {
  const isLastWord = agent === "lead" && isForced;
  const [code, message] = isLastWord
    ? ["NO_TOOLS", "This turn was the last one and offered no tools."]
    : ["TOO_MANY_CALLS", `At most ${maxCallsPerTurn} calls a turn are carried out; make this one in a later turn.`];
  return calls.slice(isLastWord ? 0 : maxCallsPerTurn).map((call): DraftEvent => ({
    agent,
    type: "tool.refused",
    data: { call: call.id, tool: call.name, code, message },
  }));
}

/** A request that failed. `isFinal`: no retry is left, so the agent ends; a lead takes its run with it. */
export const failRequest: Decider<CommandOf<"agent.failRequest">> = (state, command) => {
  const agent = findAgent(state, command.agent);
  if (agent?.request?.id !== command.request) return accept();
  const failed: DraftEvent = {
    agent: command.agent,
    type: "model.failed",
    data: {
      request: command.request,
      code: command.code,
      message: command.message,
      ...(command.text === "" ? {} : { text: command.text }),
      ...(command.wasCharged ? { charged: true } : {}),
    },
  };
  return accept(failed, ...(command.isFinal ? endAgent(state, command.agent, command.code, command.message) : []));
};

export const retry: Decider<CommandOf<"agent.retry">> = (state, { agent, request: id, attempt, waitMs, reason }) =>
  mayAct(state, agent)
    ? accept({ agent, type: "model.retried", data: { request: id, attempt, waitMs, reason } })
    : notActive(agent);

export const compact: Decider<CommandOf<"agent.compact">> = (state, { agent, from, to, calls, ledger }) =>
  mayAct(state, agent)
    ? accept({
        agent,
        type: "context.compacted",
        data: { from, to, stubbed: calls.length, calls, ...(ledger === undefined ? {} : { ledger }) },
      })
    : notActive(agent);

export const loseRequest: Decider<CommandOf<"agent.loseRequest">> = (state, { agent }) => {
  const { request: open } = requireAgent(state, agent);
  return open === null ? accept() : accept({ agent, type: "model.lost", data: { request: open.id } });
};

export const refuse: Decider<CommandOf<"agent.refuse">> = (state, { agent, call, code, message }) => {
  const open = findCall(state, agent, call);
  if (open?.status !== "open") return accept();
  return accept({ agent, type: "tool.refused", data: { call, tool: open.tool, code, message } });
};

/** The record that must be on disk before a tool touches the world. Never twice under one call id. */
export const dispatch: Decider<CommandOf<"agent.dispatch">> = (state, command) => {
  const open = findCall(state, command.agent, command.call);
  if (open?.status !== "open")
    return reject("NOT_ALLOWED_NOW", `The call ${command.call} is ${open?.status ?? "unknown"}.`);
  if (!mayAct(state, command.agent)) return notActive(command.agent);
  if (waitsForMore(state, command.agent)) return leadWaitsForMore;
  const asked = state.approvals.findLast(
    (one) => one.agent === command.agent && one.call === open.id && one.status !== "withdrawn",
  );
  if (asked && asked.decision !== "approved")
    return reject("NOT_ALLOWED_NOW", `${asked.id} has not allowed the call ${open.id}.`);
  const refusal = refusalForBudget(state, command.agent, open);
  if (refusal) return accept(...refusal);
  return accept({
    agent: command.agent,
    type: "tool.dispatched",
    data: {
      call: command.call,
      tool: open.tool,
      effect: command.effect,
      class: command.class,
      input: command.input,
      ...(asked === undefined ? {} : { approval: asked.id }),
    },
  });
};

/** What a call becomes that no budget is left for; `null` when there is some. A lead's stays open while a person is asked for more; without them its wrap-up turn is next. */
export function refusalForBudget(state: RunState, agent: AgentId, call: CallState): readonly DraftEvent[] | null {
  const budget = spendable(state, call.id);
  const limit = agent === "lead" ? budget.limit.toolCalls : requireNode(state, agent).slice.toolCalls;
  const used =
    agent === "lead"
      ? budget.used.toolCalls + budget.reserved.toolCalls
      : sliceUsed(requireNode(state, agent)).toolCalls;
  if (limit === null || used + 1 <= limit) return null;
  const raise = agent === "lead" && state.lead.limitReached === null ? askForMore(state, "toolCalls") : null;
  if (raise) return [raise];
  const message = `All ${limit} tool calls of the budget are used or held by subagents.`;
  const refused: DraftEvent = {
    agent,
    type: "tool.refused",
    data: { call: call.id, tool: call.tool, code: "BUDGET_EXHAUSTED", message },
  };
  if (agent !== "lead" || state.lead.limitReached !== null) return [refused];
  return [refused, { agent: "lead", type: "budget.exhausted", data: { agent: "lead", balance: "toolCalls" } }];
}

/** What came of a dispatched call. Taken also from an agent that was ended meanwhile: the effect happened. */
export const settle: Decider<CommandOf<"agent.settle">> = (state, command) => {
  const open = findCall(state, command.agent, command.call);
  if (open?.status !== "dispatched") return accept();
  const { outcome, exitCode, durationMs, output, code, resultHash, seen, changedState } = command;
  return accept({
    agent: command.agent,
    type: "tool.settled",
    data: {
      call: command.call,
      tool: open.tool,
      outcome,
      ...(exitCode === undefined ? {} : { exitCode }),
      durationMs,
      output,
      ...(code === undefined ? {} : { code }),
      resultHash,
      ...(seen === undefined ? {} : { seen }),
      ...(changedState === undefined ? {} : { changedState }),
    },
  });
};

export const submit: Decider<CommandOf<"agent.submit">> = (state, command) => {
  const node = requireNode(state, command.agent);
  if (node.status !== "running" || node.request !== null) return notActive(command.agent);
  if (command.call !== null && findCall(state, command.agent, command.call)?.status !== "open") return accept();
  const { result } = command;
  const schema = command.schema === "ok" && node.repairs > 0 ? "repaired" : command.schema;
  const evidence = result.evidence.map((claim, index) => ({
    ...claim,
    mark: command.marks[index] ?? ("not checkable" as const),
  }));
  const answered: readonly DraftEvent[] =
    command.call === null ? [] : [answer(command.agent, command.call, "submitResult", { accepted: true })];
  return accept(
    ...answered,
    { agent: command.agent, type: "subagent.result", data: { call: command.call, result, schema, evidence } },
    ...afterResult(command.agent, result, node.writes),
  );
};

export const repair: Decider<CommandOf<"agent.repair">> = (state, { agent, call, errors }) => {
  if (requireNode(state, agent).status !== "running") return notActive(agent);
  if (findCall(state, agent, call)?.status !== "open") return accept();
  const error = {
    code: "BAD_RESULT",
    message: `The result does not fit: ${errors.join("; ")}`,
    hint: "Call submitResult again with these mended.",
  };
  return accept(
    { agent, type: "subagent.repair", data: { call, errors } },
    answer(agent, call, "submitResult", { error }),
  );
};

/** Ends an agent that cannot go on, at work or while it submits. */
export const fail: Decider<CommandOf<"agent.fail">> = (state, { agent, code, sentence }) =>
  mayAct(state, agent) || findNode(state, agent)?.status === "submitting"
    ? accept(...endAgent(state, agent, code, sentence))
    : notActive(agent);

export const check: Decider<CommandOf<"agent.check">> = (state, { agent, verdict, reason, code }) => {
  const node = findNode(state, agent);
  if (node?.status !== "running") return accept();
  const checked: DraftEvent = { agent, type: "subagent.checked", data: { verdict, reason } };
  return accept(checked, ...(code === undefined ? [] : endAgent(state, agent, code, `${reason}.`)));
};

/** The events that end an agent: a subagent fails, a lead takes its run with it. */
export function endAgent(state: RunState, agent: AgentId, code: string, sentence: string): readonly DraftEvent[] {
  if (agent === "lead") {
    if (state.ending !== null) return [];
    return [
      { agent: "lead", type: "run.ending", data: { reason: "failed", code, sentence } },
      ...stopAll(state, code, "The lead failed."),
    ];
  }
  return isTerminal(requireNode(state, agent).status)
    ? []
    : [{ agent, type: "subagent.stopped", data: { status: "failed", code, sentence } }];
}

/** Whether an agent may begin something new. */
export function mayAct(state: RunState, agent: AgentId): boolean {
  if (state.ending !== null || (state.status !== "running" && state.status !== "waiting")) return false;
  return agent === "lead" || findNode(state, agent)?.status === "running";
}

/** A person who is asked for more decides how the lead goes on: neither a last turn nor another question comes before. */
function waitsForMore(state: RunState, agent: AgentId): boolean {
  return agent === "lead" && isAskedForMore(state);
}

const leadWaitsForMore = reject("NOT_ALLOWED_NOW", "The lead waits for more budget.");

function notActive(agent: AgentId): Decision {
  return reject("NOT_ACTIVE", `${agent} is not at work.`);
}

function findCall(state: RunState, agent: AgentId, call: string): CallState | undefined {
  return findAgent(state, agent)?.calls.find((one) => one.id === call);
}

function afterResult(agent: AgentId, result: SubagentResult, writes: boolean): readonly DraftEvent[] {
  switch (result.status) {
    case "blocked":
      return [
        { agent, type: "subagent.stopped", data: { status: "failed", code: "BLOCKED", sentence: result.answer } },
      ];
    case "needs_context":
      return [{ agent, type: "subagent.waiting", data: { for: "context", question: result.answer } }];
    case "done":
    case "done_with_concerns":
      // A writer goes on to its submission; the result itself is that transition.
      return writes ? [] : [{ agent, type: "subagent.stopped", data: { status: "completed" } }];
  }
}

/** The question for more budget that comes before the lead's last turn; `null`: none is needed, it was answered, or nobody is there. */
function raiseFor(state: RunState, command: CommandOf<"agent.request">): DraftEvent | null {
  const { lead } = state;
  if (command.agent !== "lead" || lead.limitReached !== null || isLastLeadStep(state)) return null;
  const balance = command.isForced ? command.forcedBy : overrun(leadAllowance(state), nothing, command.estimate)[0];
  return balance === undefined ? null : askForMore(state, balance);
}

/** What a request that the budget cannot bear becomes; `null` when it can. */
function budgetRefusal(state: RunState, command: CommandOf<"agent.request">): Decision | null {
  if (command.agent !== "lead") {
    const node = requireNode(state, command.agent);
    const [balance] = overrun(node.slice, sliceUsed(node), command.estimate);
    if (balance === undefined) return null;
    return accept(
      { agent: command.agent, type: "budget.exhausted", data: { agent: command.agent, balance } },
      ...endAgent(
        state,
        command.agent,
        balance === "steps" ? "MAX_STEPS" : "BUDGET_EXHAUSTED",
        `Its slice holds no more ${balance}.`,
      ),
    );
  }
  const allowance = command.isForced ? wrapUpAllowance(state) : leadAllowance(state);
  const [balance] = overrun(allowance, nothing, command.estimate);
  if (balance === undefined) return null;
  if (command.isForced) return accept(...endRun(state, balance));
  return accept({ agent: "lead", type: "budget.exhausted", data: { agent: "lead", balance } });
}

function endRun(state: RunState, balance: string): readonly DraftEvent[] {
  if (state.ending !== null) return [];
  const sentence = `The budget holds no more ${balance}, not even for a last turn.`;
  return [
    { agent: "lead", type: "run.ending", data: { reason: "budget_exhausted", code: "BUDGET_EXHAUSTED", sentence } },
    ...stopAll(state, "BUDGET_EXHAUSTED", "The run's budget is used up."),
  ];
}
