// Whether an agent may hand off this piece of work at all, by who it is and how its run is set up: before the limits, the
// graph and the budget are looked at. Each refusal says what to do instead.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { SpawnArguments } from "../commands.ts";
import { checkOut } from "../policy/items.ts";
import { relayRefusal } from "../policy/relay.ts";
import { findNode, type RunState } from "../state.ts";
import { planRefusal } from "./planApproval.ts";
import type { SpawnRefusal } from "./spawn.ts";

/** The arguments as they are to be decided, or why there is nothing to decide. Codes `DEPTH_EXHAUSTED`, `TEMPLATE_FIXED`, `REASON_MISSING`, `AUTHOR_REVIEWS`, `RELAYED`, `PLAN_NOT_APPROVED`, `PLAN_EXCEEDED`, and those of `checkOut`. */
export function mayDelegate(state: RunState, agent: AgentId, input: SpawnArguments): SpawnArguments | SpawnRefusal {
  const { task, context = "", constraints = [] } = input;
  return (
    agentRefusal(state, agent) ??
    reasonRefusal(state, input) ??
    authorRefusal(state, input) ??
    relayRefusal(state, [task, context, ...constraints]) ??
    planRefusal(state) ??
    checkOut(state, input)
  );
}

function agentRefusal(state: RunState, agent: AgentId): SpawnRefusal | null {
  if (agent !== "lead")
    return {
      code: "DEPTH_EXHAUSTED",
      sentence: `${agent} may not delegate further; do the work, or name what is left in followups.`,
    };
  return state.template === null
    ? null
    : {
        code: "TEMPLATE_FIXED",
        sentence: `The template ${state.template.name} fixes who works on this run; answer from what they found.`,
      };
}

/** A lead that does the work itself says what a subagent gains that is worth its start. */
function reasonRefusal({ options }: RunState, { reason }: SpawnArguments): SpawnRefusal | null {
  if (options.delegation !== "direct" || reason !== undefined) return null;
  return {
    code: "REASON_MISSING",
    sentence:
      "Under --delegation direct you do the work yourself. Either do it, or say in `reason` what a subagent gains that is worth its start: time side by side, a view of its own, a context kept small.",
  };
}

/** Whoever takes an author's place does not judge that author's change. */
function authorRefusal(state: RunState, { replaces, dependsOn = [] }: SpawnArguments): SpawnRefusal | null {
  if (replaces === undefined || findNode(state, replaces as AgentId)?.writes !== true) return null;
  const isReviewed = dependsOn.some(
    (one) => typeof one !== "string" && one.id === replaces && one.until === "proposed",
  );
  return isReviewed
    ? {
        code: "AUTHOR_REVIEWS",
        sentence: `It would take the place of ${replaces} and review its change; let somebody review who does not replace the author.`,
      }
    : null;
}
