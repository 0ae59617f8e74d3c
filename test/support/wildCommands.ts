// Commands that nobody would ask of a run as it stands: the core must refuse them, or do no harm.

import type { AgentId, ApprovalId, ChangeSetId, LandingId, SubagentId } from "../../src/shared/contract/ids.ts";
import type { Command } from "../../src/main/domain/commands.ts";
import type { RunState } from "../../src/main/domain/state.ts";
import { oneOf, type Pick } from "./pick.ts";
import { oid, resultOf, smallEstimate } from "./runStory.ts";

/** A command without regard to how the run stands. `proposal`: one about its whole branch. */
export function chooseBlindly(state: RunState, pick: Pick, proposal: Command): Command {
  const agent: AgentId = anyNode(state, pick) ?? "lead";
  const subagent = anyNode(state, pick);
  const changeset = state.changeSets[pick(Math.max(1, state.changeSets.length))]?.id;
  const call = `lead-t${pick(4)}.${pick(3)}`;
  const approval = `r1-a${1 + pick(4)}` as ApprovalId;
  const wild: readonly Command[] = [
    { type: "agent.request", agent, model: "m", estimate: smallEstimate, isCostKnown: true, isForced: pick(2) === 1 },
    {
      type: "agent.complete",
      agent,
      request: `${agent}-t${pick(6)}`,
      text: "So.",
      reasoning: "",
      toolCalls: [],
      finish: "stop",
      usage: null,
      costMicros: null,
    },
    { type: "agent.control", agent, call, control: { tool: "peekSubagents", input: {} } },
    { type: "agent.dispatch", agent, call, effect: "read", class: "pure", input: {} },
    { type: "agent.settle", agent, call, outcome: "executed", durationMs: 1, output: "", resultHash: "h" },
    { type: "agent.fail", agent, code: "STALLED", sentence: "It stopped." },
    { type: "agent.loseRequest", agent },
    {
      type: "approval.decide",
      approval,
      decision: oneOf(pick, ["approved", "rejected", "sent_back", "answered"]),
      by: "a person",
      ...(pick(2) === 1 ? { comment: "Mind the cents." } : {}),
    },
    { type: "approval.request", agent, kind: "command", summary: "May it run?" },
    { type: "lead.abandonChildren" },
    { type: "landing.retry", changeset: changeset ?? ("none" as ChangeSetId), by: "a person" },
    ...(subagent === undefined ? [] : wildNodeCommands(subagent, pick)),
    ...(changeset === undefined ? [] : wildLandingCommands(changeset)),
    proposal,
    ...wildUndoCommands(`r1-l${1 + pick(4)}` as LandingId),
  ];
  return wild[pick(wild.length)] ?? { type: "run.pause" };
}

function wildNodeCommands(agent: SubagentId, pick: Pick): readonly Command[] {
  return [
    {
      type: "agent.submit",
      agent,
      call: null,
      result: resultOf(oneOf(pick, ["done", "done_with_concerns", "needs_context", "blocked"])),
      schema: "unstructured",
      marks: [],
    },
    { type: "agent.repair", agent, call: "lead-t1.0", errors: ["answer is missing"] },
    {
      type: "agent.check",
      agent,
      verdict: "stalled",
      reason: "nothing new",
      ...(pick(2) === 1 ? { code: "STALLED" } : {}),
    },
    { type: "node.settle", agent, childHead: "" },
    { type: "verification.close", agent },
    { type: "changeset.empty", agent, base: oid(2) },
    { type: "place.create", agent, path: `/places/${agent}`, root: oid(2), durationMs: 3 },
    {
      type: "place.provision",
      agent,
      run: {
        path: `/places/${agent}`,
        durationMs: 3,
        command: "npm ci",
        exitCode: 0,
        outcome: "exited",
        output: "",
      },
    },
    {
      type: "place.pin",
      agent,
      path: `/places/${agent}`,
      ref: `refs/coppice/r1/pins/${agent}`,
      commit: oid(9),
      reason: "ended",
    },
    { type: "place.remove", agent, path: `/places/${agent}` },
  ];
}

function wildLandingCommands(changeset: ChangeSetId): readonly Command[] {
  return [
    { type: "landing.begin", changeset, old: oid(2), new: oid(300), tree: oid(301) },
    { type: "landing.finish", changeset, commit: oid(300), files: ["a.js"] },
    { type: "landing.hold", changeset, code: "TARGET_MOVED", sentence: "The target moved." },
  ];
}

function wildUndoCommands(landing: LandingId): readonly Command[] {
  return [
    { type: "undo.begin", landing, old: oid(300), new: oid(400), tree: oid(401) },
    { type: "undo.finish", landing, commit: oid(400) },
    { type: "undo.fail", landing, code: "TARGET_MOVED", sentence: "The target moved." },
  ];
}

/** One of the nodes, or none. */
export function anyNode(state: RunState, pick: Pick): SubagentId | undefined {
  return state.nodes[pick(state.nodes.length + 1)]?.id;
}
