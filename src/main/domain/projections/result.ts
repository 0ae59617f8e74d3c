// What reaches the lead of a subagent's work: its result, what the system observed beside it, never the transcript.
// At most 8 KB each; the rest by reference.

import { compareOutcomes } from "../merge.ts";
import type { Json } from "../../../shared/lib/json.ts";
import { findChangeSet, findNode, type NodeState, type RunState } from "../state.ts";
import type { SubagentId } from "../../../shared/contract/ids.ts";

const maxAnswerChars = 5_000;
const maxListItems = 20;
const maxItemChars = 300;

/** The result object of one node as `waitForSubagents` and a dependent's packet show it. */
export function resultOf(state: RunState, node: NodeState): Json {
  const { result } = node;
  return {
    subagentId: node.id,
    role: node.role,
    status: node.status,
    ...(node.code === null ? {} : { code: node.code }),
    ...(node.sentence === null ? {} : { sentence: clip(node.sentence, 600) }),
    ...(node.question === null ? {} : { question: clip(node.question, 1_000) }),
    ...(result === null
      ? {}
      : {
          said: result.status,
          answer: clip(result.answer, maxAnswerChars),
          evidence: node.evidence.slice(0, maxListItems).map((item) => ({
            source: clip(item.source, maxItemChars),
            ...(item.line === undefined ? {} : { line: item.line }),
            mark: item.mark,
          })),
          uncertainty: result.uncertainty,
          followups: result.followups.slice(0, maxListItems).map((text) => clip(text, maxItemChars)),
          ...(result.verdicts === undefined ? {} : { verdicts: result.verdicts.slice(0, maxListItems).map((verdict) => ({ ...verdict, evidence: clip(verdict.evidence, maxItemChars) })) }),
          ...(result.data === undefined ? {} : { data: boundedData(result.data) }),
          ...(node.schema === "unstructured" ? { unstructured: true } : {}),
        }),
    ...(node.held === null ? {} : { held: { code: node.held.code, sentence: node.held.sentence } }),
    observed: observedOf(state, node),
  };
}

/** What the system itself saw: it stands beside what was claimed. */
export function observedOf(state: RunState, node: NodeState): Json {
  const set = findChangeSet(state, node.changeSet);
  const failedRun = set?.verifications.find((run) => run.exitCode !== 0);
  return {
    toolsUsed: [...node.toolsUsed],
    steps: node.used.steps,
    inputTokens: node.used.inputTokens,
    outputTokens: node.used.outputTokens,
    costUsd: node.isCostKnown ? node.used.costMicros / 1_000_000 : null,
    verification: node.verification,
    ...(set === undefined ? { filesChanged: [] } : { changeSet: set.id, filesChanged: set.files.slice(0, maxListItems).map((file) => file.path), hunks: set.hunks }),
    ...(failedRun === undefined ? {} : { failedCheck: { command: failedRun.command, exitCode: failedRun.exitCode, output: clip(failedRun.output, 1_200) } }),
  };
}

/** Results of what a node depends on, in merging order, for its packet. */
export function dependencyResults(state: RunState, node: NodeState): readonly Json[] {
  return node.dependsOn
    .map(({ id }) => findNode(state, id))
    .filter((dependency) => dependency !== undefined)
    .toSorted((left, right) => compareOutcomes(outcomeOf(left), outcomeOf(right)))
    .map((dependency) => resultOf(state, dependency));
}

function outcomeOf(node: NodeState): { step: string | null; role: string; ordinal: number; id: SubagentId } {
  return { step: node.packet.step ?? null, role: node.role, ordinal: node.ordinal, id: node.id };
}

function boundedData(data: Json): Json {
  const text = JSON.stringify(data);
  return text.length <= 2_000 ? data : { truncated: clip(text, 2_000) };
}

function clip(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max)}… (${text.length - max} more characters in the journal)`;
}
