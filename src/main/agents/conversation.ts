// An agent's conversation, read from the journal alone: the same events give the same messages, whoever asks and
// however often the process died in between. Reads each event once, so a long run is not read anew for every request.

import type { AgentId, RunId, SubagentId } from "../../shared/contract/ids.ts";
import type { RunEvent } from "../domain/events.ts";
import type { RunState } from "../domain/state.ts";
import type { ChatMessage } from "../engine/ports/model.ts";
import { stubText } from "./compaction.ts";
import { messageText, renderPacket } from "./packet.ts";
import { leadPrompt, subagentPrompt } from "./prompts.ts";

interface Said {
  readonly n: number;
  readonly message: ChatMessage;
  /** Words of a person or of the lead: they stay when the turns around them are summed up. */
  readonly isKept: boolean;
  readonly isLedger?: boolean;
}

/** What a summary stands for, and its words. */
interface Summary {
  readonly upTo: number;
  readonly text: string;
}

export class Conversation {
  readonly #agent: AgentId;
  readonly #said: Said[] = [];
  readonly #leftOut = new Set<string>();
  /** Call → ordinal of the event that holds its whole output. */
  readonly #outputs = new Map<string, number>();
  readonly #callIds = new Set<string>();
  /** Ordinal → text of the notes of the run. */
  readonly #notes = new Map<number, string>();
  readonly #estimates = new Map<string, number>();
  readonly #refused: number[] = [];
  #opening: readonly ChatMessage[] = [];
  #run = "" as RunId;
  #summary: Summary | null = null;
  #readCount = 0;
  #isStarted: boolean;

  constructor(agent: AgentId) {
    this.#agent = agent;
    // What reached a subagent before its start has joined its packet.
    this.#isStarted = agent === "lead";
  }

  /** Takes in what the journal holds beyond what was read before; it must be the same run's, and only have grown. */
  read(state: RunState, journal: readonly RunEvent[]): this {
    if (this.#readCount === 0) {
      this.#run = state.run;
      this.#opening = openingOf(state, journal, this.#agent);
    }
    for (; this.#readCount < journal.length; this.#readCount++) {
      const event = journal[this.#readCount];
      if (event) this.#take(event);
    }
    return this;
  }

  /** All messages so far, system prompt first. The run's task is the lead's first user message, verbatim; a packet begins with its objective. */
  messages(): readonly ChatMessage[] {
    return this.messagesUpTo(Infinity);
  }

  /** The same without what came after ordinal `n`. */
  messagesUpTo(n: number): readonly ChatMessage[] {
    const summed = this.#summary?.upTo ?? 0;
    return [
      ...this.#opening,
      ...this.#said.filter((said) => said.n <= summed && said.isKept).map((said) => said.message),
      ...(this.#summary === null ? [] : [{ role: "user" as const, content: this.#summary.text }]),
      ...this.#said.filter((said) => said.n > summed && said.n <= n).map((said) => this.#stubbed(said.message)),
    ];
  }

  /** Ordinals of the answers that no summary stands for yet: each opens a turn. */
  turns(): readonly number[] {
    const summed = this.#summary?.upTo ?? 0;
    return this.#said.flatMap(({ n, message }) => (n > summed && message.role === "assistant" ? [n] : []));
  }

  /** Names the journal entry that holds the whole output of a call. */
  outputLabel(call: string): string {
    return `log ${this.#run} #${this.#outputs.get(call) ?? 0}`;
  }

  /** Whether a call of this agent's had that id. */
  hasCall(id: string): boolean {
    return this.#callIds.has(id);
  }

  /** Estimates of the requests that its server has refused for their length, input tokens. */
  refusedLengths(): readonly number[] {
    return this.#refused;
  }

  #take(event: RunEvent): void {
    if (event.type === "note.added") this.#notes.set(event.n, event.data.text);
    const isOwn = event.type === "input.received" ? event.data.to === this.#agent : event.agent === this.#agent;
    if (!isOwn) return;
    if (event.type === "subagent.started") this.#isStarted = true;
    if (!this.#isStarted) return;
    if (event.type === "context.compacted") {
      const { calls, upTo, summary, ledger } = event.data;
      for (const call of calls) this.#leftOut.add(call);
      if (upTo !== undefined && summary !== undefined) this.#summary = { upTo, text: summary };
      if (ledger !== undefined) this.#keepLedger(event.n, ledger);
    }
    if (event.type === "model.requested") this.#estimates.set(event.data.request, event.data.estimate.inputTokens);
    if (event.type === "model.failed" && event.data.code === "CONTEXT_OVERFLOW")
      this.#refused.push(this.#estimates.get(event.data.request) ?? Infinity);
    if (event.type === "model.completed") for (const call of event.data.toolCalls) this.#callIds.add(call.id);
    if (event.type === "tool.settled" || event.type === "tool.answered" || event.type === "tool.refused")
      this.#outputs.set(event.data.call, event.n);
    this.#say(event);
  }

  #say(event: RunEvent): void {
    // A summary is not said in the conversation: its event says where it stands.
    if (event.type === "model.requested" && event.data.promptKind === "summary") return;
    if (event.type === "model.completed" && event.data.purpose === "summary") return;
    const message = messageOf(event) ?? this.#noteOf(event);
    if (message) this.#said.push({ n: event.n, message, isKept: isWordOfOthers(event) });
  }

  /** What the lead is told of a person's hand on the notepad: it has no packet to read that in. */
  #noteOf(event: RunEvent): ChatMessage | null {
    if (event.type === "note.added" && event.data.by !== undefined) {
      const { by, kind, text } = event.data;
      return { role: "user", content: `[On the run's notepad, from ${by} (${kind}): ${text}]` };
    }
    if (event.type !== "note.retracted") return null;
    const { by, note } = event.data;
    return { role: "user", content: `[Taken back from the run's notepad by ${by}: ${this.#notes.get(note) ?? ""}]` };
  }

  /** The newest ledger says all that those before it did. */
  #keepLedger(n: number, text: string): void {
    const before = this.#said.findIndex((said) => said.isLedger);
    if (before !== -1) this.#said.splice(before, 1);
    this.#said.push({ n, message: { role: "user", content: text }, isKept: false, isLedger: true });
  }

  #stubbed(message: ChatMessage): ChatMessage {
    return message.role === "tool" && this.#leftOut.has(message.callId)
      ? { ...message, content: stubText(this.outputLabel(message.callId)) }
      : message;
  }
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

function isWordOfOthers(event: RunEvent): boolean {
  return (
    event.type === "input.received" ||
    event.type === "subagent.messaged" ||
    event.type === "worktree.rebased" ||
    event.type === "note.added" ||
    event.type === "note.retracted"
  );
}

/** What an event of an agent's adds to its conversation; `null`: nothing. */
function messageOf(event: RunEvent): ChatMessage | null {
  switch (event.type) {
    case "model.requested":
      return event.data.prompt === undefined ? null : { role: "user", content: event.data.prompt };
    case "model.completed": {
      const { text, toolCalls } = event.data;
      return text === "" && toolCalls.length === 0 ? null : { role: "assistant", content: text, toolCalls };
    }
    case "tool.settled":
    case "tool.answered":
      return { role: "tool", callId: event.data.call, content: event.data.output };
    case "tool.refused":
      return {
        role: "tool",
        callId: event.data.call,
        content: JSON.stringify({ error: { code: event.data.code, message: event.data.message } }),
      };
    case "input.received":
      return { role: "user", content: event.data.text };
    case "subagent.messaged":
      return { role: "user", content: messageText(event.data) };
    case "worktree.rebased":
      return { role: "user", content: event.data.text };
    case "subagent.resumed":
      return event.data.text === undefined ? null : { role: "user", content: event.data.text };
    default:
      return null;
  }
}
