// What one agent was told, said, called and got back, in order: the packet first, then its turns. Read from the journal
// alone; texts are bounded, the journal has them whole.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { Page, TranscriptItem } from "../../../shared/contract/snapshots.ts";
import { isProblem } from "../decisions/answer.ts";
import type { EventOf, RunEvent } from "../events.ts";
import type { Packet, PromptKind } from "../records.ts";
import { clipText } from "./clip.ts";
import { optionWords } from "./optionWords.ts";
import { pointerWords } from "./pointerWords.ts";

const maxTextChars = 16_000;

type Line = Pick<TranscriptItem, "kind" | "title" | "text" | "state" | "call" | "durationMs" | "exitCode">;

/** Rows after ordinal `after`, in order. The rows of one event are never split, so a page holds at most `limit` rows unless its first event alone has more. A call shows what became of it so far. */
export function transcriptPage(
  events: Iterable<RunEvent>,
  agent: AgentId,
  after: number,
  limit: number,
): Page<TranscriptItem> {
  const journal = [...events];
  const states = callStates(journal, agent);
  const items: TranscriptItem[] = [];
  for (const event of journal) {
    if (event.n <= after) continue;
    const lines = linesOf(event, agent, states);
    const isFull = items.length > 0 && items.length + lines.length > limit;
    if (isFull && lines.length > 0) return { items, next: items.at(-1)?.n ?? after };
    items.push(...lines.map((line) => ({ n: event.n, at: event.at, ...line, ...clipped(line.text) })));
  }
  return { items, next: null };
}

function clipped(text: string): Pick<TranscriptItem, "text" | "chars"> {
  return text.length <= maxTextChars ? { text } : { text: clipText(text, maxTextChars), chars: text.length };
}

/** The whole text of one row: the `row`-th, from 0, that `event` has in the transcript of `agent`; `null` where it has no such row. */
export function rowText(event: RunEvent, agent: AgentId, row: number): string | null {
  return linesOf(event, agent, noStates)[row]?.text ?? null;
}

const noStates: ReadonlyMap<string, string> = new Map();

/** What became of each call, by the ordinal of its turn and its id: a model may use an id again in a later turn. */
function callStates(journal: readonly RunEvent[], agent: AgentId): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  let turn = 0;
  for (const event of journal) {
    if (event.agent !== agent) continue;
    if (event.type === "model.completed") {
      turn = event.n;
      for (const call of event.data.toolCalls) states.set(`${turn} ${call.id}`, "open");
    }
    const state = stateAfter(event);
    if (state) states.set(`${turn} ${state.call}`, state.state);
  }
  return states;
}

function stateAfter(event: RunEvent): { readonly call: string; readonly state: string } | null {
  switch (event.type) {
    case "tool.dispatched":
      return { call: event.data.call, state: "dispatched" };
    case "tool.settled":
      return { call: event.data.call, state: event.data.outcome };
    case "tool.answered":
      return { call: event.data.call, state: answeredState(event.data.output) };
    case "tool.refused":
      return { call: event.data.call, state: "refused" };
    default:
      return null;
  }
}

/** How a call stands that the core has answered: it was carried out, or it was told why not. */
function answeredState(output: string): string {
  return isProblem(output) ? "refused" : "executed";
}

function linesOf(event: RunEvent, agent: AgentId, states: ReadonlyMap<string, string>): readonly Line[] {
  if (event.type === "input.received")
    return event.data.to === agent ? [{ kind: "person", title: event.data.from, text: event.data.text }] : [];
  if (event.type === "handoff.recorded")
    return event.data.subagent === agent
      ? [{ kind: "packet", title: "Packet", text: packetText(event.data.packet) }]
      : [];
  if (event.agent !== agent) return [];
  return conversationLines(event, states) ?? workLines(event);
}

/** Rows of the conversation itself; `null` for an event that is none of it. */
function conversationLines(event: RunEvent, states: ReadonlyMap<string, string>): readonly Line[] | null {
  switch (event.type) {
    case "run.created":
      return [{ kind: "packet", title: "Task", text: event.data.task }];
    case "model.requested":
      return event.data.prompt === undefined
        ? []
        : [{ kind: "system", title: promptTitles[event.data.promptKind ?? "submit"], text: event.data.prompt }];
    case "model.completed":
      return turnLines(event, states);
    case "tool.settled":
      return [
        {
          kind: "answer",
          title: event.data.tool,
          text: event.data.output,
          state: event.data.outcome,
          call: event.data.call,
          durationMs: event.data.durationMs,
          ...(event.data.exitCode == null ? {} : { exitCode: event.data.exitCode }),
        },
      ];
    case "tool.answered":
      return [
        {
          kind: "answer",
          title: event.data.tool,
          text: event.data.output,
          state: answeredState(event.data.output),
          call: event.data.call,
        },
      ];
    case "tool.refused":
      return [
        {
          kind: "answer",
          title: event.data.tool,
          text: `${event.data.code}: ${event.data.message}`,
          state: "refused",
          call: event.data.call,
        },
      ];
    case "subagent.messaged": {
      const { text, from } = event.data;
      return [{ kind: "system", title: from === undefined ? "Message" : `Message from ${from}`, text }];
    }
    case "worktree.rebased":
      return [{ kind: "system", title: "Target brought in", text: event.data.text }];
    case "subagent.result":
      return [
        { kind: "result", title: event.data.result.status, text: event.data.result.answer, state: event.data.schema },
      ];
    default:
      return null;
  }
}

/** Rows about the work beside the conversation: what failed, was checked, ended. */
function workLines(event: RunEvent): readonly Line[] {
  switch (event.type) {
    case "model.failed":
      return [note("Request failed", event.data.message, event.data.code)];
    case "model.lost":
      return [note("Request lost", "Its answer never came: the run was interrupted.")];
    case "model.retried":
      return [note("Request repeated", event.data.reason)];
    case "context.compacted":
      return [
        note("Context compacted", `From ${event.data.from} to ${event.data.to} tokens; ${leftOut(event.data)}`),
        ...(event.data.ledger === undefined
          ? []
          : [{ kind: "system" as const, title: "Told again what it delegated", text: event.data.ledger }]),
      ];
    case "note.added":
      return [note(event.data.kind, event.data.text, event.data.by)];
    case "note.retracted":
      return [note("Note taken back", `#${event.data.note}`, event.data.by)];
    case "subagent.resumed":
      return event.data.text === undefined ? [] : [{ kind: "system", title: "Checks", text: event.data.text }];
    case "subagent.checked":
      return event.data.verdict === "progressing" ? [] : [note("Checked", event.data.reason, event.data.verdict)];
    case "verification.ran":
      return [
        note(`Verification: ${event.data.command}`, event.data.output, event.data.exitCode === 0 ? "passed" : "failed"),
      ];
    case "worktree.provisioned":
      return event.data.command === undefined
        ? event.data.pointers === undefined
          ? []
          : [note("Git LFS", pointerWords(event.data.pointers))]
        : [
            note(
              `Set-up: ${event.data.command}`,
              event.data.output ?? "",
              event.data.exitCode === 0 ? "passed" : "failed",
            ),
          ];
    case "changeset.returned":
      return [note("Sent back", `By ${event.data.by}, round ${event.data.round} of ${event.data.rounds}.`)];
    case "subagent.stopped":
      return [note("Ended", event.data.sentence ?? event.data.status, event.data.code ?? event.data.status)];
    case "options.set":
      return [note("Options changed", `From here on: ${optionWords(event.data).join(", ")}.`)];
    case "run.stopped":
      return [note("Stopped", event.data.sentence ?? event.data.reason, event.data.reason)];
    default:
      return [];
  }
}

function leftOut({ upTo, stubbed }: EventOf<"context.compacted">["data"]): string {
  return upTo === undefined ? `${stubbed} old outputs became references.` : `the turns up to #${upTo} are summed up.`;
}

function turnLines({ n, data }: EventOf<"model.completed">, states: ReadonlyMap<string, string>): readonly Line[] {
  return [
    ...(data.reasoning === undefined ? [] : [note("Reasoning", data.reasoning)]),
    ...(data.text.trim() === "" ? [] : [{ kind: "text" as const, title: "", text: data.text }]),
    ...data.toolCalls.map((call): Line => ({
      kind: "call",
      title: call.name,
      text: call.arguments,
      state: states.get(`${n} ${call.id}`) ?? "open",
      call: call.id,
    })),
  ];
}

const promptTitles: Readonly<Record<PromptKind, string>> = {
  template: "Told what the template's subagents found",
  submit: "Asked to submit",
  reminder: "Reminded of its subagents",
  news: "Told what happened since",
  cut: "Told that its answer was cut",
  empty: "Told that its answer was empty",
  failing: "Told that a tool keeps failing",
  forced: "Last turn",
  summary: "Asked to sum up",
};

function note(title: string, text: string, state?: string): Line {
  return { kind: "note", title, text, ...(state === undefined ? {} : { state }) };
}

/** A packet as a person reads it: the objective verbatim, then what bounds it. */
function packetText(packet: Packet): string {
  const bounds = [
    ["Constraints", packet.constraints.join("\n")],
    ["Paths", packet.paths === null ? "none claimed" : packet.paths.join(", ")],
    ["Tools", packet.allowedTools.join(", ")],
    ["Steps", String(packet.maxSteps)],
    ["Criteria", packet.criteria?.join("\n") ?? ""],
    ["Group", packet.group ?? ""],
    ["May write to", packet.mayMessage?.join(", ") ?? ""],
    ["Context", packet.context ?? ""],
  ] as const;
  return [packet.objective, ...bounds.filter(([, text]) => text !== "").map(([name, text]) => `${name}: ${text}`)].join(
    "\n\n",
  );
}
