import { describe, expect, it } from "vitest";

import type { RunId } from "../../shared/contract/ids.ts";
import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import type { Topic } from "../../shared/contract/topics.ts";
import type { Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Connection, RemoteBridge } from "../../shared/contract/bridge.ts";
import { createTopics } from "./topics.ts";
import { createWorkbenchStore } from "./workbenchStore.ts";

function listOf(version: number, runs: RunListSnapshot["runs"] = []): RunListSnapshot {
  return { version, runs };
}

function runOf(run: string, title: string): RunListSnapshot["runs"][number] {
  const times = { createdAt: 1, updatedAt: 2 };
  return {
    run: run as RunId,
    title,
    status: "running",
    stopReason: null,
    repo: "/till",
    needsYouCount: 0,
    reviewCount: 0,
    ...times,
  };
}

/** A bridge whose other end is the test. */
function createHandBridge() {
  const asked: { readonly topic: Topic; readonly answer: (result: Result<unknown>) => void }[] = [];
  const unsubscribed: Topic[] = [];
  let push: (topic: string, snapshot: unknown) => void = () => {};
  let tell: (connection: Connection) => void = () => {};
  const bridge: RemoteBridge = {
    subscribe(topic) {
      const { promise, resolve } = Promise.withResolvers<Result<unknown>>();
      asked.push({ topic, answer: resolve });
      return promise;
    },
    unsubscribe(topic) {
      unsubscribed.push(topic);
      return Promise.resolve(succeed(null));
    },
    readPage: () => Promise.resolve(succeed(null)),
    readContent: () => Promise.resolve(succeed(null)),
    callHost: () => Promise.resolve(succeed(null)),
    execute: () => Promise.resolve(succeed(null)),
    onSnapshot(listener) {
      push = listener;
      return () => {};
    },
    onConnection(listener) {
      tell = listener;
      listener({ kind: "open" });
      return () => {};
    },
    reconnect: () => {},
  };
  return {
    bridge,
    asked,
    unsubscribed,
    push: (topic: string, snapshot: unknown) => push(topic, snapshot),
    tell: (connection: Connection) => tell(connection),
  };
}

function setUp() {
  const hand = createHandBridge();
  const store = createWorkbenchStore();
  const topics = createTopics(hand.bridge, store);
  const shown = () => store.getState().topics["runs"]?.snapshot;
  const failed = () => store.getState().topics["runs"]?.failure?.code;
  /** Lets the promises behind an answer run. */
  const answer = async (at: number, result: Result<unknown>) => {
    hand.asked[at]?.answer(result);
    await new Promise(setImmediate);
  };
  return { ...hand, topics, shown, failed, answer };
}

describe("watched topics", () => {
  it("keep what a newer snapshot leaves as it was the same object, so that nothing is drawn again for it", async () => {
    const { topics, answer, push, shown } = setUp();
    topics.watch("runs");
    await answer(0, succeed(listOf(3, [runOf("first", "Pay"), runOf("second", "Count")])));
    const before = shown() as RunListSnapshot;
    push("runs", listOf(4, [runOf("first", "Pay"), runOf("second", "Count twice")]));
    const after = shown() as RunListSnapshot;
    expect(after.runs.map(({ title }) => title)).toEqual(["Pay", "Count twice"]);
    expect(after.runs.map((run, at) => run === before.runs[at])).toEqual([true, false]);
    expect([after, after.runs, ...after.runs].every(Object.isFrozen)).toBe(true);
  });

  it("show the first snapshot, then newer ones, frozen all the way down", async () => {
    const { topics, answer, push, shown } = setUp();
    topics.watch("runs");
    await answer(0, succeed(listOf(3)));
    push("runs", listOf(4));
    const snapshot = shown();
    expect(snapshot).toEqual(listOf(4));
    expect(
      snapshot !== null &&
        snapshot !== undefined &&
        "runs" in snapshot &&
        [snapshot, snapshot.runs].every(Object.isFrozen),
    ).toBe(true);
  });

  it("never go back: an older or repeated snapshot is dropped", async () => {
    const { topics, answer, push, shown } = setUp();
    topics.watch("runs");
    await answer(0, succeed(listOf(3)));
    push("runs", listOf(5));
    const held = shown();
    push("runs", listOf(4));
    push("runs", listOf(5));
    expect(shown()).toBe(held);
  });

  it("keep a push that overtakes the answer to the subscription", async () => {
    const { topics, answer, push, shown } = setUp();
    topics.watch("runs");
    push("runs", listOf(6));
    await answer(0, succeed(listOf(5)));
    expect(shown()).toEqual(listOf(6));
  });

  it("are subscribed to again when the connection returns, and believe the new process though it counts from the start", async () => {
    const { topics, answer, asked, tell, shown } = setUp();
    topics.watch("runs");
    await answer(0, succeed(listOf(90)));
    tell({ kind: "lost", since: 0, retryAt: 0 });
    tell({ kind: "open" });
    expect(asked.map(({ topic }) => topic)).toEqual(["runs", "runs"]);
    await answer(1, succeed(listOf(1)));
    expect(shown()).toEqual(listOf(1));
  });

  it("ignore an answer from before the connection was lost", async () => {
    const { topics, answer, tell, shown } = setUp();
    topics.watch("runs");
    tell({ kind: "open" });
    await answer(1, succeed(listOf(2)));
    await answer(0, succeed(listOf(9)));
    expect(shown()).toEqual(listOf(2));
  });

  it("refuse what is no snapshot and keep what they had", async () => {
    const { topics, answer, push, shown, failed } = setUp();
    topics.watch("runs");
    await answer(0, succeed(listOf(3)));
    push("runs", { version: 4, runs: [{ title: "no id" }] });
    expect({ shown: shown(), failed: failed() }).toEqual({ shown: listOf(3), failed: "UNREADABLE_SNAPSHOT" });
  });

  it("pass on why they cannot be had", async () => {
    const { topics, answer, failed } = setUp();
    topics.watch("runs");
    await answer(0, fail({ code: "STORE_TOO_NEW", message: "" }));
    expect(failed()).toBe("STORE_TOO_NEW");
  });

  it("[G05] share one subscription and end it with the last watcher", async () => {
    const { topics, asked, unsubscribed, answer, push, shown } = setUp();
    const endFirst = topics.watch("runs");
    const endSecond = topics.watch("runs");
    await answer(0, succeed(listOf(1)));
    endFirst();
    expect({ askedCount: asked.length, unsubscribed, shown: shown() }).toEqual({
      askedCount: 1,
      unsubscribed: [],
      shown: listOf(1),
    });
    endSecond();
    push("runs", listOf(2));
    expect({ unsubscribed, shown: shown() }).toEqual({ unsubscribed: ["runs"], shown: undefined });
  });
});
