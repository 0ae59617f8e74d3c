// Why a subagent stands where it does: what it was given, waits for, reviews, replaces, and with whom it shares files. Pure.

import type {
  OverlapSnapshot,
  RadarConflict,
  RadarPicture,
  RunSnapshot,
  SubagentSnapshot,
} from "../../../shared/contract/snapshots.ts";
import type { RunView } from "../subagents.ts";
import { hasEnded, hasFallen, ordinalOf } from "../subagents.ts";

/** A sentence for each relation, without a full stop; the order is that of its dependencies. */
export function reasonsOf(
  subagent: SubagentSnapshot,
  { overlaps = [] }: RunSnapshot,
  view: RunView,
  radar?: RadarPicture,
): readonly string[] {
  const { id, dependsOn, replaces } = subagent;
  const replacedBy = view.accounts.get(id)?.replacedBy ?? 0;
  return [
    ...dependsOn.flatMap(({ id: other, until, because }) => {
      const dependency = view.byId.get(other);
      if (dependency === undefined) return [];
      const reason = reasonFor(subagent, dependency, until);
      return [because === undefined ? reason : `${reason} (${because})`];
    }),
    ...(replaces === undefined ? [] : [`Takes the place of ${replaces}`]),
    ...(replacedBy > 0 ? [`subagent-${replacedBy} has taken its place`] : []),
    ...overlaps.filter(({ agents }) => agents.includes(id)).map((overlap) => reasonOfOverlap(subagent, overlap)),
    ...(radar?.conflicts ?? [])
      .filter(({ agent, other }) => agent === id || other === id)
      .map((conflict) => reasonOfConflict(subagent, conflict)),
  ];
}

function reasonFor(subagent: SubagentSnapshot, other: SubagentSnapshot, until: "completed" | "proposed"): string {
  const { id, role, status, headline, startedAt } = other;
  const hasStarted = subagent.startedAt !== null;
  if (hasFallen(other) && !hasStarted)
    return hasEnded(subagent) ? `Never started: ${id} did not complete` : `${id} did not complete`;
  if (until === "proposed") return hasStarted ? `Looks at what ${id} proposed` : `Starts once ${id} has proposed`;
  if (hasStarted || status === "completed")
    return headline === undefined ? `Was given the result of ${id}` : `${id} gave: ${headline}`;
  const goal = role === "executor" ? "has landed" : "is done";
  return `Starts once ${id} ${goal}${startedAt === null ? ", which has not begun" : ""}`;
}

function reasonOfOverlap({ id }: SubagentSnapshot, { agents, path, fileCount }: OverlapSnapshot): string {
  const other = agents.find((agent) => agent !== id) ?? id;
  const more = fileCount > 1 ? ` and ${fileCount - 1} more` : "";
  return `Touches ${path}${more}, as subagent-${ordinalOf(other)} does`;
}

function reasonOfConflict({ id }: SubagentSnapshot, { agent, other, paths, fileCount }: RadarConflict): string {
  const [path = ""] = paths;
  const where = fileCount > 1 ? `${path} and ${fileCount - 1} more` : path;
  return `As it stands it would conflict with ${other === null ? "the target" : id === agent ? other : agent} in ${where}`;
}
