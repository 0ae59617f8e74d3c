// How the members of a run stand to each other, and how keen the lead is to delegate, as a person chooses it.

import type { RunOptions } from "./options.ts";
import { policyName } from "./policy.ts";

/** `supervisor`: the lead reads, sends and decides. `coordinator`: it has no tool but those that send, wait and plan. `dispatch`: each subagent checks out an item of the plan, and no item goes to two. `groups`: subagents stand in isolated groups and may write to those that their packet names. */
export const topologies = ["supervisor", "coordinator", "dispatch", "groups"] as const;
export type Topology = (typeof topologies)[number];

/** `off`: the lead works alone. `direct`: it does the work itself, and a subagent needs a reason. `prefer`: it sends subagents. */
export const delegations = ["off", "direct", "prefer"] as const;
export type Delegation = (typeof delegations)[number];

type Team = Pick<RunOptions, "workflow" | "leadEdits" | "policy" | "topology" | "delegation" | "approvePlan">;

/** Why these choices cannot hold in one run, as a sentence that names the options of the command line; `null` when they can. */
export function problemOfTeam(team: Team): string | null {
  const { workflow, leadEdits, policy, topology = "supervisor", delegation, approvePlan } = team;
  const edits = delegation === "direct" ? "--delegation direct" : leadEdits === true ? "--lead-edits" : null;
  if (workflow === "off" && delegation !== undefined && delegation !== "off")
    return `--no-workflow is one agent alone, so it does not go with --delegation ${delegation}; leave one of them out.`;
  if (workflow === "off" || delegation === "off") {
    const alone = workflow === "off" ? "--no-workflow" : "--delegation off";
    const ruling = rulingOf(policy, topology, approvePlan);
    return ruling === null
      ? null
      : `${alone} is one agent alone, so ${ruling} has nobody to rule over; leave one of them out.`;
  }
  if (topology === "coordinator" && edits !== null)
    return `A coordinator has no working tools, so --topology coordinator does not go with ${edits}; leave one of them out.`;
  if (policy?.kind === "template" && (topology === "dispatch" || topology === "groups"))
    return `The template ${policy.name} fixes who works on what, so it does not go with --topology ${topology}; leave one of them out.`;
  return null;
}

function rulingOf(policy: Team["policy"], topology: Topology, approvePlan: true | undefined): string | null {
  if (policy !== undefined && policy.kind !== "llm") return `--policy ${policyName(policy)}`;
  if (topology !== "supervisor") return `--topology ${topology}`;
  return approvePlan === true ? "--approve-plan" : null;
}
