// What follows once the reviewers that a template names have answered: the change goes back to its author, to a fresh
// agent, or to the person. A reviewer can send back; only a person lets land.

import type { Facts } from "../commands.ts";
import type { DraftEvent } from "../events.ts";
import {
  type GateNode,
  gateOn,
  isUnderReview,
  owesReviewer,
  reviewersOf,
  reviewOutcome,
  roundOf,
} from "../policy/gate.ts";
import { findingsOf, replacedCode } from "../policy/templateRun.ts";
import { type ChangeSetState, type NodeState, requireChangeSet, type RunState } from "../state.ts";
import { anotherRound } from "./anotherRound.ts";
import { openReview } from "./review.ts";

/** The events for the first change whose reviewers have answered; none while none has. */
export function goOnReviewed(state: RunState, facts: Facts): readonly DraftEvent[] {
  if (state.ending !== null || (state.status !== "running" && state.status !== "waiting")) return [];
  for (const author of state.nodes) {
    if (!isUnderReview(state, author) || reviewersOf(state, author).some(({ end }) => end === null)) continue;
    const gate = gateOn(state, author);
    if (gate !== null && owesReviewer(state, author, gate)) continue;
    const set = requireChangeSet(state, author.changeSet);
    return (gate && returnToAuthor(state, author, set, gate, facts)) ?? openReview(state, author, set);
  }
  return [];
}

/** `null`: it passed, or nothing more can be done about it without a person. */
function returnToAuthor(
  state: RunState,
  author: NodeState,
  set: ChangeSetState,
  gate: GateNode,
  facts: Facts,
): readonly DraftEvent[] | null {
  const { rounds, freshFrom } = gate.gate;
  const round = roundOf(state, gate);
  const reviewer = reviewersOf(state, author).findLast((node) => node.part === gate.id && node.reads === set.id);
  if (reviewer === undefined || round > rounds || reviewOutcome(reviewer, true).kind !== "failed") return null;
  const returned: DraftEvent = {
    agent: "lead",
    type: "changeset.returned",
    data: { changeset: set.id, by: reviewer.id, round, rounds },
  };
  if (round === freshFrom) {
    const sentence = `From round ${round} on a fresh agent goes on with ${set.id}.`;
    return [
      returned,
      { agent: author.id, type: "subagent.stopped", data: { status: "failed", code: replacedCode, sentence } },
    ];
  }
  const comments = `Round ${round} of ${rounds}: ${reviewer.id} did not pass your change. Mend what it found, then call submitResult again.\n${findingsOf(state, gate)}`;
  const again = anotherRound(state, author, comments, facts);
  return "short" in again ? null : [returned, ...again.events];
}
