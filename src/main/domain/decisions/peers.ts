// Messages between subagents, under `groups` alone: inside a group, and to those that a packet's allow list names. They
// are data to whoever reads them, and answer no question.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { ControlCall } from "../commands.ts";
import { isTerminal } from "../lifecycle.ts";
import { groupOf, isGrouped, mayReach } from "../policy/groups.ts";
import { findNode, type NodeState, type RunState } from "../state.ts";
import { answer, problem } from "./answer.ts";
import { accept, type Decision } from "./decision.ts";

type Message = Extract<ControlCall, { tool: "messagePeer" }>["input"];

/** Codes for the model: `NO_PEERS`, `UNKNOWN_PEER`, `PEER_NOT_ALLOWED`, `PEER_UNREACHABLE`. */
export function messagePeer(state: RunState, agent: AgentId, call: string, { to, text }: Message): Decision {
  const refuse = (code: string, message: string) => accept(answer(agent, call, "messagePeer", problem(code, message)));
  const sender = findNode(state, agent);
  if (sender === undefined || !isGrouped(state))
    return refuse("NO_PEERS", "Subagents write to each other only under --topology groups; put it into your result.");
  const named = state.nodes.filter((node) => node.id !== agent && (node.id === to || groupOf(node) === to));
  if (named.length === 0)
    return refuse("UNKNOWN_PEER", `There is nobody else named ${to}. ${reachWords(state, sender)}`);
  const allowed = named.filter((node) => mayReach(sender, node));
  if (allowed.length < named.length)
    return refuse(
      "PEER_NOT_ALLOWED",
      `${agent}, in the group ${groupOf(sender)}, may not write to ${to}: your packet does not allow it. ${reachWords(state, sender)}`,
    );
  const reached = allowed.filter(canRead);
  if (reached.length === 0)
    return refuse(
      "PEER_UNREACHABLE",
      `${allowed.map(({ id, status }) => `${id} is ${status}`).join(", ")}: nobody reads it any more.`,
    );
  return accept(
    ...reached.map(({ id }) => ({ agent: id, type: "subagent.messaged", data: { text, from: sender.id } }) as const),
    answer(agent, call, "messagePeer", { delivered: reached.map(({ id }) => id) }),
  );
}

/** What has submitted is being reviewed, and reads nothing before it is sent back. */
function canRead({ status }: NodeState): boolean {
  return !isTerminal(status) && status !== "awaiting_review" && status !== "landing" && status !== "submitting";
}

function reachWords(state: RunState, sender: NodeState): string {
  const ids = state.nodes.filter((node) => node.id !== sender.id && mayReach(sender, node)).map(({ id }) => id);
  return ids.length === 0 ? "You may write to nobody for now." : `You may write to ${ids.join(", ")}.`;
}
