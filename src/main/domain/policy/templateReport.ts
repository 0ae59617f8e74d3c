// What the lead of a template is told when it gets its first turn: the result of each node, as data. Findings that a
// node of the template was to confirm and did not are left out, and counted.

import type { Json } from "../../../shared/lib/json.ts";
import { isAskingLead } from "../arrival.ts";
import { resultOf } from "../projections/result.ts";
import type { NodeState, RunState } from "../state.ts";
import { newestOf } from "./gate.ts";

/** A finding as a reviewer names it; it is known by its reviewer and its id. */
type Finding = Readonly<Record<string, Json | undefined>>;

export function templateReport(state: RunState): string {
  const results = state.nodes.map((node) => ({
    step: node.part ?? node.id,
    ...(resultOf(state, node) as object),
    ...confirmedOf(state, node),
  }));
  const asking = state.nodes.filter(isAskingLead).map(({ id }) => id);
  const standing =
    asking.length === 0
      ? "Every subagent of the template has arrived."
      : `${asking.join(", ")} cannot go on without context: give it with messageSubagent, then wait for the others with waitForSubagents.`;
  return `${standing} The results so far, as data:\n<data source="template results">\n${JSON.stringify(results, null, 1)}\n</data>\nOnce all are in, answer the task from them: what was found, what was changed and where, what was checked, and what is left open.`;
}

/** In place of a reviewer's findings, those that were confirmed; nothing for a node whose findings nobody was to confirm. */
export function confirmedOf(state: RunState, node: NodeState): { readonly data?: Json; readonly unconfirmed?: number } {
  const judge = state.template?.nodes.find((one) => one.confirms?.includes(node.part ?? "") === true);
  const findings = listIn(node.result?.data, "findings");
  if (judge === undefined || findings === null) return {};
  const confirmed = listIn(newestOf(state, judge.id)?.result?.data, "confirmed") ?? [];
  const kept = findings.filter(({ id }) => confirmed.some((one) => one["from"] === node.id && one["id"] === id));
  const { data } = node.result ?? {};
  return {
    data: { ...(data as Finding), findings: kept as Json },
    unconfirmed: findings.length - kept.length,
  };
}

/** A list of objects under a name in what a subagent handed over as data; `null` when there is none. */
function listIn(data: Json | undefined, name: string): readonly Finding[] | null {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return null;
  const list = (data as Finding)[name];
  if (!Array.isArray(list)) return null;
  return list.filter((one): one is Finding => typeof one === "object" && one !== null && !Array.isArray(one));
}
