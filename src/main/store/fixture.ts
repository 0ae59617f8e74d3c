// For tests: requests worded in one line, and a store that must open. Used by the tests and by the process they start.

import type { AgentId, RunId, SubagentId } from "../../shared/contract/ids.ts";
import type { AppendRequest, Fence, NewEvent, StorePort } from "../engine/ports/store.ts";
import { openStore } from "./openStore.ts";

export function runId(text: string): RunId {
  return text as RunId;
}

/** A small event of the stream `run`, by default without a key. */
export function note(
  run: RunId,
  text: string,
  more: { readonly key?: string; readonly agent?: AgentId } = {},
): NewEvent {
  return { agent: "lead", ...more, type: "note.added", run, version: 1, at: 1_000, data: { kind: "test", text } };
}

/** The event that a child's stream is chained to. */
export function handoff(run: RunId, childRun: RunId, subagent: SubagentId): NewEvent {
  const nothing = { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };
  const packet = {
    role: "coder",
    objective: "o",
    constraints: [],
    paths: null,
    allowedTools: [],
    maxSteps: 1,
    timeoutMs: 1,
    budget: nothing,
    remainingDepth: 0,
    model: "m",
  } as const;
  const rest = {
    role: "coder",
    task: "t",
    title: "t",
    dependsOn: [],
    slice: nothing,
    key: "k",
    contractHash: "h",
    policy: "p",
    writes: false,
    place: "checkout" as const,
    warnings: [],
  } as const;
  return {
    agent: "lead",
    type: "handoff.recorded",
    run,
    version: 1,
    at: 1_000,
    data: { subagent, childRun, packet, ...rest },
  };
}

/** An append of `events` to `root` at epoch 1; `more` overrides any part. */
export function request(
  store: Pick<StorePort, "boot">,
  root: RunId,
  events: readonly NewEvent[],
  more: Partial<AppendRequest> = {},
): AppendRequest {
  return { root, boot: store.boot, durability: "barrier", starts: [], fences: [], rows: [], events, ...more };
}

export function fence(run: RunId, head: number, epoch = 1): Fence {
  return { run, epoch, head };
}

/** The first append of a root run. */
export function start(store: Pick<StorePort, "boot">, root: RunId, more: Partial<AppendRequest> = {}): AppendRequest {
  return request(store, root, [note(root, "begin")], { starts: [{ run: root, agent: "lead" }], ...more });
}

export async function requireStore(folder: string): Promise<StorePort> {
  const opened = await openStore({ folder });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}
