// What a run and its subagents may draw on and do: budgets at every prefix, charges that add up, tools and ranks within
// the role, a graph within its limits.

import { balanceNames } from "../../../shared/contract/options.ts";
import { nothing, plus } from "../budget.ts";
import { graphOf, maxChainOf } from "../decisions/spawn.ts";
import type { EventOf } from "../events.ts";
import { effectRanks } from "../records.ts";
import { chainLength } from "../graph/taskGraph.ts";
import { rolesOf } from "../roles.ts";
import { findNode, type RunState } from "../state.ts";
import { type Fault, faultAt, none, type Step, type Watcher } from "./fault.ts";

/** I9: what is reserved is there, and nothing is reserved beyond it. Use that was reported late may pass a limit. */
export const watchBudget: Watcher = ({ before, event, after }) => {
  const { limit, used, reserved } = after.budget;
  return balanceNames.flatMap((name) => {
    if (reserved[name] < 0) return faultAt("I9", event, `${reserved[name]} ${name} are reserved`);
    const whole = limit[name];
    const grows = reserved[name] > (before?.budget.reserved[name] ?? 0);
    return grows && whole !== null && used[name] + reserved[name] > whole
      ? faultAt("I9", event, `${reserved[name]} ${name} are reserved beside ${used[name]} used, of ${whole}`)
      : none;
  });
};

/** I10 */
export const watchCharges: Watcher = ({ before, event, after }) => {
  const node = before === null || event.type !== "subagent.settled" ? undefined : findNode(before, event.data.subagent);
  if (event.type !== "subagent.settled" || node === undefined) return none;
  const used = node.request === null ? node.used : plus(node.used, node.request.estimate);
  const wrong = balanceNames.filter((name) => used[name] !== event.data.used[name]);
  const faults = wrong.flatMap((name) =>
    faultAt("I10", event, `${node.id} is charged ${event.data.used[name]} ${name}, and used ${used[name]}`),
  );
  return [...faults, ...unbalanced(event, after)];
};

/** What the run has used is what its lead used and what its children were charged; a fork begins both anew. */
function unbalanced(event: EventOf<"subagent.settled">, state: RunState): readonly Fault[] {
  if (state.origin !== null) return none;
  const sum = state.nodes.reduce((total, node) => plus(total, node.charged), plus(nothing, state.lead.used));
  return balanceNames
    .filter((name) => sum[name] !== state.budget.used[name])
    .flatMap((name) =>
      faultAt("I10", event, `the run has used ${state.budget.used[name]} ${name}, its agents ${sum[name]}`),
    );
}

/** I11 */
export const watchTools: Watcher = ({ before, event, roles }) => {
  if (event.type !== "tool.dispatched" || event.agent === "lead" || before === null) return none;
  const node = findNode(before, event.agent);
  if (node === undefined) return none;
  const { tool, effect } = event.data;
  if (!node.packet.allowedTools.includes(tool)) return faultAt("I11", event, `${node.id} has no tool ${tool}`);
  const ceiling = rolesOf(before.roles, roles)[node.role]?.ceiling;
  return ceiling === undefined || effectRanks.indexOf(effect) <= effectRanks.indexOf(ceiling)
    ? none
    : faultAt("I11", event, `${tool} has the effect ${effect}, above ${ceiling} of ${node.role}`);
};

/** I12 */
export const watchGraph: Watcher = ({ event, after }: Step) => {
  if (event.type !== "handoff.recorded") return none;
  const { maxSubagents } = after.limits;
  const maxChain = maxChainOf(after);
  const depth: number = event.data.packet.remainingDepth;
  if (event.agent !== "lead" || depth !== 0)
    return faultAt("I12", event, `${event.data.subagent} may delegate further`);
  if (after.nodes.length > maxSubagents)
    return faultAt("I12", event, `it is subagent ${after.nodes.length} of ${maxSubagents}`);
  const length = chainLength(graphOf(after), event.data.subagent);
  return length > maxChain ? faultAt("I12", event, `it ends a chain of ${length}, of at most ${maxChain}`) : none;
};
