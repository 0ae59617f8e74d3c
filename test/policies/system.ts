// What one scripted run shows of a system's way of working: how it is started, what its model says, and what must come of
// it, beside the same script under plain `llm`.

import type { EventData, EventType } from "../../src/main/domain/events.ts";
import type { Told } from "../support/inProcessCommands.ts";
import type { RecordedRequest, ScriptedEntry } from "../support/scriptedModel.ts";

/** A run as it was told, and what its server was asked. */
export interface Shown extends Told {
  readonly requests: readonly RecordedRequest[];
}

export interface System {
  /** Its name, and in a few words what is shown of it. */
  readonly title: string;
  /** Begins with the system's name, so that the scripts of all systems can share a server. */
  readonly task: string;
  /** Options of `coppice run` that choose its way of working. */
  readonly options: readonly string[];
  readonly entries: readonly ScriptedEntry[];
  /** The exit code of that run; absent: 0. */
  readonly code?: number;
  /** `plain`: the same script, started without those options. */
  check(shown: Shown, plain: Shown): void;
}

/** The data of a run's events of one type. */
export function dataOf<T extends EventType>({ events }: Pick<Told, "events">, type: T): readonly EventData[T][] {
  // The type that an event names is that of its data.
  return events.filter((event) => event.type === type).map((event) => event.data as EventData[T]);
}

/** Why subagents waited: `subagent-4 SLOT`. */
export function waits({ events }: Pick<Told, "events">, code: string): readonly string[] {
  return events.flatMap((event) => (event.type === "subagent.queued" && event.data.code === code ? [event.agent] : []));
}

/** The order in which subagents started and ended: `+1 -1 +2 -2`. */
export function order({ events }: Pick<Told, "events">): string {
  const steps = events.flatMap((event) => {
    const sign = event.type === "subagent.started" ? "+" : event.type === "subagent.stopped" ? "-" : null;
    return sign === null ? [] : [`${sign}${event.agent.slice("subagent-".length)}`];
  });
  return steps.join(" ");
}

/** Codes of errors that an agent's tool calls were answered with. */
export function errorCodes({ events }: Pick<Told, "events">, agent: string, tool: string): readonly string[] {
  return events.flatMap((event) => {
    if (event.agent !== agent) return [];
    if (event.type === "tool.refused") return event.data.tool === tool ? [event.data.code] : [];
    if (event.type !== "tool.answered" || event.data.tool !== tool) return [];
    const { error } = JSON.parse(event.data.output) as { error?: { code: string } };
    return error === undefined ? [] : [error.code];
  });
}

/** Names of the tools that a request offered. */
export function offered(request: RecordedRequest | undefined): readonly string[] {
  const tools = (request?.body["tools"] ?? []) as readonly { readonly function: { readonly name: string } }[];
  return tools.map((tool) => tool.function.name);
}

/** The requests of whoever was first told something that begins so. */
export function requestsOf({ requests }: Shown, start: string): readonly RecordedRequest[] {
  return requests.filter(({ firstUserMessage }) => firstUserMessage.startsWith(start));
}
