// Under `groups`: where a subagent stands, whom it may write to, and whose notes it sees. Without a group of its packet
// it stands alone.

import type { AgentId } from "../../../shared/contract/ids.ts";
import { findNode, type NodeState, type RunState } from "../state.ts";

/** Whether the members of this run stand in groups. */
export function isGrouped({ options }: Pick<RunState, "options">): boolean {
  return options.topology === "groups";
}

/** Whom a subagent of this group may write to beside its own: those that the person's list names, where there is one, and else those that the lead asked for. `leftOut`: of the latter, those that the person's list does not have. */
export function allowListOf(
  { options: { mayMessage: links } }: Pick<RunState, "options">,
  group: string | undefined,
  asked: readonly string[] | undefined,
): { readonly mayMessage: readonly string[] | undefined; readonly leftOut: readonly string[] } {
  if (links === undefined) return { mayMessage: asked, leftOut: [] };
  const mayMessage = links.filter(({ from }) => from === group).map(({ to }) => to);
  return { mayMessage, leftOut: (asked ?? []).filter((name) => !mayMessage.includes(name)) };
}

export function groupOf({ id, packet }: NodeState): string {
  return packet.group ?? id;
}

/** Whether one may write to the other: they share a group, or its packet names the other or the other's group. */
export function mayReach(sender: NodeState, receiver: NodeState): boolean {
  const allowed = sender.packet.mayMessage ?? [];
  const group = groupOf(receiver);
  return groupOf(sender) === group || allowed.includes(group) || allowed.includes(receiver.id);
}

/** Whether a reader sees what an agent has noted, or proposes: its own group's, what the lead says to all, and whatever its dependencies did. Outside `groups` everybody does. */
export function maySee(state: RunState, reader: NodeState, author: AgentId): boolean {
  if (!isGrouped(state) || author === "lead") return true;
  const other = findNode(state, author);
  if (other === undefined) return false;
  return groupOf(other) === groupOf(reader) || reader.dependsOn.some(({ id }) => id === author);
}
