// Judges whether a subagent may run beside others under the run's policy: what the lead states with evidence, and what
// the machine sees by itself, which stands above it. What nobody states is not met.

import { type Policy, policyName } from "../../../shared/contract/policy.ts";
import { type Claim, claimsOverlap } from "../claims.ts";
import type { Independence } from "../commands.ts";
import type { JudgedCondition } from "../records.ts";
import type { RunState } from "../state.ts";
import { type Condition, noSharedState, ruleSets, sharedResources } from "./conditions.ts";

interface Candidate {
  readonly paths: Claim;
  readonly writes: boolean;
}

/** The policy of a run. Journals from before there was a choice say nothing, and mean `llm`. */
export function policyOf(state: RunState): Policy {
  return state.options.policy ?? { kind: "llm" };
}

/** One line for each condition of the policy, in its order; none under `llm`. */
export function judge(
  state: RunState,
  candidate: Candidate,
  independence: Independence | undefined,
): readonly JudgedCondition[] {
  const policy = policyOf(state);
  if (policy.kind !== "rules") return [];
  const { needs, vetoes } = ruleSets[policy.preset];
  const seen = seenShared(state, candidate);
  const ask = (kind: "need" | "veto") => (condition: Condition) => judgeOne(kind, condition, independence, seen);
  return [...needs.map(ask("need")), ...vetoes.map(ask("veto"))];
}

/** What keeps it from running beside others, as words: `no-shared-state is unknown`. Empty when nothing does. */
export function obstaclesOf(judged: readonly JudgedCondition[]): readonly string[] {
  return judged.flatMap(({ condition, kind, verdict }) => {
    if (kind === "veto") return verdict === "met" ? [`${condition} applies`] : [];
    if (verdict === "met") return [];
    return [`${condition} is ${verdict === "unknown" ? "unknown" : "not met"}`];
  });
}

/** Why it waits, for the model, the journal and the screen. */
export function queueSentence(policy: Policy, obstacles: readonly string[], beside: readonly string[]): string {
  return `Under ${policyName(policy)} it may not run beside ${beside.join(", ")}: ${obstacles.join("; ")}.`;
}

function judgeOne(
  kind: "need" | "veto",
  { name }: Condition,
  independence: Independence | undefined,
  seen: string | null,
): JudgedCondition {
  const isShared = name === noSharedState || name === sharedResources;
  if (isShared && seen !== null) {
    return { condition: name, kind, verdict: kind === "need" ? "not_met" : "met", evidence: seen, by: "system" };
  }
  const stated = independence !== undefined && Object.hasOwn(independence, name) ? independence[name] : undefined;
  return stated === undefined
    ? { condition: name, kind, verdict: "unknown", evidence: "Nothing was stated.", by: "system" }
    : { condition: name, kind, verdict: stated.verdict, evidence: stated.evidence, by: "lead" };
}

/** What the machine sees to be shared, `null` where it sees nothing. */
function seenShared(state: RunState, { paths, writes }: Candidate): string | null {
  if (!writes) return null;
  if (paths === null) return "It claims no paths, so what it edits is not known.";
  const rival = state.nodes.find(
    (node) => node.writes && !node.isSettled && node.end === null && claimsOverlap(node.packet.paths, paths),
  );
  return rival === undefined ? null : `Its paths overlap those of ${rival.id}.`;
}
