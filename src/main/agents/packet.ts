// A packet as its subagent reads it: the first message of its conversation, objective first and verbatim.

import type { Json } from "../../shared/lib/json.ts";
import type { EventData, RunEvent } from "../domain/events.ts";
import { fold } from "../domain/evolve.ts";
import { notesToTell } from "../domain/notepad.ts";
import { groupOf, isGrouped, mayReach, maySee } from "../domain/policy/groups.ts";
import { dependencyResults } from "../domain/projections/result.ts";
import { type NodeState, requireNode, type RunState } from "../domain/state.ts";
import { stepsOf } from "../domain/turn.ts";
import type { SubagentId } from "../../shared/contract/ids.ts";

/** The packet as of the subagent's start: what its dependencies had said by then, and no later. `journal` is the run's merged journal. */
export function renderPacket(journal: readonly RunEvent[], agent: SubagentId): string {
  const start = journal.findIndex((event) => event.agent === agent && event.type === "subagent.started");
  const state = fold(start === -1 ? journal : journal.slice(0, start + 1));
  if (!state) throw new Error("A packet needs a run");
  const node = requireNode(state, agent);
  const { packet } = node;
  const messages = journal.slice(0, Math.max(0, start)).flatMap((event) => saidTo(event, agent));
  const sections = [
    packet.objective,
    section("Context", packet.context),
    section("Run in your worktree before you began", list(node.hasWorktree ? (state.options.setup ?? []) : [])),
    section("Constraints", list(packet.constraints)),
    section("Paths you may edit", packet.paths === null ? undefined : list(packet.paths)),
    section("Criteria", list(packet.criteria ?? [])),
    section("Whom you may write to with messagePeer", peersOf(state, node)),
    section("Added since", list(messages)),
    notesOf({
      ...state,
      notes: state.notes.filter(({ by, agent: author }) => by !== null || maySee(state, node, author)),
    }),
    ...dependencyResults(state, node).map(({ id, result }) => fenced(`result of ${id}`, result)),
    section(
      "Shape of `data` in your result (JSON Schema)",
      packet.outputSchema === undefined ? undefined : JSON.stringify(packet.outputSchema),
    ),
    section("Limits", `${stepsOf(node)} turns, ${Math.round(packet.timeoutMs / 60_000)} minutes.`),
  ];
  return sections.filter((text) => text !== null).join("\n\n");
}

/** What stood on the run's notepad by then, as data. */
function notesOf(state: RunState): string | null {
  const { notes, leftOut } = notesToTell(state);
  if (notes.length === 0) return null;
  return fenced("notes of this run", leftOut === 0 ? notes : [{ leftOut }, ...notes]);
}

/** What the lead or a person added to a packet before its start. */
function saidTo(event: RunEvent, agent: SubagentId): readonly string[] {
  if (event.type === "subagent.messaged" && event.agent === agent) return [messageText(event.data)];
  return event.type === "input.received" && event.data.to === agent ? [event.data.text] : [];
}

/** A message as its receiver reads it: the lead's words stand as they are, a peer's are data. */
export function messageText({ text, from }: EventData["subagent.messaged"]): string {
  return from === undefined ? text : fenced(`message of ${from}`, text);
}

/** Under `groups`: where it stands, and who is there by now. */
function peersOf(state: RunState, node: NodeState): string | undefined {
  if (!isGrouped(state)) return undefined;
  const ids = state.nodes.filter((other) => other.id !== node.id && mayReach(node, other)).map(({ id }) => id);
  const names = [...new Set([groupOf(node), ...(node.packet.mayMessage ?? []), ...ids])];
  return `You stand in the group ${groupOf(node)}. By id, or by the name of a group: ${names.join(", ")}.`;
}

function section(title: string, text: string | undefined): string | null {
  return text === undefined || text === "" ? null : `${title}:\n${text}`;
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

/** Other agents' words are data: fenced, so that they are not read as instructions. */
function fenced(source: string, value: Json): string {
  return `<data source="${source}">\n${JSON.stringify(value, null, 1)}\n</data>`;
}
