// How an evolution changes one part of a run and shares the rest.

import type { AgentId, ChangeSetId } from "../../../shared/contract/ids.ts";
import type { AgentState, ChangeSetState, LeadState, NodeState, RunState } from "../state.ts";

/** Evolves one event type: the state before, the event, the state after. Total: a committed event always folds. */
export type Evolution<Event> = (state: RunState, event: Event) => RunState;

export function patchLead(state: RunState, change: (lead: LeadState) => LeadState): RunState {
  return { ...state, lead: change(state.lead) };
}

export function patchNode(state: RunState, id: AgentId, change: (node: NodeState) => NodeState): RunState {
  return { ...state, nodes: state.nodes.map((node) => (node.id === id ? change(node) : node)) };
}

/** Changes what lead and subagents have in common. `change` returns the changed parts only. */
export function patchAgent(
  state: RunState,
  id: AgentId,
  change: (agent: AgentState) => Partial<Omit<AgentState, "id">>,
): RunState {
  if (id === "lead") return patchLead(state, (lead) => ({ ...lead, ...change(lead) }));
  return patchNode(state, id, (node) => ({ ...node, ...change(node) }));
}

export function patchChangeSet(
  state: RunState,
  id: ChangeSetId,
  change: (set: ChangeSetState) => ChangeSetState,
): RunState {
  return { ...state, changeSets: state.changeSets.map((set) => (set.id === id ? change(set) : set)) };
}

/** Takes back what an agent proposed and is still to be decided or landed. */
export function takeBack(state: RunState, agent: AgentId, status: "sent_back" | "withdrawn"): RunState {
  const undone: readonly ChangeSetState["status"][] = ["proposed", "open", "approved", "held"];
  return {
    ...state,
    changeSets: state.changeSets.map((set) =>
      set.agent === agent && undone.includes(set.status) ? { ...set, status } : set,
    ),
  };
}
