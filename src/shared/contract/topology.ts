// How the members of a run stand to each other, and how keen the lead is to delegate, as a person chooses it.

import type { RunOptions } from "./options.ts";
import { policyName } from "./policy.ts";

/** `supervisor`: the lead reads, sends and decides. `coordinator`: it has no tool but those that send, wait and plan. `dispatch`: each subagent checks out an item of the plan, and no item goes to two. `groups`: subagents stand in isolated groups and may write to those that a person, or else their packet, names. */
export const topologies = ["supervisor", "coordinator", "dispatch", "groups"] as const;
export type Topology = (typeof topologies)[number];

/** `off`: the lead works alone. `direct`: it does the work itself, and a subagent needs a reason. `prefer`: it sends subagents. */
export const delegations = ["off", "direct", "prefer"] as const;
export type Delegation = (typeof delegations)[number];

/** Most characters of a group's name. */
export const maxGroupName = 60;

/** A group that may write to another one, by their names. */
export interface GroupLink {
  readonly from: string;
  readonly to: string;
}

/** Two names of groups with `mark` between them; `null`: it is nothing of the kind. */
export function parseGroupLink(text: string, mark: ":" | ">"): GroupLink | null {
  const [from = "", to = "", ...more] = text.split(mark).map((name) => name.trim());
  const isName = (name: string) => name !== "" && name.length <= maxGroupName;
  return more.length === 0 && isName(from) && isName(to) && from !== to ? { from, to } : null;
}

type Team = Pick<
  RunOptions,
  "workflow" | "leadEdits" | "policy" | "topology" | "mayMessage" | "delegation" | "approvePlan"
>;

/** Choices that cannot hold in one run. `alone`: one agent has nobody to delegate to, or to rule over. `coordinatorEdits`: it has no working tools. `fixedTeam`: a template says who works on what. `listWithoutGroups`: nobody writes to anybody. */
export type TeamClash = "aloneDelegates" | "aloneRules" | "coordinatorEdits" | "fixedTeam" | "listWithoutGroups";

/** The first clash in these choices; `null`: they can hold together. */
export function clashOf(team: Team): TeamClash | null {
  const { workflow, policy, topology, delegation, mayMessage } = team;
  if (workflow === "off" && delegation !== undefined && delegation !== "off") return "aloneDelegates";
  if (workflow === "off" || delegation === "off") return rulingOf(team) === null ? null : "aloneRules";
  if (topology === "coordinator" && editsOf(team) !== null) return "coordinatorEdits";
  if (policy?.kind === "template" && (topology === "dispatch" || topology === "groups")) return "fixedTeam";
  return mayMessage !== undefined && topology !== "groups" ? "listWithoutGroups" : null;
}

/** Why these choices cannot hold in one run, as a sentence that names the options of the command line; `null` when they can. */
export function problemOfTeam(team: Team): string | null {
  const { workflow, policy, topology, delegation } = team;
  switch (clashOf(team)) {
    case null:
      return null;
    case "aloneDelegates":
      return `--no-workflow is one agent alone, so it does not go with --delegation ${delegation}; leave one of them out.`;
    case "aloneRules":
      return `${workflow === "off" ? "--no-workflow" : "--delegation off"} is one agent alone, so ${rulingOf(team)} has nobody to rule over; leave one of them out.`;
    case "coordinatorEdits":
      return `A coordinator has no working tools, so --topology coordinator does not go with ${editsOf(team)}; leave one of them out.`;
    case "fixedTeam":
      return `The template ${policy?.kind === "template" ? policy.name : ""} fixes who works on what, so it does not go with --topology ${topology}; leave one of them out.`;
    case "listWithoutGroups":
      return "--may-message says which group may write to which, so it goes with --topology groups alone; name that, or leave it out.";
  }
}

/** The option by which the lead edits itself. */
function editsOf({ delegation, leadEdits }: Team): string | null {
  return delegation === "direct" ? "--delegation direct" : leadEdits === true ? "--lead-edits" : null;
}

/** An option that rules over more than one agent. */
function rulingOf({ policy, topology = "supervisor", mayMessage, approvePlan }: Team): string | null {
  if (policy !== undefined && policy.kind !== "llm") return `--policy ${policyName(policy)}`;
  if (topology !== "supervisor") return `--topology ${topology}`;
  if (mayMessage !== undefined) return "--may-message";
  return approvePlan === true ? "--approve-plan" : null;
}
