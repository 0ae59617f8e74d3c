// What a window is shown of a run while anything at all is asked of it: never half a transition. Everything is real but
// the wire, which is a structured clone, and the clock, which never makes one wait.

import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { afterEach, expect, test } from "vitest";

import { evolve } from "../../src/main/domain/evolve.ts";
import { snapshotOf } from "../../src/main/domain/projections/snapshot.ts";
import type { RunState } from "../../src/main/domain/state.ts";
import { Dispatcher } from "../../src/main/engine/dispatcher.ts";
import type { Clock } from "../../src/main/engine/ports/clock.ts";
import { createCommitFeed } from "../../src/main/pages/commitFeed.ts";
import { JournalCache } from "../../src/main/pages/journalCache.ts";
import { LiveTexts } from "../../src/main/pages/liveTexts.ts";
import { createTopics as createSource } from "../../src/main/pages/topics.ts";
import type { TopicSource } from "../../src/main/pages/topicSource.ts";
import { openStore } from "../../src/main/store/openStore.ts";
import { createTopics } from "../../src/renderer/client/topics.ts";
import { createWorkbenchStore } from "../../src/renderer/client/workbenchStore.ts";
import type { RemoteBridge } from "../../src/shared/contract/bridge.ts";
import type { RunSnapshot } from "../../src/shared/contract/snapshots.ts";
import { pickFrom } from "../support/pick.ts";
import { chooseCommand } from "../support/randomCommands.ts";
import { roles, Story } from "../support/runStory.ts";

const maxBytes = 256 * 1024;
const commandCount = 2_000;
/** Runs of this many commands: one that has stopped has little left to show. */
const length = 250;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Time that passes with each look at it; what is due later is due next. */
function hurriedClock(): Clock {
  let now = 1_000;
  return {
    now: () => (now += 1_000),
    monotonic: () => (now += 1_000),
    after(_ms, callback) {
      const timer = setImmediate(callback);
      return () => clearImmediate(timer);
    },
  };
}

/** What a page holds of the source: snapshots come as clones, in the order in which they were pushed. */
function bridgeTo(source: TopicSource): RemoteBridge {
  const listeners = new Set<(topic: string, snapshot: unknown) => void>();
  const absent = () => Promise.reject(new Error("No page asks for this."));
  return {
    async subscribe(topic) {
      const answer = await source.subscribe(topic, (snapshot) => {
        for (const listener of listeners) listener(topic, structuredClone(snapshot));
      });
      if (!answer.ok) return answer;
      ends.push(answer.value.unsubscribe);
      return { ok: true, value: structuredClone(answer.value.first) };
    },
    unsubscribe: () => Promise.resolve({ ok: true, value: null }),
    onSnapshot(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onConnection(listener) {
      listener({ kind: "open" });
      return () => undefined;
    },
    readPage: absent,
    readContent: absent,
    execute: absent,
    callHost: absent,
    reconnect: () => undefined,
  };
}

function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen);
}

test("every snapshot over 2,000 random commands is frozen, plain, bounded, in order, and what the journal folds to", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-snapshots-"));
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const opened = await openStore({ folder });
  if (!opened.ok) throw new Error(opened.error.message);
  ends.push(() => opened.value.close());
  const clock = hurriedClock();
  const feed = createCommitFeed(opened.value);
  const source = createSource({
    feed,
    journals: new JournalCache(feed.store),
    live: new LiveTexts(),
    radar: () => () => {},
    clock,
  });
  const wrong: string[] = [];
  let shownCount = 0;
  for (let seed = 0; seed < commandCount / length; seed++) {
    const told = new Story({ limits: { maxSubagents: 12, maxConcurrent: 4 } });
    const [created] = told.events;
    if (created?.type !== "run.created") throw new Error("A story begins with its run.");
    const run = `every${seed}` as typeof told.run;
    const dispatcher = new Dispatcher({
      run,
      store: feed.store,
      clock,
      leases: [],
      journal: [],
      facts: () => ({
        roles,
        capacity: { runningElsewhere: 0, runningElsewhereByModel: {} },
        placesFolder: "/places",
        hash: (text) => createHash("sha256").update(text).digest("hex"),
        priceOf: () => null,
      }),
    });
    await dispatcher.dispatch({ type: "run.create", run, data: created.data });
    dispatcher.startDriving();

    const store = createWorkbenchStore();
    const seen: RunSnapshot[] = [];
    store.subscribe(({ topics }) => {
      const shown = topics[`run/${run}`]?.snapshot as RunSnapshot | null | undefined;
      if (shown && shown !== seen.at(-1)) seen.push(shown);
    });
    createTopics(bridgeTo(source), store).watch(`run/${run}`);
    const pick = pickFrom(Array.from({ length: length * 24 }, (_, index) => hashOf(`${seed} ${index}`)));
    for (let count = 0; count < length; count++) {
      await dispatcher.dispatch(chooseCommand(dispatcher.state(), pick));
      // The window gets its turn, as it would.
      await new Promise((resolve) => setImmediate(resolve));
    }
    shownCount += seen.length;
    const journal = dispatcher.journal();
    const states: RunState[] = [];
    for (const event of journal) states.push(evolve(states.at(-1) ?? null, event));
    let last = 0;
    for (const snapshot of seen) {
      const { at } = snapshot;
      if (at < last) wrong.push(`${run}: ${at} after ${last}`);
      last = at;
      if (!isDeeplyFrozen(snapshot)) wrong.push(`${run} at ${at} is not frozen`);
      if (Buffer.byteLength(JSON.stringify(snapshot)) > maxBytes) wrong.push(`${run} at ${at} is too large`);
      const state = states[at - 1];
      if (!isDeepStrictEqual(snapshot, state && snapshotOf(state)))
        wrong.push(`${run} at ${at} is not what the fold says`);
    }
    expect(last).toBe(dispatcher.state().n);
  }
  expect(wrong).toEqual([]);
  expect(shownCount).toBeGreaterThan(commandCount / 4);
});

/** A number that looks like chance and is the same every time. */
function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUInt16BE(0);
}
