// What reaches the lead of a subagent's work: its result, what the system observed beside it, never the transcript.
// At most 8 KB each; the rest by reference.

import type { SubagentResult } from "../records.ts";
import { compareOutcomes } from "../merge.ts";
import type { Json } from "../../../shared/lib/json.ts";
import { findChangeSet, findNode, type NodeState, type RunState } from "../state.ts";
import type { SubagentId } from "../../../shared/contract/ids.ts";
import { byteLength, clipText } from "./clip.ts";

/** Bytes of UTF-8 that one result may take. */
const maxBytes = 8 * 1024;

/** Most characters, and items of a list, at full length; `bounds(0.5)` is half of each. */
const bounds = (scale: number) => ({
  answer: Math.round(5_000 * scale),
  data: Math.round(2_000 * scale),
  output: Math.round(1_200 * scale),
  sentence: Math.round(1_000 * scale),
  item: Math.round(300 * scale),
  items: Math.ceil(20 * scale),
});
type Bounds = ReturnType<typeof bounds>;

/** The result object of one node as `waitForSubagents` and a dependent's packet show it: as long as 8 KB allow. */
export function resultOf(state: RunState, node: NodeState): Json {
  const shorter = [1, 0.5, 0.25, 0.1].map((scale) => () => boundedResult(state, node, bounds(scale)));
  for (const attempt of shorter) {
    const result = attempt();
    if (byteLength(JSON.stringify(result)) <= maxBytes) return result;
  }
  return boundedResult(state, node, bounds(0.04));
}

function boundedResult(state: RunState, node: NodeState, max: Bounds): Json {
  return {
    subagentId: node.id,
    role: node.role,
    status: node.status,
    ...(node.code === null ? {} : { code: node.code }),
    ...(node.sentence === null ? {} : { sentence: clipText(node.sentence, max.sentence) }),
    ...(node.question === null ? {} : { question: clipText(node.question, max.sentence) }),
    ...(node.result === null ? {} : saidBy(node, node.result, max)),
    ...(node.held === null
      ? {}
      : { held: { code: node.held.code, sentence: clipText(node.held.sentence, max.sentence) } }),
    observed: observedOf(state, node, max),
  };
}

/** What the subagent said, in its own words. */
function saidBy(node: NodeState, result: SubagentResult, max: Bounds): { readonly [key: string]: Json } {
  const { status, answer, uncertainty, followups, verdicts, data } = result;
  const clipItem = (text: string) => clipText(text, max.item);
  return {
    said: status,
    answer: clipText(answer, max.answer),
    evidence: node.evidence
      .slice(0, max.items)
      .map(({ source, line, mark }) => ({ source: clipItem(source), ...(line === undefined ? {} : { line }), mark })),
    uncertainty,
    followups: followups.slice(0, max.items).map(clipItem),
    ...(verdicts === undefined
      ? {}
      : {
          verdicts: verdicts.slice(0, max.items).map(({ criterion, verdict, evidence }) => ({
            criterion: clipItem(criterion),
            verdict,
            evidence: clipItem(evidence),
          })),
        }),
    ...(data === undefined ? {} : { data: boundedData(data, max.data) }),
    ...(node.schema === "unstructured" ? { unstructured: true } : {}),
  };
}

/** What the system itself saw: it stands beside what was claimed. */
function observedOf(state: RunState, node: NodeState, max: Bounds): Json {
  const set = findChangeSet(state, node.changeSet);
  const failedRun = set?.verifications.find((run) => run.exitCode !== 0);
  const clipItem = (text: string) => clipText(text, max.item);
  return {
    toolsUsed: node.toolsUsed.slice(0, max.items).map(clipItem),
    steps: node.used.steps,
    inputTokens: node.used.inputTokens,
    outputTokens: node.used.outputTokens,
    costUsd: node.isCostKnown ? node.used.costMicros / 1_000_000 : null,
    verification: node.verification,
    ...(set === undefined
      ? { filesChanged: [] }
      : {
          changeSet: set.id,
          filesChanged: set.files.slice(0, max.items).map((file) => clipItem(file.path)),
          hunks: set.hunks,
          ...(set.leftOut.length === 0 ? {} : { leftOut: set.leftOut.slice(0, max.items).map(clipItem) }),
        }),
    ...(failedRun === undefined
      ? {}
      : {
          failedCheck: {
            command: clipItem(failedRun.command),
            exitCode: failedRun.exitCode,
            output: clipText(failedRun.output, max.output),
          },
        }),
  };
}

/** Results of what a node depends on, in merging order, for its packet. */
export function dependencyResults(
  state: RunState,
  node: NodeState,
): readonly { readonly id: SubagentId; readonly result: Json }[] {
  return node.dependsOn
    .map(({ id }) => findNode(state, id))
    .filter((dependency) => dependency !== undefined)
    .toSorted((left, right) => compareOutcomes(outcomeOf(left), outcomeOf(right)))
    .map((dependency) => ({ id: dependency.id, result: resultOf(state, dependency) }));
}

function outcomeOf(node: NodeState): { step: string | null; role: string; ordinal: number; id: SubagentId } {
  return { step: node.packet.step ?? null, role: node.role, ordinal: node.ordinal, id: node.id };
}

function boundedData(data: Json, max: number): Json {
  const text = JSON.stringify(data);
  return text.length <= max ? data : { truncated: clipText(text, max) };
}
