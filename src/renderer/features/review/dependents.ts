// Who waits for what an agent changes. Pure.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";

/** Subagents that depend on `agent`, in the order of creation. */
export function dependentsOf({ subagents }: RunSnapshot, agent: AgentId): readonly SubagentSnapshot[] {
  return subagents.filter(({ dependsOn }) => dependsOn.some(({ id }) => id === agent));
}

/** `Executor 7 has started` in short: how many of them are at work or past it, and how many still wait. */
export function startedWords(dependents: readonly SubagentSnapshot[]): string {
  if (dependents.length === 0) return "";
  const started = dependents.filter(({ startedAt }) => startedAt !== null);
  if (started.length === 0)
    return dependents.length === 1 ? `${dependents[0]?.id} waits for it` : `${dependents.length} wait for it`;
  return started.length === 1 ? `${started[0]?.id} started` : `${started.length} dependents started`;
}
