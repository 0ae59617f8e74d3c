// Chooses commands for property tests of the core: mostly what could be asked of the run as it stands, sometimes what
// could not. All chance comes from `pick`, so that fast-check replays and shrinks it.

import type { AgentId, SubagentId } from "../../src/shared/contract/ids.ts";
import type { Command, ControlCall } from "../../src/main/domain/commands.ts";
import type { ResultStatus, SubagentResult, ToolCall, Verdict } from "../../src/main/domain/records.ts";
import { isControlTool } from "../../src/main/agents/tools/control.ts";
import type { Overrides } from "../../src/main/domain/overrides.ts";
import { isTerminal } from "../../src/main/domain/lifecycle.ts";
import type { AgentState, CallState, NodeState, RunState } from "../../src/main/domain/state.ts";
import { nextLeadTurn, nextSubagentTurn, type Turn } from "../../src/main/domain/turn.ts";
import { oneOf, type Pick } from "./pick.ts";
import { approvalCommands, decideCommand } from "./randomDecisions.ts";
import { fileChange, oid, resultOf, smallEstimate, toolCall } from "./runStory.ts";
import { anyNode, chooseBlindly } from "./wildCommands.ts";

/** The next command. One in sixteen is chosen without looking at what the run allows. */
export function chooseCommand(state: RunState, pick: Pick): Command {
  if (pick(16) === 15) return chooseBlindly(state, pick, proposeLine(state)(pick));
  if (state.status === "paused" && pick(4) > 0) return { type: "run.resume" };
  if (state.status === "stopped" && pick(3) > 0) return chooseAfterStop(state, pick);
  if (pick(24) === 23 || state.status === "created" || state.status === "interrupted" || state.status === "stopped")
    return chooseForRun(state, pick);
  const choices = [
    leadCommands(state),
    ...state.nodes.map((node) => nodeCommands(state, node)),
    approvalCommands(state),
    rebaseCommands(state),
    landingCommands(state),
    undoCommands(state),
  ].flat();
  const [first, ...others] = choices;
  return first === undefined ? chooseForRun(state, pick) : oneOf(pick, [first, ...others])(pick);
}

type Choice = (pick: Pick) => Command;

/** What is still possible after a stop: the run's branch put to a review, its decision and its landing, landings taken back, and another title. */
function chooseAfterStop(state: RunState, pick: Pick): Command {
  return oneOf(pick, [
    (one): Command => ({ type: "run.rename", title: `Pay, part ${one(3)}`, by: "a person" }),
    proposeLine(state),
    ...approvalCommands(state),
    ...landingCommands(state),
    ...undoCommands(state),
  ])(pick);
}

function chooseForRun(state: RunState, pick: Pick): Command {
  if (state.status === "created" && pick(8) > 0) return { type: "run.start", epoch: 1 };
  if (state.status === "interrupted" && pick(8) > 0) return { type: "run.recover", epoch: state.epoch + 1 };
  const commandId = `command-${pick(1_000_000)}`;
  const gentle = oneOf<Command>(pick, [
    { type: "run.pause", commandId },
    { type: "run.resume", commandId },
    { type: "run.rename", title: `Pay, part ${pick(3)}`, by: "a person", commandId },
    {
      type: "run.rebind",
      repository: { topLevel: "/moved", commonDir: "/moved/.git", rootCommit: oid(pick(8) === 7 ? 9 : 1) },
      by: "a person",
      commandId,
    },
    { type: "note.add", kind: "decision", text: `Keep ${pick(3)}.`, by: "a person", commandId },
    { type: "note.retract", note: 1 + pick(state.n), by: "a person", commandId },
    { type: "run.input", text: "And now?", from: "a person", to: "lead", commandId },
    { type: "run.input", text: "It is in pay.js.", from: "a person", to: anyNode(state, pick) ?? "lead", commandId },
    { type: "run.interrupt", reason: "The process died." },
    { type: "run.recover", epoch: state.epoch + 1 },
    { type: "run.override", overrides: someOverrides(state, pick) },
    { type: "run.stop" },
  ]);
  const harsh = pick(24);
  if (harsh === 23) return { type: "run.expire" };
  return harsh === 22 ? { type: "run.cancel", by: "a person", commandId } : gentle;
}

/** Limits only grow here: what runs already is not ended by a lower one. */
function someOverrides({ limits: { maxConcurrent, maxSubagents } }: RunState, pick: Pick): Overrides {
  const amount = oneOf<number | null>(pick, [null, 40, 2_000]);
  return {
    options: { model: `m${pick(3)}`, approve: oneOf(pick, ["each", "auto", "none"] as const) },
    limits: { maxConcurrent: maxConcurrent + pick(3), maxSubagents: maxSubagents + pick(3) },
    budget: { steps: amount, inputTokens: amount },
    wallMs: oneOf(pick, [null, 3_600_000]),
    by: "a person",
  };
}

function leadCommands(state: RunState): readonly Choice[] {
  if (state.lead.request !== null) return requestCommands(state, state.lead);
  return turnCommands(state, state.lead, nextLeadTurn(state));
}

function nodeCommands(state: RunState, node: NodeState): readonly Choice[] {
  const agent = node.id;
  if (isTerminal(node.status) && !node.isSettled) return [() => ({ type: "node.settle", agent, childHead: "" })];
  if (node.request !== null) return requestCommands(state, node);
  if (node.status === "submitting") return submissionCommands(node);
  if (node.status !== "running")
    return node.calls.filter((call) => call.status === "dispatched").map((call) => settleCall(agent, call));
  return [
    ...turnCommands(state, node, nextSubagentTurn(state, node)),
    (pick) => ({
      type: "agent.check",
      agent,
      verdict: "progressing",
      reason: "new entries",
      ...(pick(60) === 59 ? { code: "CEILING" } : {}),
    }),
  ];
}

function requestCommands(state: RunState, { id: agent, request }: AgentState): readonly Choice[] {
  const open = request?.id ?? "";
  const complete: Choice = (pick) => {
    const toolCalls = Array.from({ length: oneOf(pick, [0, 1, 1, 2, 3]) }, (_, index) =>
      randomCall(state, agent, `${open}.${index}`, pick),
    );
    const text = oneOf(pick, ["Done.", "", "So far so good."]);
    const usage = oneOf(pick, [null, { inputTokens: 7, outputTokens: 9, cachedTokens: 1 }]);
    return {
      type: "agent.complete",
      agent,
      request: open,
      text,
      reasoning: "",
      toolCalls,
      finish: toolCalls.length > 0 ? "tool_calls" : "stop",
      usage,
      costMicros: 4,
    };
  };
  const summarize: Choice = () => ({
    type: "agent.summarize",
    agent,
    request: open,
    text: "So far so good.",
    reasoning: "",
    finish: "stop",
    usage: null,
    costMicros: 4,
    upTo: state.n,
    summary: "So far so good.",
    from: 20,
    to: 10,
  });
  const failRequest: Choice = (pick) => {
    const code = oneOf(pick, ["OUTPUT_LIMIT", "MODEL_UNAVAILABLE"]);
    return {
      type: "agent.failRequest",
      agent,
      request: open,
      code,
      message: "It failed.",
      text: "",
      isFinal: pick(12) === 11,
      wasCharged: pick(2) === 1,
    };
  };
  const answer = request?.isSummary === true ? summarize : complete;
  return [
    answer,
    answer,
    answer,
    answer,
    answer,
    answer,
    failRequest,
    () => ({ type: "agent.retry", agent, request: open, attempt: 1, waitMs: 100, reason: "busy" }),
    () => ({ type: "agent.loseRequest", agent }),
  ];
}

function turnCommands(state: RunState, agent: AgentState, turn: Turn): readonly Choice[] {
  switch (turn.kind) {
    case "idle":
      return [];
    case "request":
      return [
        (pick) => {
          // Now and then the conversation has grown too long for it.
          const prompt =
            !turn.isForced && pick(8) === 7 ? { kind: "summary" as const, text: "Sum it up." } : turn.prompt;
          return {
            type: "agent.request",
            agent: agent.id,
            model: "m",
            // Now and then so long that a server's count of it is not believed.
            estimate: pick(24) === 23 ? { ...smallEstimate, inputTokens: 60_000 } : smallEstimate,
            isCostKnown: true,
            isForced: turn.isForced,
            ...(prompt === null ? {} : { prompt }),
          };
        },
      ];
    case "calls":
      return turn.calls.map((call) => callCommand(state, agent.id, call));
    case "fail":
      return [() => ({ type: "agent.fail", agent: agent.id, code: turn.code, sentence: turn.sentence })];
    case "abandonChildren":
      return [() => ({ type: "lead.abandonChildren" })];
    case "keepProse":
      return [
        () => ({
          type: "agent.submit",
          agent: agent.id as SubagentId,
          call: null,
          result: resultOf("done", turn.text),
          schema: "unstructured",
          marks: [],
        }),
      ];
  }
}

/** What an open or dispatched call leads to next. */
export function callCommand(state: RunState, agent: AgentId, call: CallState): Choice {
  if (call.status === "dispatched") return settleCall(agent, call);
  if (call.tool === "submitResult") return (pick) => submitCommand(agent as SubagentId, call, pick);
  if (isControlTool(call.tool)) {
    if (isAskedAbout(state, agent, call)) return (pick) => decideCommand(state, pick);
    return () => ({
      type: "agent.control",
      agent,
      call: call.id,
      control: { tool: call.tool, input: JSON.parse(call.arguments) as never } as ControlCall,
    });
  }
  return (pick) => {
    if (isAskedAbout(state, agent, call)) return decideCommand(state, pick);
    const next = pick(8);
    if (isForbidden(state, agent, call))
      return { type: "agent.refuse", agent, call: call.id, code: "COMMAND_REJECTED", message: "A person said no." };
    if (next === 7)
      return {
        type: "approval.request",
        agent,
        kind: "command",
        summary: "npm test",
        call: call.id,
        command: "npm test",
      };
    if (next === 6) return { type: "agent.refuse", agent, call: call.id, code: "POLICY_DENIED", message: "Not yours." };
    return { type: "agent.dispatch", agent, call: call.id, effect: "read", class: "pure", input: { path: "a.js" } };
  };
}

function isAskedAbout(state: RunState, agent: AgentId, call: CallState): boolean {
  return state.approvals.some((one) => one.agent === agent && one.call === call.id && one.status === "open");
}

/** A person has decided that this call is not carried out. */
function isForbidden(state: RunState, agent: AgentId, call: CallState): boolean {
  const asked = state.approvals.findLast((one) => one.agent === agent && one.call === call.id);
  return asked?.status === "decided" && asked.decision !== "approved";
}

function settleCall(agent: AgentId, call: CallState): Choice {
  // As a recovery does that cannot tell what a call has done.
  const ask: Choice = () => ({ type: "effect.ask", agent, call: call.id, because: "It was cut off.", files: ["a.js"] });
  const settle: Choice = (pick) => ({
    type: "agent.settle",
    agent,
    call: call.id,
    outcome: oneOf(pick, ["executed", "failed", "unknown", "cancelled"]),
    durationMs: 1,
    output: "…",
    resultHash: `h${pick(3)}`,
    ...(pick(4) === 3 ? { changedState: true } : {}),
  });
  return (pick) => (pick(5) === 4 ? ask(pick) : settle(pick));
}

function submitCommand(agent: SubagentId, call: CallState, pick: Pick): Command {
  if (pick(6) === 5) return { type: "agent.repair", agent, call: call.id, errors: ["answer is missing"] };
  const evidence = Array.from({ length: pick(3) }, (_, index) => ({ source: `a.js:${index + 1}` }));
  const status = oneOf<ResultStatus>(pick, ["done", "done_with_concerns", "needs_context", "blocked", "done"]);
  return {
    type: "agent.submit",
    agent,
    call: call.id,
    result: { ...resultOf(status), evidence, verdicts: randomVerdicts(pick) },
    schema: "ok",
    marks: evidence.map(() => "found"),
  };
}

/** Of the criteria that the built-in templates name, and one of nobody's. */
function randomVerdicts(pick: Pick): NonNullable<SubagentResult["verdicts"]> {
  return ["spec", "quality", "other"].slice(0, oneOf(pick, [0, 2, 3, 3])).map((criterion) => ({
    criterion,
    verdict: oneOf<Verdict>(pick, ["passed", "failed", "failed", "passed", "unknown"]),
    evidence: "a.js:1",
  }));
}

function submissionCommands(node: NodeState): readonly Choice[] {
  const agent = node.id;
  const number = node.changeSetCount + 1;
  const propose: Choice = (pick) => ({
    type: "changeset.propose",
    agent,
    base: oid(2),
    commit: oid(`c${node.ordinal}${number}`),
    tree: oid(`d${node.ordinal}${number}`),
    ref: `refs/coppice/r1/${agent}/${number}`,
    files: [fileChange("a.js", 1 + pick(3), oneOf(pick, [undefined, undefined, "PROTECTED_PATH"]))],
  });
  const { changeSet } = node;
  if (changeSet === null) return [propose, propose, () => ({ type: "changeset.empty", agent, base: oid(2) })];
  const record: Choice = (pick) => ({
    type: "verification.record",
    agent,
    run: {
      changeset: changeSet,
      command: "npm test",
      exitCode: oneOf(pick, [0, 1, null]),
      tree: oid(4),
      durationMs: 9,
      output: "…",
      outcome: oneOf(pick, ["exited", "timeout"]),
    },
  });
  return [
    propose,
    record,
    () => ({ type: "verification.close", agent }),
    () => ({ type: "verification.close", agent }),
  ];
}

/** The target is brought in where a change set was sent back with it. */
function rebaseCommands(state: RunState): readonly Choice[] {
  return state.changeSets
    .filter(({ bringsTarget }) => bringsTarget)
    .map(({ id: changeset, agent }) => (pick) => ({
      type: "place.rebase",
      agent,
      path: `/places/${agent}`,
      changeset,
      root: oid(7),
      conflicts: pick(2) === 1 ? ["a.js"] : [],
    }));
}

/** All that has landed on the run's branch, for one review onto another. */
function proposeLine(state: RunState): Choice {
  const number = state.changeSets.filter((set) => set.agent === "lead").length + 1;
  return (pick) => ({
    type: "line.propose",
    commit: state.line,
    tree: oid("f1"),
    ref: `refs/coppice/r1/lead/${number}`,
    files: [fileChange("a.js", 1 + pick(2))],
    target: { branch: "main", ref: "refs/heads/main" },
  });
}

/** Landings that a person takes back, and what becomes of it. */
function undoCommands(state: RunState): readonly Choice[] {
  return state.landings.flatMap(({ id: landing, undoes, status }): readonly Choice[] => {
    if (undoes !== null && status === "begun") {
      return [
        () => ({ type: "undo.finish", landing: undoes, commit: oid("e5") }),
        () => ({ type: "undo.fail", landing: undoes, code: "TARGET_MOVED", sentence: "The target moved." }),
      ];
    }
    if (undoes !== null || status !== "landed") return [];
    return [() => ({ type: "undo.begin", landing, old: oid("e1"), new: oid("e5"), tree: oid("e6") })];
  });
}

function landingCommands(state: RunState): readonly Choice[] {
  return state.changeSets.flatMap((set): readonly Choice[] => {
    const changeset = set.id;
    const hold: Choice = (pick) => ({
      type: "landing.hold",
      changeset,
      code: "CONFLICT",
      sentence: "It conflicts.",
      ...(pick(2) === 1 ? { conflicts: ["a.js"] } : {}),
    });
    if (set.status === "approved")
      return [() => ({ type: "landing.begin", changeset, old: oid(2), new: oid("e1"), tree: oid("e2") }), hold];
    if (set.status === "landing")
      return [() => ({ type: "landing.finish", changeset, commit: oid("e1"), files: ["a.js"] }), hold];
    return set.status === "held" ? [() => ({ type: "landing.retry", changeset, by: "a person" })] : [];
  });
}

function randomCall(state: RunState, agent: AgentId, id: string, pick: Pick): ToolCall {
  if (agent !== "lead")
    return toolCall(
      id,
      oneOf(pick, ["submitResult", "readFile", "submitResult", "spawnSubagent", "note", "messagePeer"]),
      {
        path: `f${pick(2)}.js`,
        to: oneOf(pick, ["subagent-1", "subagent-2", "api"]),
        task: "Deeper.",
        kind: "finding",
        text: "Line two is odd.",
      },
    );
  // Also one that is not there yet: an earlier spawn of the same turn may make it.
  const someone = (): string => `subagent-${pick(12) === 11 ? 99 : 1 + pick(state.nodes.length + 1)}`;
  switch (pick(10)) {
    case 8:
      return toolCall(id, "updatePlan", {
        steps: [
          { id: "s1", title: "Look", status: oneOf(pick, ["pending", "running", "done", "dropped"]) },
          ...(pick(2) === 1
            ? [{ id: "s2", title: "Mend", status: "pending", role: "executor", blockedBy: ["s1"] }]
            : []),
        ],
      });
    case 0:
    case 1:
    case 2:
    case 3:
      return toolCall(id, "spawnSubagent", {
        task: "Look into it.",
        role: oneOf(pick, [
          "explorer",
          "executor",
          "reviewer",
          "executor",
          "executor",
          pick(6) === 5 ? "wizard" : "planner",
        ]),
        dependsOn: Array.from({ length: oneOf(pick, [0, 0, 1, 1, 2]) }, () =>
          pick(3) === 2 ? { id: someone(), until: oneOf(pick, ["completed", "proposed"]) } : someone(),
        ),
        ...(pick(6) > 0 ? { paths: [oneOf(pick, ["a.js", "src", "a.js", "src/pay", "lib/*.js", "."])] } : {}),
        ...(pick(2) === 1
          ? {
              independence: {
                "independent-context": { verdict: oneOf(pick, ["met", "met", "unknown"]), evidence: "…" },
                "no-shared-state": { verdict: oneOf(pick, ["met", "met", "not_met"]), evidence: "…" },
              },
            }
          : {}),
        ...(pick(3) === 2 ? { step: oneOf(pick, ["s1", "s2"]) } : {}),
        ...(pick(3) === 2 ? { group: "api", mayMessage: ["api"] } : {}),
        ...(pick(4) === 3 ? { budget: { steps: 1 + pick(9) } } : {}),
        ...(pick(8) === 7 ? { toolHints: ["fly"] } : {}),
      });
    case 4:
      return toolCall(id, "waitForSubagents", {
        subagentIds: Array.from({ length: pick(3) }, someone),
        mode: oneOf(pick, ["all", "any"]),
        until: oneOf(pick, ["proposed", "completed"]),
        ...(pick(2) === 1 ? { timeoutMs: 5_000 } : {}),
      });
    case 5:
      return toolCall(id, "cancelSubagent", { subagentId: someone() });
    case 6:
      return toolCall(id, "messageSubagent", { subagentId: someone(), text: "Mind the cents." });
    case 7:
      return toolCall(id, "askPerson", { question: "Which one?", ...(pick(2) === 1 ? { choices: ["a", "b"] } : {}) });
    default:
      return toolCall(id, oneOf(pick, ["readFile", "peekSubagents"]), {});
  }
}
