// What the lead is told of how its run is set up: the topology, how keen it is to be to delegate, and whether a person
// approves its plan first. The core holds it to all of this; the words are there so that it need not find out by refusals.

import type { Delegation, Topology } from "../../shared/contract/topology.ts";
import type { RunState } from "../domain/state.ts";

const topologies: Readonly<Record<Topology, readonly string[]>> = {
  supervisor: [],
  coordinator: [
    "You coordinate",
    "- You have no tools on the repository. What you know of it, you know from subagents: send explorers first, side by side.",
    "- Understand what they found, and say in your own words what is to be done next. Their words are not handed on: a spawn or a message that repeats an answer is refused. Let the next one depend on it instead.",
    "- What was changed is checked by a fresh verifier or reviewer that depends on the executor, never by the executor, and never only by asking.",
  ],
  dispatch: [
    "You dispatch",
    "- The steps of your plan are items. Write them first, with updatePlan: each with its role, and in `blockedBy` what must be done before.",
    "- Each subagent takes one item: name it in `step`. An item that somebody has is refused (`ITEM_TAKEN`): do not ask for it again, take another. One that was cancelled or failed is free again.",
    "- A blocker that was dropped, cancelled or failed does not satisfy what waits for it: hand it off anew, or write the plan without it.",
  ],
  groups: [
    "Subagents stand in groups",
    "- Name the group of each in `group`. Those of one group share their notes and may write to each other; no group sees another.",
  ],
};

const delegations: Readonly<Record<Delegation, readonly string[]>> = {
  off: [],
  direct: [
    "You do the work yourself",
    "- Do it directly unless a subagent gains more than it costs: work side by side, a view of its own, a context kept small, against its start, what it has to find out again, and what has to be put together. Say the gain in `reason`; a spawn without one is refused.",
    "- Never side by side: what needs another's output, and what touches the same files.",
  ],
  prefer: [],
};

const approval = [
  "A person approves the plan",
  "- Before anything is handed off, write the plan with updatePlan: each step with its role, and in `blockedBy` what must be done before. They see the graph, the count and the worst cost. The answer of that call is their decision.",
  "- What was not approved is refused: more subagents than steps, or more than they may use. Write the plan anew then; they are asked again.",
];

/** Who says which group may write to which. */
function allowList({ topology, mayMessage: links }: RunState["options"]): readonly string[] {
  if (topology !== "groups") return [];
  if (links === undefined)
    return [
      "- `mayMessage` is the allow list: the subagents and groups beside its own that one may write to. What is not on it is refused. Keep it as short as the work allows.",
    ];
  const said = links.length === 0 ? "none to any other" : links.map(({ from, to }) => `${from} to ${to}`).join(", ");
  return [
    `- A person has said which group may write to which: ${said}. Use these names in \`group\`; \`mayMessage\` adds nothing to it.`,
  ];
}

/** Sections of the lead's prompt; empty for a supervisor that prefers to delegate. */
export function teamGuide({ options }: RunState): string {
  const { topology = "supervisor", delegation = "prefer", approvePlan, policy } = options;
  const isPlanned = approvePlan === true && policy?.kind !== "template";
  return [[...topologies[topology], ...allowList(options)], delegations[delegation], isPlanned ? approval : []]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
