// What the lead is told of the run's policy: the conditions under which a subagent may start beside others.

import { policyName } from "../../shared/contract/policy.ts";
import { type Condition, ruleSets } from "../domain/policy/conditions.ts";
import { policyOf } from "../domain/policy/judge.ts";
import type { RunState } from "../domain/state.ts";

/** A section of the lead's prompt; empty under `llm`, where the limits alone decide. */
export function policyGuide(state: RunState): string {
  const policy = policyOf(state);
  if (policy.kind === "template")
    return `Who works on this run is fixed by the template ${policy.name}${state.template === null ? "" : `: ${state.template.about}`} You spawn nobody; you are told what they found once all of them have arrived. One that needs context waits for your messageSubagent.`;
  if (policy.kind === "llm") return "";
  const { needs, vetoes } = ruleSets[policy.preset];
  return [
    `What may run side by side (${policyName(policy)})`,
    needs.length === 0
      ? "- Subagents run side by side unless one is blocked. What must wait names its blocker: `dependsOn: [{ id, because }]`."
      : "- A subagent starts beside a running one only if you state of it, in `independence`, that each of these is `met`, with the evidence. What you leave out or call `unknown` is not met, and the subagent waits until nothing else runs.",
    ...needs.map(tell),
    "- It also waits if one of these is `met`. Paths that overlap are seen by the system, whatever you state.",
    ...vetoes.map(tell),
  ].join("\n");
}

function tell({ name, text }: Condition): string {
  return `  - ${name}: ${text}`;
}
