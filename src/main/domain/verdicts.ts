// What subagents have said of criteria, read from the state: of which tree, for which steps of the plan, and whether it
// still holds. A verdict is bound to its tree, and void once that has been edited.

import type { ChangeSetId, Oid, SubagentId } from "../../shared/contract/ids.ts";
import { compareOutcomes, conflictKey, type JudgedOutcome } from "./merge.ts";
import { type ChangeSetState, findChangeSet, findNode, isStanding, type NodeState, type RunState } from "./state.ts";

/** How a verdict stands. `present`: its tree is the run's line, or is proposed. `landed`: what it is about has landed, as part of another tree. `void`: its tree was edited since, or taken back. */
export type Standing = "present" | "landed" | "void";

/** `step`: the step that it counts for, its own or that of whoever made what it looks at. `event`: the ordinal of the result. */
export interface GivenVerdict extends JudgedOutcome {
  readonly id: SubagentId;
  readonly tree: Oid;
  readonly changeset: ChangeSetId | null;
  readonly evidence: string;
  readonly event: number;
  readonly standing: Standing;
}

/** Every verdict of work that was handed in and neither failed nor was cancelled, in merging order. `unknown` says nothing. */
export function verdictsOf(state: RunState): readonly GivenVerdict[] {
  return state.nodes
    .filter(isHandedIn)
    .flatMap((node) => verdictsBy(state, node))
    .toSorted(compareOutcomes);
}

/** The tree that the run's line stands at; its commit where the tree is not on record. */
export function lineTree(state: RunState): Oid {
  return treeOf(state, state.line);
}

/** A criterion is named by what stands before its colon: `spec: The change does what the task asks.` */
export function criterionName(criterion: string): string {
  return (criterion.split(":")[0] ?? criterion).trim().toLowerCase();
}

const handedIn: readonly NodeState["status"][] = ["awaiting_review", "landing", "completed"];

function isHandedIn({ status, result }: NodeState): boolean {
  return result?.verdicts !== undefined && handedIn.includes(status);
}

function verdictsBy(state: RunState, node: NodeState): readonly GivenVerdict[] {
  const set = findChangeSet(state, node.writes ? node.changeSet : node.reads);
  const tree = set?.tree ?? treeOf(state, node.root ?? state.base.commit);
  const about = {
    step: stepOf(state, node, set),
    role: node.role,
    ordinal: node.ordinal,
    id: node.id,
    tree,
    changeset: set?.id ?? null,
    event: node.resultN,
    standing: set === undefined ? standingOnLine(state, tree) : standingOf(state, set),
  };
  const said = (node.result?.verdicts ?? []).flatMap(({ criterion, verdict, evidence }) =>
    verdict === "unknown" ? [] : [{ ...about, criterion: criterionOf(node, criterion), verdict, evidence }],
  );
  // Whoever contradicts itself objects.
  const objections = new Set(said.filter(({ verdict }) => verdict === "failed").map(conflictKey));
  return said.filter((one) => one.verdict === "failed" || !objections.has(conflictKey(one)));
}

function stepOf(state: RunState, { packet }: NodeState, set: ChangeSetState | undefined): string | null {
  return packet.step ?? findNode(state, set?.agent ?? "lead")?.packet.step ?? null;
}

/** In the packet's words, which a verdict may name by what stands before the colon. */
function criterionOf({ packet }: NodeState, said: string): string {
  const text = said.trim().replace(/\s+/g, " ");
  const asked = (packet.criteria ?? []).map((criterion) => criterion.trim().replace(/\s+/g, " "));
  const isSame = (criterion: string) => criterion.toLowerCase() === text.toLowerCase();
  const named = asked.filter((criterion) => criterionName(criterion) === text.toLowerCase());
  return asked.find(isSame) ?? (named.length === 1 ? (named[0] ?? text) : text);
}

function standingOf(state: RunState, set: ChangeSetState): Standing {
  if (isStanding(set) || set.tree === lineTree(state)) return "present";
  return state.landings.some(
    ({ changeset, status, undoes }) => changeset === set.id && undoes === null && status === "landed",
  )
    ? "landed"
    : "void";
}

function standingOnLine(state: RunState, tree: Oid): Standing {
  return tree === lineTree(state) ? "present" : "void";
}

/** A commit stands for its tree where that is not on record, so that it equals no other. */
function treeOf(state: RunState, commit: Oid): Oid {
  const landing = state.landings.find((one) => one.line === null && one.new === commit);
  return landing?.tree ?? state.changeSets.find((set) => set.commit === commit)?.tree ?? commit;
}
