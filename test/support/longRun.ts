// A run with as many events as asked, made by the core from commands as any run is, and written to a store.

import type { AgentId, RunId, SubagentId } from "../../src/shared/contract/ids.ts";
import { defaultLimits } from "../../src/shared/contract/options.ts";
import { commit, Streams } from "../../src/main/engine/commit.ts";
import type { RunEvent } from "../../src/main/domain/events.ts";
import { fold } from "../../src/main/domain/evolve.ts";
import type { RunState } from "../../src/main/domain/state.ts";
import type { StorePort } from "../../src/main/engine/ports/store.ts";
import { openStore } from "../../src/main/store/openStore.ts";
import { Story, toolCall } from "./runStory.ts";

/** Subagents of a long run; each takes turns of one `readFile` until the run is long enough. */
const readers = 50;
/** Events that are written in one transaction. */
const chunkLength = 500;

const run = "long000001" as RunId;

/** Tells a run of at least `count` events: readers side by side, each turn a request, an answer and a call with its output. */
export function tellLongRun(count: number): readonly RunEvent[] {
  const limits = { ...defaultLimits, maxConcurrent: readers, maxPerModel: readers, maxOverAllRuns: readers };
  const story = new Story({ run, limits: { ...limits, maxSteps: count, leadSteps: count } }).start();
  const agents: readonly SubagentId[] = Array.from({ length: readers }, () => story.spawn());
  for (let turn = 1; story.events.length < count; turn++) for (const agent of agents) readOnce(story, agent, turn);
  return story.events;
}

function readOnce(story: Story, agent: AgentId, turn: number): void {
  const call = `${agent}-${turn}`;
  const input = { path: `src/part${turn % 97}.ts`, startLine: turn };
  story.turn(agent, { text: `Reading part ${turn}.`, calls: [toolCall(call, "readFile", input)] });
  story.must({ type: "agent.dispatch", agent, call, effect: "read", class: "pure", input });
  const output = Array.from({ length: 8 }, (_, line) => `${line + 1}  export const value${line} = ${turn};`).join("\n");
  story.must({
    type: "agent.settle",
    agent,
    call,
    outcome: "executed",
    durationMs: 3,
    output,
    resultHash: call,
  });
}

/** Opens the store of a data folder for as long as `act` takes. */
export async function withStore<T>(folder: string, act: (store: StorePort) => Promise<T>): Promise<T> {
  const opened = await openStore({ folder });
  if (!opened.ok) throw new Error(opened.error.message);
  try {
    return await act(opened.value);
  } finally {
    await opened.value.close();
  }
}

/** Writes the events of a story to the store as a run of their own. */
export async function writeRun(store: StorePort, events: readonly RunEvent[]): Promise<RunId> {
  const streams = new Streams();
  let before: RunState | null = null;
  for (let from = 0; from < events.length; from += chunkLength) {
    const chunk = events.slice(from, from + chunkLength);
    const written = await commit({ store, boot: store.boot, streams, before, events: chunk });
    if (!written.ok) throw new Error(`${written.error.code}: ${written.error.message}`);
    before = fold(chunk, before);
  }
  if (before === null) throw new Error("A run has at least one event.");
  return before.run;
}
