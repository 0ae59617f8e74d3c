// Under `dispatch` the steps of the plan are items. Whoever is handed off takes one, in the transaction of the handoff:
// the item is free in the state that decides, and held in every state after it. A loser reads who has it.

import type { SubagentId } from "../../../shared/contract/ids.ts";
import type { SpawnArguments } from "../commands.ts";
import { conflictOn } from "../verdictConflicts.ts";
import type { SpawnRefusal } from "../decisions/spawn.ts";
import type { PlanStep } from "../records.ts";
import type { NodeState, RunState } from "../state.ts";

/** Whoever has an item: it is at work on it, or has completed it. One that failed or was cancelled has it no more. */
export function holderOf({ nodes }: Pick<RunState, "nodes">, item: string): NodeState | undefined {
  return nodes.findLast((node) => node.packet.step === item && (node.end === null || node.end === "completed"));
}

/** The arguments with the item's blockers as dependencies, or why the item is not to be had. Under another topology the arguments as they are. Codes `ITEM_MISSING`, `ITEM_UNKNOWN`, `ITEM_TAKEN`, `ITEM_DROPPED`, `ITEM_BLOCKED`. */
export function checkOut(state: RunState, input: SpawnArguments): SpawnArguments | SpawnRefusal {
  if (state.options.topology !== "dispatch") return input;
  if (input.step === undefined)
    return refusal(
      "ITEM_MISSING",
      `Each subagent takes one item of the plan: name it in \`step\`. ${freeWords(state)}`,
    );
  const item = state.plan.find(({ id }) => id === input.step);
  if (item === undefined)
    return refusal("ITEM_UNKNOWN", `The plan has no item ${JSON.stringify(input.step)}. ${freeWords(state)}`);
  if (item.status === "dropped") return refusal("ITEM_DROPPED", `${item.id} was dropped. ${freeWords(state)}`);
  const holder = holderOf(state, item.id);
  if (holder !== undefined)
    return refusal(
      "ITEM_TAKEN",
      `${holder.id} has ${item.id} (${holder.status}); do not ask for it again. ${freeWords(state)}`,
    );
  const blocked = blockerOf(state, item);
  if (blocked !== null) return refusal("ITEM_BLOCKED", blocked);
  return { ...input, dependsOn: [...(input.dependsOn ?? []), ...openBlockers(state, item, input)] };
}

/** What stands in the way of an item and will not go away by itself; `null`: nothing. */
function blockerOf(state: RunState, { id, blockedBy = [] }: PlanStep): string | null {
  for (const blocker of blockedBy) {
    const conflict = conflictOn(state, blocker);
    if (conflict !== undefined)
      return `${id} waits for ${blocker}, which is blocked: the verdicts on ${JSON.stringify(conflict.criterion)} are opposite, and a person settles that. Take another item.`;
    if (holderOf(state, blocker) !== undefined) continue;
    const last = state.nodes.findLast((node) => node.packet.step === blocker);
    if (state.plan.find((step) => step.id === blocker)?.status === "dropped")
      return `${id} waits for ${blocker}, which was dropped, and that does not satisfy it. Write the plan without that blocker if ${id} can do without it.`;
    return last === undefined
      ? `${id} waits for ${blocker}, which nobody has taken. Hand off ${blocker} first.`
      : `${id} waits for ${blocker}; ${last.id} had it and has ${last.status}, which does not satisfy it. Hand ${blocker} off anew, or write the plan without that blocker.`;
  }
  return null;
}

/** The holders of blockers that are still at work, unless the arguments name them already. */
function openBlockers(state: RunState, { blockedBy = [] }: PlanStep, input: SpawnArguments): readonly SubagentId[] {
  const named = (input.dependsOn ?? []).map((one) => (typeof one === "string" ? one : one.id));
  return blockedBy.flatMap((blocker) => {
    const holder = holderOf(state, blocker);
    return holder === undefined || holder.end === "completed" || named.includes(holder.id) ? [] : [holder.id];
  });
}

function freeWords(state: RunState): string {
  const free = state.plan.filter(
    ({ id, status }) => status !== "dropped" && status !== "done" && holderOf(state, id) === undefined,
  );
  return free.length === 0
    ? "No item is free; write more with updatePlan."
    : `Free: ${free.map(({ id }) => id).join(", ")}.`;
}

function refusal(code: string, sentence: string): SpawnRefusal {
  return { code, sentence };
}
