// Which command an event came of, read from what it recorded: the inputs of a run, for deciding them once more. Where
// several are possible all of them are named; which it was shows in what they become. Pure; decides nothing itself.

import type { AgentId, SubagentId } from "../../../shared/contract/ids.ts";
import { balanceNames, type Balances } from "../../../shared/contract/options.ts";
import type { Command, ControlCall } from "../commands.ts";
import type { EventData, EventOf, EventType, RunEvent } from "../events.ts";
import { withHunks } from "../hunks.ts";
import type { CallState, RunState } from "../state.ts";

/** Where in its journal an event stands. */
export interface Place {
  /** Before the event. */
  readonly state: RunState;
  /** Some of the events after it. */
  readonly next: readonly RunEvent[];
  /** A call of a control tool as it was asked; `null`: its arguments are no such call. */
  parse(call: CallState): ControlCall | null;
}

type Read<T extends EventType> = (event: EventOf<T>, place: Place) => readonly Command[];

/** The commands that this event may be the first trace of; those that become most come first. */
export function inputsOf(event: RunEvent, place: Place): readonly Command[] {
  const read = readers[event.type] as ((event: RunEvent, place: Place) => readonly Command[]) | undefined;
  return read?.(event, place) ?? [];
}

/** An event that is not here follows from others by the rules, and is never the first of a command. */
const readers: { readonly [T in EventType]?: Read<T> } = {
  "run.started": ({ data }) => [{ type: "run.start", epoch: data.epoch }],
  "run.paused": () => [{ type: "run.pause" }],
  "run.resumed": ({ data: { epoch } }) => [
    { type: "run.recover", epoch, pauses: true },
    { type: "run.recover", epoch },
    { type: "run.resume" },
  ],
  "run.interrupted": ({ data }) => [{ type: "run.interrupt", reason: data.reason }],
  "run.ending": readEnding,
  "run.stopped": () => [{ type: "run.stop" }],
  "repository.moved": ({ data }) => [{ type: "run.rebind", ...data }],
  "run.renamed": ({ data }) => [{ type: "run.rename", ...data }],
  "input.received": ({ data }) => [
    { type: "run.input", ...data },
    { type: "verification.close", agent: "lead" },
  ],
  "options.set": ({ data: { target, finalTarget, options = {}, limits = {}, ...others } }) => {
    const landsOn = target ?? finalTarget;
    const overrides = { options, limits, ...others, ...(landsOn === undefined ? {} : { landsOn }) };
    return [{ type: "run.override", overrides }];
  },
  "command.answered": ({ data: { command } }) => [
    // Written by this very event's transaction, so it has a command's shape.
    { ...(command as unknown as Extract<Command, { commandId?: string }>), commandId: "again" },
  ],
  "plan.updated": readCalls,
  "note.added": (event, place) => {
    const { by, ...note } = event.data;
    return by === undefined ? readCalls(event, place) : [{ type: "note.add", ...note, by }];
  },
  "note.retracted": ({ data }) => [{ type: "note.retract", ...data }],

  "model.requested": ({ agent, data }) => requestsOf(agent, data),
  "model.completed": readAnswer,
  "model.failed": ({ agent, data }) =>
    [true, false].map((isFinal) => ({
      type: "agent.failRequest",
      agent,
      request: data.request,
      code: data.code,
      message: data.message,
      text: data.text ?? "",
      isFinal,
      wasCharged: data.charged === true,
    })),
  "model.lost": ({ agent }, { state }) => [
    { type: "run.recover", epoch: state.epoch },
    { type: "agent.loseRequest", agent },
  ],
  "model.retried": ({ agent, data }) => [{ type: "agent.retry", agent, ...data }],
  "context.compacted": ({ agent, data: { from, to, calls, ledger } }) => [
    { type: "agent.compact", agent, from, to, calls, ...(ledger === undefined ? {} : { ledger }) },
  ],

  "tool.refused": ({ agent, data: { call, code, message } }, place) => [
    { type: "agent.refuse", agent, call, code, message },
    ...readCalls(null, place),
    ...readDispatches(place),
  ],
  "tool.dispatched": ({ agent, data }) => [
    {
      type: "agent.dispatch",
      agent,
      call: data.call,
      effect: data.effect,
      class: data.class,
      input: data.input,
    },
  ],
  "tool.settled": ({ agent, data: { tool: _tool, ...settled } }, { state, next }) => [
    { type: "agent.settle", agent, ...settled },
    // Left over at its agent's end, or at the run's.
    ...next.filter((event) => event.type === "subagent.settled").map(settlementOf),
    { type: "run.stop" },
    // Of an agent that has ended, what became of a call is not asked any more.
    { type: "effect.ask", agent, call: settled.call, because: "", files: [] },
    { type: "run.recover", epoch: state.epoch },
  ],
  "tool.answered": ({ agent, data }, place) => [
    ...readResult(agent as SubagentId, data.call, place.next),
    ...readCalls(null, place),
  ],

  "handoff.recorded": readCalls,
  "handoff.refused": readCalls,

  "subagent.resumed": ({ agent }) => [{ type: "verification.close", agent }],
  "subagent.checked": ({ agent, data }, { next }) =>
    [codeOf(next), undefined].map((code) => ({
      type: "agent.check",
      agent: agent as SubagentId,
      ...data,
      ...(code === undefined ? {} : { code }),
    })),
  "subagent.messaged": readCalls,
  "subagent.result": ({ agent, data }) => readResult(agent as SubagentId, data.call, [], data),
  "subagent.repair": ({ agent, data: { call, errors } }) =>
    call === null ? [] : [{ type: "agent.repair", agent: agent as SubagentId, call, errors }],
  "subagent.stopped": ({ agent, data: { code = "", sentence = "" } }, place) => [
    { type: "agent.fail", agent, code, sentence },
    { type: "lead.abandonChildren" },
    ...readCalls(null, place),
  ],
  "subagent.settled": (event) => [settlementOf(event)],

  "worktree.created": ({ agent, data }, { next: [then] }) => {
    const { durationMs = 0, copied = [], pointers = 0 } = then?.type === "worktree.provisioned" ? then.data : {};
    return [{ type: "place.create", agent, ...data, durationMs, copied, pointers }];
  },
  "worktree.provisioned": ({ agent, data: { copied: _copied, pointers: _pointers, ...data } }) => {
    const { command, exitCode, outcome, output } = data;
    if (command === undefined || exitCode === undefined || outcome === undefined || output === undefined) return [];
    return [{ type: "place.provision", agent, run: { ...data, command, exitCode, outcome, output } }];
  },
  "worktree.pinned": ({ agent, data }) => [{ type: "place.pin", agent, ...data }],
  "worktree.removed": ({ agent, data }) => [{ type: "place.remove", agent, path: data.path }],
  "worktree.rebased": ({ agent, data: { text: _text, ...data } }) => [{ type: "place.rebase", agent, ...data }],

  "changeset.proposed": ({ agent, data: { base, commit, tree, ref, target, leftOut = [], ...listed } }) => {
    const files = withHunks(listed);
    return target === undefined
      ? [{ type: "changeset.propose", agent, base, commit, tree, ref, files, leftOut }]
      : [{ type: "line.propose", commit, tree, ref, files, target }];
  },
  "changeset.checked": ({ agent }) => [{ type: "verification.close", agent }],
  "changeset.empty": ({ agent, data }) => [{ type: "changeset.empty", agent, ...data }],
  "verification.ran": ({ agent, data: { by: _by, ...run } }) => [{ type: "verification.record", agent, run }],
  "changeset.reviewed": ({ data: { changeset, by } }) => [{ type: "landing.retry", changeset, by }],
  "changeset.landing": ({ data: { old, new: tip, tree, line, undoes, changeset } }) => {
    const moved = { new: tip, tree, ...(line === undefined ? {} : { line }) };
    if (undoes === undefined) return [{ type: "landing.begin", changeset, old, ...moved }];
    return old === null ? [] : [{ type: "undo.begin", landing: undoes, old, ...moved }];
  },
  "changeset.landed": ({ data: { changeset, commit, files, hooks = [] } }) => [
    { type: "landing.finish", changeset, commit, files, hooks },
  ],
  "changeset.held": ({ data }) => [holdOf(data)],
  "changeset.conflicted": ({ data: { paths } }, { next: [then] }) =>
    then?.type === "changeset.held" ? [{ ...holdOf(then.data), conflicts: paths }] : [],

  "landing.undone": ({ data: { landing, commit } }) => [{ type: "undo.finish", landing, commit }],
  "landing.failed": ({ data: { landing: begun, code, sentence } }, { state }) => {
    const undoes = state.landings.find(({ id }) => id === begun)?.undoes;
    return undoes == null ? [] : [{ type: "undo.fail", landing: undoes, code, sentence }];
  },

  "approval.requested": readQuestion,
  "approval.decided": ({ data }) => [{ type: "approval.decide", ...data }],
  "approval.withdrawn": () => [{ type: "run.expire" }, { type: "run.stop" }],
  "budget.exhausted": ({ data: { agent, balance } }) => [
    { type: "run.expire" },
    ...requestsBeyond(agent, balance as keyof Balances),
  ],
};

function settlementOf({
  data: { subagent: agent, childHead, diagnostic },
}: EventOf<"subagent.settled">): Extract<Command, { type: "node.settle" }> {
  return { type: "node.settle", agent, childHead, ...(diagnostic === undefined ? {} : { diagnostic }) };
}

function readEnding({
  data: { reason, by = "", code = "", sentence = "" },
}: EventOf<"run.ending">): readonly Command[] {
  if (reason === "cancelled") return [{ type: "run.cancel", by }];
  return [
    { type: "agent.fail", agent: "lead", code, sentence },
    ...balanceNames.flatMap((balance) => requestsBeyond("lead", balance)),
  ];
}

/** A last turn may be one for any balance, or for none. */
function requestsOf(agent: AgentId, data: EventData["model.requested"]): readonly Command[] {
  const { model, estimate, forced, prompt, promptKind } = data;
  const { inputTokens, outputTokens, costMicros } = estimate;
  const reasons = forced === true ? [undefined, ...balanceNames] : [undefined];
  return reasons.map((forcedBy) => ({
    type: "agent.request",
    agent,
    model,
    estimate: { steps: 1, toolCalls: 0, inputTokens, outputTokens, costMicros: costMicros ?? 0 },
    isCostKnown: costMicros !== null,
    isForced: forced === true,
    ...(forcedBy === undefined ? {} : { forcedBy }),
    ...(prompt === undefined || promptKind === undefined ? {} : { prompt: { text: prompt, kind: promptKind } }),
  }));
}

/** A request that was never made, since it would have taken more of one balance than there was: how much it was is not on record. */
function requestsBeyond(agent: AgentId, balance: keyof Balances): readonly Command[] {
  const nothing = { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
  const estimate = { ...nothing, [balance]: Number.MAX_SAFE_INTEGER / 4 };
  const ask = { type: "agent.request", agent, model: "", estimate, isCostKnown: true } as const;
  return [
    { ...ask, isForced: true, forcedBy: balance },
    { ...ask, isForced: true },
    { ...ask, isForced: false },
  ];
}

function readAnswer({ agent, data }: EventOf<"model.completed">, { next: [then] }: Place): readonly Command[] {
  const { request, text, reasoning = "", toolCalls, finish, usage, costMicros, purpose } = data;
  const answer = { agent, request, text, reasoning, finish, usage, costMicros };
  if (purpose === undefined) return [{ type: "agent.complete", ...answer, toolCalls }];
  if (then?.type !== "context.compacted") return [];
  const { from, to, upTo = 0, summary = "", ledger } = then.data;
  const said = { from, to, upTo, summary, ...(ledger === undefined ? {} : { ledger }) };
  return [{ type: "agent.summarize", ...answer, ...said }];
}

/** Every call of a control tool that stands open: which of them was answered shows in the answer. */
function readCalls(_event: RunEvent | null, { state, parse }: Place): readonly Command[] {
  return [state.lead, ...state.nodes].flatMap((agent) =>
    agent.calls
      .filter((call) => call.status === "open")
      .flatMap((call): readonly Command[] => {
        const control = parse(call);
        return control === null ? [] : [{ type: "agent.control", agent: agent.id, call: call.id, control }];
      }),
  );
}

/** Dispatches that no budget was left for. */
function readDispatches({ state }: Place): readonly Command[] {
  return [state.lead, ...state.nodes].flatMap((agent) =>
    agent.calls
      .filter((call) => call.status === "open")
      .map((call): Command => ({
        type: "agent.dispatch",
        agent: agent.id,
        call: call.id,
        effect: "read",
        class: "pure",
        input: null,
      })),
  );
}

function readResult(
  agent: SubagentId,
  call: string | null,
  next: readonly RunEvent[],
  found?: EventData["subagent.result"],
): readonly Command[] {
  const [then] = next;
  const data = found ?? (then?.type === "subagent.result" ? then.data : undefined);
  if (data === undefined) return [];
  const schema = data.schema === "unstructured" ? "unstructured" : "ok";
  return [
    { type: "agent.submit", agent, call, result: data.result, schema, marks: data.evidence.map(({ mark }) => mark) },
  ];
}

function holdOf({ changeset, code, sentence, merge }: EventData["changeset.held"]) {
  return { type: "landing.hold", changeset, code, sentence, ...(merge === undefined ? {} : { merge }) } as const;
}

function readQuestion({ agent, data }: EventOf<"approval.requested">, place: Place): readonly Command[] {
  const { kind, summary, why, call, command, effect, raise } = data;
  switch (kind) {
    case "changeset":
      return [{ type: "verification.close", agent }];
    case "effect":
      return effect === undefined || call === undefined
        ? []
        : [{ type: "effect.ask", agent, call, ...outputOf(effect), because: effect.because, files: effect.files }];
    case "budget":
      return [
        ...(raise === undefined ? [] : requestsBeyond("lead", raise.balance)),
        ...readCalls(null, place),
        ...readDispatches(place),
      ];
    case "question":
    case "plan":
      return readCalls(null, place);
    case "reconcile":
      // It follows from what the verdicts are.
      return [];
    default:
      return [
        {
          type: "approval.request",
          agent,
          kind,
          summary,
          ...(why === undefined ? {} : { why }),
          ...(call === undefined ? {} : { call }),
          ...(command === undefined ? {} : { command }),
        },
      ];
  }
}

function outputOf({ output }: { readonly output?: string }): { readonly output?: string } {
  return output === undefined ? {} : { output };
}

/** The code of the end that comes next, where one does. */
function codeOf([then]: readonly RunEvent[]): string | undefined {
  return then?.type === "subagent.stopped" ? then.data.code : undefined;
}
