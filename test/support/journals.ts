// Journals for tests of the store and of what is done with whole runs: told without an engine, stored through the port.

import type { RunId } from "../../src/shared/contract/ids.ts";
import { commit, Streams } from "../../src/main/engine/commit.ts";
import type { RunEvent } from "../../src/main/domain/events.ts";
import type { StorePort } from "../../src/main/engine/ports/store.ts";
import { Story } from "./runStory.ts";

export const soundRun = "paymentr01" as RunId;

/** A run of an explorer and an executor whose change has landed; stopped. `note`: words of the lead in it. */
export function soundJournal({ note = "Looking." }: { readonly note?: string } = {}): readonly RunEvent[] {
  const story = new Story({ budget: { steps: 60 } }).start();
  story.turn("lead", { text: note, calls: [{ id: "look-1", name: "readFile", arguments: "{}" }] });
  story.must({ type: "agent.dispatch", agent: "lead", call: "look-1", effect: "read", class: "pure", input: {} });
  story.must({
    type: "agent.settle",
    agent: "lead",
    call: "look-1",
    outcome: "executed",
    durationMs: 1,
    output: "",
    resultHash: "h",
  });
  const reader = story.spawn();
  story.complete(reader);
  const writer = story.spawn({ role: "executor", paths: ["pay.js"] });
  const changeset = story.review(writer);
  story.decide(writer, "approved");
  story.land(changeset);
  story.settle(writer);
  story.turn("lead", { text: "Done." });
  story.must({ type: "run.stop" });
  // A story's run has an id too short for a page to ask about.
  return JSON.parse(JSON.stringify(story.events).replaceAll("r1", soundRun)) as readonly RunEvent[];
}

/** Stores a journal in one transaction and gives its leases back. Throws with the refusal's words. */
export async function storeJournal(store: StorePort, events: readonly RunEvent[]): Promise<void> {
  const stored = await commit({ store, boot: store.boot, streams: new Streams(), before: null, events });
  if (!stored.ok) throw new Error(`${stored.error.code}: ${stored.error.message}`);
  await store.release(stored.value[0]?.root ?? events[0]?.root ?? ("" as never));
}
