// What an agent was given, and what came back of it, as pages: read from the state, and from the events that say more.

import type { AgentId } from "../../shared/contract/ids.ts";
import type { PacketPage, ResultPage } from "../../shared/contract/pages.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { EventOf, RunEvent } from "../domain/events.ts";
import type { JudgedCondition, SubagentResult } from "../domain/records.ts";
import { dependencyResults } from "../domain/projections/result.ts";
import { findChangeSet, findNode, type NodeState, type RunState } from "../domain/state.ts";
import { clipAll, excerptOf } from "./fit.ts";
import { type Moment, unknownAgent } from "./pageMoment.ts";

/** Characters and items at full length. A page has at most some 30,000 characters in all, so that it fits in any script. */
const longest = { text: 12_000, short: 400, item: 300, items: 24, gave: 12_000 };

/** Code `UNKNOWN_SUBAGENT`. */
export function packetPage({ state, events }: Moment, agent: AgentId): Result<PacketPage> {
  if (agent === "lead") return succeed(taskOf(state));
  const node = findNode(state, agent);
  const handoff = events.find(
    (event): event is EventOf<"handoff.recorded"> => event.type === "handoff.recorded" && event.data.subagent === agent,
  );
  const judged = events.find(
    (event): event is EventOf<"policy.judged"> => event.type === "policy.judged" && event.data.subagent === agent,
  );
  return node && handoff
    ? succeed({ ...packetOf(state, node, handoff.data), verdicts: verdictsOf(judged?.data.verdicts ?? []) })
    : fail(unknownAgent(state.run, agent));
}

function verdictsOf(verdicts: readonly JudgedCondition[]): PacketPage["verdicts"] {
  return verdicts.slice(0, longest.items).map(({ condition, kind, verdict, evidence, by }) => ({
    condition: excerptOf(condition, longest.short),
    kind,
    verdict,
    evidence: excerptOf(evidence, longest.short),
    by,
  }));
}

function packetOf(
  state: RunState,
  node: NodeState,
  handoff: EventOf<"handoff.recorded">["data"],
): Omit<PacketPage, "verdicts"> {
  const { packet } = node;
  const { outputSchema, step, context, criteria = [], replaces } = packet;
  return {
    agent: node.id,
    role: node.role,
    title: excerptOf(node.title, longest.short),
    objective: excerptOf(packet.objective, longest.text),
    context: context === undefined ? null : excerptOf(context, longest.text),
    constraints: clipAll(packet.constraints, longest.items, longest.item),
    paths: packet.paths === null ? null : clipAll(packet.paths, 100, longest.item),
    tools: packet.allowedTools,
    model: excerptOf(packet.model, longest.short),
    maxSteps: packet.maxSteps,
    timeoutMs: packet.timeoutMs,
    budget: packet.budget,
    criteria: clipAll(criteria, longest.items, longest.item),
    step: step === undefined ? null : excerptOf(step, longest.short),
    outputSchemaJson: outputSchema === undefined ? null : excerptOf(JSON.stringify(outputSchema), longest.text),
    replaces: replaces ?? null,
    reason: handoff.reason === undefined ? null : excerptOf(handoff.reason, longest.short),
    policy: handoff.policy,
    warnings: clipAll(handoff.warnings, longest.items, longest.item),
    gave: gaveTo(state, node),
  };
}

/** A result as the packet shows it takes at most 8 KB; many of them share what a page can hold. */
function gaveTo(state: RunState, node: NodeState): PacketPage["gave"] {
  const results = dependencyResults(state, node);
  const share = Math.max(longest.short, Math.floor(longest.gave / Math.max(1, results.length)));
  return results.flatMap(({ id: giver, result }) => {
    const dependency = node.dependsOn.find(({ id }) => id === giver);
    return dependency ? [{ ...dependency, resultJson: excerptOf(JSON.stringify(result), share) }] : [];
  });
}

function taskOf(state: RunState): PacketPage {
  return {
    agent: "lead",
    role: "lead",
    title: excerptOf(state.title, longest.short),
    objective: excerptOf(state.task, longest.text),
    context: state.guide === null ? null : excerptOf(state.guide.text, longest.text),
    constraints: [],
    paths: null,
    tools: [],
    model: excerptOf(state.options.model, longest.short),
    maxSteps: state.limits.leadSteps,
    timeoutMs: state.wallMs,
    budget: state.budget.limit,
    criteria: [],
    step: null,
    outputSchemaJson: null,
    replaces: null,
    reason: null,
    policy: null,
    warnings: [],
    verdicts: [],
    gave: [],
  };
}

/** Code `UNKNOWN_SUBAGENT`. */
export function resultPage({ state, events }: Moment, agent: AgentId): Result<ResultPage> {
  if (agent === "lead") return succeed(answerOf(state));
  const node = findNode(state, agent);
  if (!node) return fail(unknownAgent(state.run, agent));
  const { status, code, sentence, result, schema } = node;
  return succeed({
    agent,
    status,
    code,
    sentence: sentence === null ? null : excerptOf(sentence, 2_000),
    said: result === null ? null : { ...saidOf(result), schema: schema ?? "ok" },
    evidence: node.evidence.slice(0, longest.items).map((item) => ({
      ...item,
      source: excerptOf(item.source, longest.item),
      ...(item.quote === undefined ? {} : { quote: excerptOf(item.quote, longest.item) }),
    })),
    observed: {
      ...usedBy(node),
      ...workOf(state, node),
      verification: node.verification,
      diagnostic: diagnosticOf(events, agent),
    },
  });
}

function saidOf({ status, answer, uncertainty, followups, verdicts = [], data }: SubagentResult) {
  return {
    status,
    answer: excerptOf(answer, longest.text),
    uncertainty,
    followups: clipAll(followups, longest.items, longest.item),
    verdicts: verdicts.slice(0, longest.items).map(({ criterion, verdict, evidence }) => ({
      criterion: excerptOf(criterion, longest.item),
      verdict,
      evidence: excerptOf(evidence, longest.item),
    })),
    dataJson: data === undefined ? null : excerptOf(JSON.stringify(data), 6_000),
  };
}

function usedBy({ toolsUsed, used, isCostKnown }: Pick<NodeState, "toolsUsed" | "used" | "isCostKnown">) {
  return {
    toolsUsed: clipAll(toolsUsed, 60, 100),
    steps: used.steps,
    inputTokens: used.inputTokens,
    outputTokens: used.outputTokens,
    costMicros: isCostKnown ? used.costMicros : null,
  };
}

function workOf(state: RunState, node: NodeState) {
  const set = findChangeSet(state, node.changeSet);
  return {
    changeset: set?.id ?? null,
    filesChanged: clipAll(set?.files.map(({ path }) => path) ?? [], 100, longest.item),
  };
}

function diagnosticOf(events: readonly RunEvent[], agent: AgentId): string | null {
  const settled = events.find(
    (event): event is EventOf<"subagent.settled"> => event.type === "subagent.settled" && event.data.subagent === agent,
  );
  return settled?.data.diagnostic === undefined ? null : excerptOf(settled.data.diagnostic, 8_000);
}

/** The lead hands in no result: its last word is the run's answer. */
function answerOf({ status, stop, lead }: RunState): ResultPage {
  const answer = stop?.answer ?? lead.spoke?.text;
  const uncertainty = null;
  return {
    agent: "lead",
    status,
    code: stop?.code ?? null,
    sentence: stop?.sentence == null ? null : excerptOf(stop.sentence, 2_000),
    said:
      answer === undefined
        ? null
        : {
            status: stop?.reason ?? "",
            schema: "ok",
            answer: excerptOf(answer, longest.text),
            uncertainty,
            followups: [],
            verdicts: [],
            dataJson: null,
          },
    evidence: [],
    observed: { ...usedBy(lead), verification: "not-run", changeset: null, filesChanged: [], diagnostic: null },
  };
}
