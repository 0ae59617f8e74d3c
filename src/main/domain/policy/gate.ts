// Reviews that a template names: who looks at a proposed change before a person is asked, what their verdicts come to,
// and whether another round is owed. An author never reviews its own change, and words never count as approval.

import type { Template, TemplateNode } from "../../../shared/contract/template.ts";
import { findChangeSet, type NodeState, type RunState } from "../state.ts";
import { criterionName } from "../verdicts.ts";
import { authorOfGate } from "./template.ts";

/** A node of a template that decides about a change, in rounds. */
export type GateNode = TemplateNode & Required<Pick<TemplateNode, "gate">>;

/** What a review comes to. `open`: it cannot be told, for the reason given. */
export type ReviewOutcome =
  | { readonly kind: "passed" }
  | { readonly kind: "failed"; readonly criteria: readonly string[] }
  | { readonly kind: "open"; readonly sentence: string };

/** The newest subagent of one node of the template. */
export function newestOf(state: RunState, part: string): NodeState | undefined {
  return state.nodes.findLast((node) => node.part === part);
}

/** Every gate of the run's template. */
export function gatesOf({ template }: { readonly template: Template | null }): readonly GateNode[] {
  return (template?.nodes ?? []).filter((node): node is GateNode => node.gate !== undefined);
}

/** The gate that decides about an author's change; `null`: none does. */
export function gateOn(state: RunState, author: NodeState): GateNode | null {
  return gatesOf(state).find((gate) => authorOfGate(gate) === author.part) ?? null;
}

/** Those that a template has look at an author's proposal, in order of creation. */
export function reviewersOf(state: RunState, author: NodeState): readonly NodeState[] {
  if (state.template === null) return [];
  return state.nodes.filter(
    (node) => !node.writes && node.dependsOn.some(({ id, until }) => id === author.id && until === "proposed"),
  );
}

/** Proposed and checked, and nobody has been asked yet: reviewers look at it. */
export function isUnderReview(state: RunState, node: NodeState): boolean {
  return node.status === "awaiting_review" && findChangeSet(state, node.changeSet)?.status === "proposed";
}

/** Whether those that the template names are to look at an author's present change before a person does. */
export function isReviewedFirst(state: RunState, author: NodeState): boolean {
  const gate = gateOn(state, author);
  return (
    reviewersOf(state, author).some(({ end }) => end === null) || (gate !== null && owesReviewer(state, author, gate))
  );
}

/** Reviewers that an author's gate has had, whoever the author was at the time: each beyond the first is a round. */
export function roundOf(state: RunState, gate: GateNode): number {
  return state.nodes.filter((node) => node.part === gate.id).length;
}

/** Whether a gate has still to look at what its author proposes, or will propose. */
export function owesReviewer(state: RunState, author: NodeState, gate: GateNode): boolean {
  if (author.end !== null || roundOf(state, gate) > gate.gate.rounds) return false;
  const reviewers = reviewersOf(state, author).filter((node) => node.part === gate.id);
  if (reviewers.some((node) => node.end === null)) return false;
  const set = findChangeSet(state, author.changeSet);
  return set === undefined || set.status === "sent_back" || !reviewers.some((node) => node.reads === set.id);
}

/** What one review comes to. A gate must give a verdict on each of its criteria; elsewhere a verdict that is left out says nothing. */
export function reviewOutcome(reviewer: NodeState, isGate: boolean): ReviewOutcome {
  if (reviewer.end !== "completed")
    return {
      kind: "open",
      sentence: `${reviewer.id} did not finish its review (${reviewer.code ?? reviewer.status}).`,
    };
  const verdicts = reviewer.result?.verdicts ?? [];
  const failed = verdicts
    .filter(({ verdict }) => verdict === "failed")
    .map(({ criterion }) => criterionName(criterion));
  if (failed.length > 0) return { kind: "failed", criteria: failed };
  const unknown = verdicts
    .filter(({ verdict }) => verdict === "unknown")
    .map(({ criterion }) => criterionName(criterion));
  const missing = isGate
    ? (reviewer.packet.criteria ?? [])
        .map(criterionName)
        .filter((name) => !verdicts.some(({ criterion }) => criterionName(criterion) === name))
    : [];
  const untold = [...new Set([...unknown, ...missing])];
  return untold.length === 0
    ? { kind: "passed" }
    : { kind: "open", sentence: `${reviewer.id} gave no verdict on ${untold.join(", ")}.` };
}

/** What the reviewers of an author's present change have against it, as sentences for the person; `null`: nothing. */
export function reviewObstacle(state: RunState, author: NodeState): string | null {
  const gate = gateOn(state, author);
  const sentences = reviewersOf(state, author)
    .filter((node) => node.reads === author.changeSet)
    .flatMap((reviewer) => {
      const outcome = reviewOutcome(reviewer, gate !== null && reviewer.part === gate.id);
      if (outcome.kind === "open") return [outcome.sentence];
      return outcome.kind === "failed" ? [`${reviewer.id} did not pass it: ${outcome.criteria.join(", ")}.`] : [];
    });
  return sentences.length === 0 ? null : sentences.join(" ");
}
