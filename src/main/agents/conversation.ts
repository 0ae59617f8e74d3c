// An agent's conversation, read from the journal alone: the same events give the same messages, whoever asks and
// however often the process died in between.

import type { AgentId, RunId, SubagentId } from "../../shared/contract/ids.ts";
import type { RunEvent } from "../domain/events.ts";
import type { RunState } from "../domain/state.ts";
import type { ChatMessage } from "../engine/ports/model.ts";
import { stubText } from "./compaction.ts";
import { renderPacket } from "./packet.ts";
import { leadPrompt, subagentPrompt } from "./prompts.ts";

/** All messages of `agent` so far, system prompt first. The run's task is the lead's first user message, verbatim; a packet begins with its objective. */
export function conversationOf(state: RunState, journal: readonly RunEvent[], agent: AgentId): readonly ChatMessage[] {
  // What reached a subagent before its start has joined its packet.
  const start =
    agent === "lead" ? 0 : journal.findIndex((event) => event.agent === agent && event.type === "subagent.started");
  const own = journal.slice(Math.max(0, start)).filter((event) => event.agent === agent || isInputFor(event, agent));
  const leftOut = new Set(own.flatMap((event) => (event.type === "context.compacted" ? event.data.calls : [])));
  const messages = own.flatMap((event) => messagesOf(event, agent));
  return [
    ...openingOf(state, journal, agent),
    ...messages.map((message) => stubbed(message, leftOut, (call) => outputLabel(state.run, journal, agent, call))),
  ];
}

/** Names the journal entry that holds the whole output of a call. */
export function outputLabel(run: RunId, journal: readonly RunEvent[], agent: AgentId, call: string): string {
  const entry = journal.findLast(
    (event) =>
      event.agent === agent &&
      (event.type === "tool.settled" || event.type === "tool.answered" || event.type === "tool.refused") &&
      event.data.call === call,
  );
  return `log ${run} #${entry?.n ?? 0}`;
}

function stubbed(message: ChatMessage, leftOut: ReadonlySet<string>, label: (call: string) => string): ChatMessage {
  return message.role === "tool" && leftOut.has(message.callId)
    ? { ...message, content: stubText(label(message.callId)) }
    : message;
}

function openingOf(state: RunState, journal: readonly RunEvent[], agent: AgentId): readonly ChatMessage[] {
  if (agent === "lead") {
    return [
      { role: "system", content: leadPrompt(state) },
      { role: "user", content: state.task },
    ];
  }
  const role = state.nodes.find((node) => node.id === agent)?.role ?? "";
  return [
    { role: "system", content: subagentPrompt(state, role) },
    { role: "user", content: renderPacket(journal, agent satisfies SubagentId) },
  ];
}

function isInputFor(event: RunEvent, agent: AgentId): boolean {
  return event.type === "input.received" && event.data.to === agent;
}

function messagesOf(event: RunEvent, agent: AgentId): readonly ChatMessage[] {
  switch (event.type) {
    case "model.requested":
      return event.data.prompt === undefined ? [] : [{ role: "user", content: event.data.prompt }];
    case "model.completed": {
      const { text, toolCalls } = event.data;
      return text === "" && toolCalls.length === 0 ? [] : [{ role: "assistant", content: text, toolCalls }];
    }
    case "tool.settled":
    case "tool.answered":
      return [{ role: "tool", callId: event.data.call, content: event.data.output }];
    case "tool.refused":
      return [
        {
          role: "tool",
          callId: event.data.call,
          content: JSON.stringify({ error: { code: event.data.code, message: event.data.message } }),
        },
      ];
    case "input.received":
      return event.data.to === agent ? [{ role: "user", content: event.data.text }] : [];
    case "subagent.messaged":
      return [{ role: "user", content: event.data.text }];
    case "subagent.resumed":
      return event.data.text === undefined ? [] : [{ role: "user", content: event.data.text }];
    default:
      return [];
  }
}
