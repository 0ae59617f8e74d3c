// A run as a viewer sees it: plain, frozen, bounded, and sharing with the picture before it whatever did not change.
// Shows nothing that is not in the state, and holds no transcript.

import type { AgentId, ApprovalId } from "../../../shared/contract/ids.ts";
import type {
  ApprovalSnapshot,
  DependencySnapshot,
  LandingSnapshot,
  RuleSnapshot,
  RunSnapshot,
  SubagentSnapshot,
  WaitReason,
} from "../../../shared/contract/snapshots.ts";
import { deepFreeze } from "../../../shared/lib/deepFreeze.ts";
import { hasArrived } from "../arrival.ts";
import { parseWait } from "../decisions/control.ts";
import { holdsSlot } from "../graph/schedule.ts";
import { serverOf } from "../modelServers.ts";
import {
  type AgentState,
  type ApprovalState,
  findApproval,
  findChangeSet,
  findNode,
  type NodeState,
  type RunState,
} from "../state.ts";
import { stepsOf } from "../turn.ts";
import { clipBytes } from "./clip.ts";
import type { Dependency } from "../records.ts";
import { overlapsOf } from "./overlaps.ts";
import { shareWith } from "./share.ts";

/** Most bytes of UTF-8 that a text may take, so that 200 subagents at full length fit into 256 KiB. */
const longest = {
  task: 4_000,
  answer: 16_000,
  title: 120,
  reason: 160,
  failure: 1_000,
  activity: 80,
  summary: 120,
  name: 60,
  headline: 80,
  why: 80,
  because: 40,
  rule: 60,
};

/** Most answers to choose from that a question shows; only the lead asks, one thing at a time. */
const maxChoices = 12;

/** Dependencies of one subagent of which it is said why. */
const maxReasons = 3;

/** Subagents that one waits beside, by name. */
const maxBeside = 2;

/** Models that are named as doubted. */
const maxDoubted = 3;

/** Most files over all landings; each landing shows at least three. */
const maxFiles = 600;

/** The picture of `state`. Parts that are as they were in `previous` are the same objects. Texts are clipped; the journal has them whole. */
export function snapshotOf(state: RunState, previous?: RunSnapshot): RunSnapshot {
  const overlaps = overlapsOf(state);
  const doubted = doubtedIn(state);
  const snapshot: RunSnapshot = {
    run: state.run,
    at: state.n,
    status: state.status,
    title: clipBytes(state.title, longest.title),
    task: clipBytes(state.task, longest.task),
    repo: state.repo.topLevel,
    base: state.base,
    ...(state.origin === null ? {} : { forkedFrom: { run: state.origin.run, at: state.origin.at } }),
    target: state.target.branch,
    line: state.line,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    ...(state.stoppedAt === null ? {} : { stoppedAt: state.stoppedAt }),
    stopReason: state.stop?.reason ?? null,
    ...stopFailureOf(state),
    answer: answerOf(state),
    partial: state.stop?.partial ?? false,
    lead: leadOf(state),
    subagents: state.nodes.map((node) => subagentOf(state, node)),
    ...(overlaps.length === 0 ? {} : { overlaps }),
    approvals: waitingApprovals(state).map((approval) => approvalOf(state, approval)),
    landed: landedOf(state),
    budget: state.budget,
    usage: usageOf(state),
    costUsd: costOf(state),
    ...(doubted.length === 0 ? {} : { doubted }),
  };
  return deepFreeze(previous === undefined ? snapshot : shareWith(previous, snapshot));
}

function doubtedIn({ counted }: RunState): readonly string[] {
  const doubted = Object.keys(counted).filter((model) => counted[model]?.isDoubted === true);
  return doubted.slice(0, maxDoubted).map((model) => clipBytes(model, longest.name));
}

/** What waits for a person: open approvals, and held change sets under the approval that let them land. Oldest first. */
export function waitingOf(
  state: RunState,
): readonly { readonly id: ApprovalId; readonly kind: string; readonly agent: AgentId }[] {
  return waitingApprovals(state).map(({ id, kind, agent }) => ({ id, kind, agent }));
}

function waitingApprovals(state: RunState): readonly ApprovalState[] {
  const held = new Set(state.changeSets.filter((set) => set.status === "held").map((set) => set.approval));
  return state.approvals.filter((approval) => approval.status === "open" || held.has(approval.id));
}

function answerOf(state: RunState): string | null {
  const answer = state.stop?.answer ?? state.lead.spoke?.text;
  return answer === undefined ? null : clipBytes(answer, longest.answer);
}

function stopFailureOf({ stop }: RunState): Pick<RunSnapshot, "stopFailure"> {
  if (stop === null || stop.code === null || stop.sentence === null) return {};
  return { stopFailure: { code: stop.code, sentence: clipBytes(stop.sentence, longest.failure) } };
}

function leadOf(state: RunState): RunSnapshot["lead"] {
  const waitingFor = leadWait(state);
  return {
    activity: clipBytes(state.lead.activity, longest.activity),
    ...(waitingFor === null ? {} : { waitingFor }),
    steps: state.lead.used.steps,
    model: clipBytes(state.options.model, longest.name),
  };
}

/** Whom the lead waits for: a person whom it asked, or the subagents of its open waits that have not arrived. */
function leadWait(state: RunState): WaitReason | null {
  if (state.status === "stopped") return null;
  if (state.status === "paused" && state.waitingFor !== null)
    return { code: "RECOVERED", sentence: "Recovered after a crash; nothing goes on until you resume it" };
  // Opposite verdicts hold nobody up before there is nothing else to do.
  const asked = state.approvals.find(
    ({ agent, status, kind }) =>
      agent === "lead" && status === "open" && (kind !== "reconcile" || state.lead.spoke !== null),
  );
  if (asked) return { code: "PERSON", sentence: clipBytes(`Asks: ${asked.summary}`, longest.reason) };
  const waits = state.lead.calls
    .filter((call) => call.tool === "waitForSubagents" && call.status === "open")
    .map((call) => parseWait(call.arguments));
  const ids = waits.flatMap((wait) => wait?.subagentIds.filter((id) => isMissing(state, id, wait.until)) ?? []);
  if (ids.length === 0) return null;
  return { code: "SUBAGENTS", sentence: clipBytes(`Waits for ${[...new Set(ids)].join(", ")}`, longest.reason) };
}

function isMissing(state: RunState, id: string, until: "proposed" | "completed" | undefined): boolean {
  const node = findNode(state, id as AgentId);
  return node !== undefined && !hasArrived(node, until);
}

/** Where its model is, if not at the run's server. */
function serverBeside({ options }: RunState, { model }: NodeState): Pick<SubagentSnapshot, "server"> {
  const server = serverOf(options, model);
  return server === options.baseUrl ? {} : { server: clipBytes(server, longest.name) };
}

function subagentOf(state: RunState, node: NodeState): SubagentSnapshot {
  const waitingFor = waitOf(state, node);
  const headline = headlineOf(node);
  return {
    id: node.id,
    role: clipBytes(node.role, longest.name),
    title: clipBytes(node.title, longest.title),
    status: node.status,
    model: clipBytes(node.model, longest.name),
    ...serverBeside(state, node),
    dependsOn: node.dependsOn.map(dependencyOf),
    ...(node.packet.replaces === undefined ? {} : { replaces: node.packet.replaces }),
    ...(waitingFor === null ? {} : { waitingFor: clipReason(waitingFor) }),
    ...(waitingFor?.code === "RULE" ? { rule: ruleOf(state, node) } : {}),
    ...(node.held === null ? {} : { held: clipReason(node.held) }),
    ...(node.code === null ? {} : { code: node.code }),
    ...(node.sentence === null ? {} : { sentence: clipBytes(node.sentence, longest.reason) }),
    ...(headline === null ? {} : { headline }),
    verification: node.verification,
    steps: node.used.steps,
    maxSteps: stepsOf(node),
    inputTokens: node.used.inputTokens,
    outputTokens: node.used.outputTokens,
    costMicros: node.isCostKnown ? node.used.costMicros : null,
    createdAt: node.createdAt,
    startedAt: node.startedAt,
    endedAt: node.endedAt,
    activity: clipBytes(node.activity, longest.activity),
  };
}

function ruleOf({ nodes }: RunState, node: NodeState): RuleSnapshot {
  const beside = nodes.filter((other) => other.id !== node.id && holdsSlot(other)).map(({ id }) => id);
  return { beside: beside.slice(0, maxBeside), because: clipBytes(node.obstacles.join(", "), longest.rule) };
}

function dependencyOf({ id, until, because }: Dependency, index: number): DependencySnapshot {
  const isSaid = because !== undefined && index < maxReasons;
  return { id, until, ...(isSaid ? { because: clipBytes(because, longest.because) } : {}) };
}

function waitOf(state: RunState, node: NodeState): WaitReason | null {
  if (node.status === "pending" || node.status === "ready") return node.queue;
  if (node.status !== "waiting") return null;
  if (node.waitsFor === "context") return { code: "CONTEXT", sentence: `Asks: ${node.question ?? "for more context"}` };
  const approval = node.waitsOn === null ? undefined : findApproval(state, node.waitsOn);
  return { code: "PERSON", sentence: approval === undefined ? "Waits for a person" : `Asks: ${approval.summary}` };
}

/** The first line of its result, while nothing it has said since counts more. */
function headlineOf({ status, result }: NodeState): string | null {
  if (result === null || status === "running" || status === "waiting" || status === "failed") return null;
  const line = result.answer.split("\n").find((one) => one.trim() !== "");
  return line === undefined ? null : clipBytes(line.trim().replace(/^#+\s+/, ""), longest.headline);
}

function clipReason({ code, sentence }: WaitReason): WaitReason {
  return { code, sentence: clipBytes(sentence, longest.reason) };
}

function approvalOf(state: RunState, approval: ApprovalState): ApprovalSnapshot {
  const { id, kind, agent, summary, since, changeset, why, choices, call } = approval;
  return {
    id,
    kind,
    agent,
    summary: clipBytes(summary, longest.summary),
    since,
    ...(changeset === null ? {} : { changeset }),
    ...(findChangeSet(state, changeset)?.isLine === true ? { isLine: true as const } : {}),
    ...(why === null ? {} : { why: clipBytes(why, longest.why) }),
    ...(choices.length === 0
      ? {}
      : { choices: choices.slice(0, maxChoices).map((choice) => clipBytes(choice, longest.summary)) }),
    ...(call === null ? {} : { call: clipBytes(call, longest.name) }),
  };
}

function landedOf(state: RunState): readonly LandingSnapshot[] {
  const own = state.landings.slice(state.origin?.landingCount ?? 0);
  const landed = own.filter((landing) => landing.status === "landed" && landing.undoes === null);
  const shown = Math.max(3, Math.floor(maxFiles / Math.max(1, landed.length)));
  return landed.map(({ id, changeset, target, new: commit, files }) => ({
    landing: id,
    changeset,
    agent: findChangeSet(state, changeset)?.agent ?? "lead",
    target,
    commit,
    files: files.slice(0, shown),
  }));
}

function usageOf(state: RunState): RunSnapshot["usage"] {
  const sum = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, requests: 0 };
  for (const { usage, requestCount } of ownAgents(state)) {
    sum.inputTokens += usage.inputTokens;
    sum.outputTokens += usage.outputTokens;
    sum.cachedTokens += usage.cachedTokens;
    sum.requests += requestCount;
  }
  sum.requests -= state.origin?.requestCount ?? 0;
  return sum;
}

/** Whose use counts: a fork does not pay for what it took over. */
function ownAgents(state: RunState): readonly AgentState[] {
  return [state.lead, ...state.nodes.slice(state.origin?.nodeCount ?? 0)];
}

/** US dollars over all agents; `null` as soon as one request had no known price. */
function costOf(state: RunState): number | null {
  const agents = ownAgents(state);
  if (!agents.every((agent) => agent.isCostKnown)) return null;
  return agents.reduce((sum, agent) => sum + agent.used.costMicros, 0) / 1_000_000;
}
