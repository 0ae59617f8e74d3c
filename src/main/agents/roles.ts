// The built-in roles, as data, frozen at every level. A role narrows: what it does not list, its agents do not have.

import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import type { EffectRank } from "../domain/records.ts";
import type { RoleSpec, RoleTable } from "../domain/roles.ts";

/** The tools that read files, which every role has. */
export const readerTools: readonly string[] = ["listFiles", "readFile", "searchText", "browseSymbols", "exploreCode"];

/** Steps of a role that a file brings, by whether it only reads. */
const usualSteps = { reader: 25, other: 40 };

/** Tool calls a role may make for each of its steps, on average, before its slice is used up. */
const callsPerStep = 4;

function role(
  name: string,
  tools: readonly string[],
  ceiling: EffectRank,
  steps: number,
  readsProposals = false,
): RoleSpec {
  const proposes = tools.includes("applyEdit");
  return {
    name,
    tools,
    ceiling,
    steps,
    budget: { steps, toolCalls: steps * callsPerStep, inputTokens: null, outputTokens: null, costMicros: null },
    proposes,
    readsProposals,
  };
}

export const builtInRoles: RoleTable = deepFreeze({
  explorer: role("explorer", readerTools, "read", 25),
  reviewer: role("reviewer", [...readerTools, "readChangeSet"], "read", 25, true),
  planner: role("planner", readerTools, "read", 20),
  verifier: role("verifier", [...readerTools, "runCommand"], "execute", 25, true),
  executor: role("executor", [...readerTools, "applyEdit", "runCommand"], "execute", 40),
});

/** What a lead has besides where it may edit itself. */
export const editingTools: readonly string[] = Object.freeze(["applyEdit", "runCommand"]);

/** The working tools of a lead: it reads; what it changes, it delegates. */
export const leadTools: readonly string[] = Object.freeze([...readerTools, "readChangeSet"]);

/** A role with these tools and what such a role may use at most. It reads proposals where it has the tool for it. */
export function roleSpec(name: string, tools: readonly string[], ceiling: EffectRank): RoleSpec {
  const steps = ceiling === "read" ? usualSteps.reader : usualSteps.other;
  return role(name, tools, ceiling, steps, tools.includes("readChangeSet"));
}
