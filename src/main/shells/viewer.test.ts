import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { RunListSnapshot } from "../../shared/contract/snapshots.ts";
import type { Topic } from "../../shared/contract/topics.ts";
import type { Result } from "../../shared/lib/result.ts";
import { succeed } from "../../shared/lib/result.ts";
import type { TopicSnapshot, TopicSource, TopicSubscription } from "../pages/topicSource.ts";
import { createViewer } from "./viewer.ts";

function listOf(version: number): RunListSnapshot {
  return { version, runs: [] };
}

/** A source that answers when the test says so. */
function createSlowSource() {
  const asked: {
    topic: Topic;
    push: (snapshot: TopicSnapshot) => void;
    answer: (result: Result<TopicSubscription>) => void;
  }[] = [];
  const source: TopicSource = {
    subscribe(topic, push) {
      const { promise, resolve } = Promise.withResolvers<Result<TopicSubscription>>();
      asked.push({ topic, push, answer: resolve });
      return promise;
    },
  };
  return { asked, source };
}

describe("a viewer", () => {
  it("ends a subscription that was given up before the source answered", async () => {
    const { asked, source } = createSlowSource();
    const viewer = createViewer(source, () => {});
    const unsubscribe = vi.fn<() => void>();
    const answer = viewer.subscribe("runs");
    viewer.unsubscribe("runs");
    asked[0]?.answer(succeed({ first: listOf(1), unsubscribe }));
    await answer;
    expect(unsubscribe).toHaveBeenCalled();
  });

  it("passes nothing on after it was closed", async () => {
    const { asked, source } = createSlowSource();
    const push = vi.fn<(topic: Topic, snapshot: TopicSnapshot) => void>();
    const viewer = createViewer(source, push);
    const answer = viewer.subscribe("runs");
    asked[0]?.answer(succeed({ first: listOf(1), unsubscribe: () => {} }));
    await answer;
    asked[0]?.push(listOf(2));
    viewer.close();
    asked[0]?.push(listOf(3));
    expect(push.mock.calls).toEqual([["runs", listOf(2)]]);
  });

  it("keeps one subscription per topic: the latest", async () => {
    const { asked, source } = createSlowSource();
    const push = vi.fn<(topic: Topic, snapshot: TopicSnapshot) => void>();
    const viewer = createViewer(source, push);
    const answers = [viewer.subscribe("runs"), viewer.subscribe("runs")];
    for (const { answer } of asked) answer(succeed({ first: listOf(1), unsubscribe: () => {} }));
    await Promise.all(answers);
    for (const [at, { push: tell }] of asked.entries()) tell(listOf(10 + at));
    expect(push.mock.calls).toEqual([["runs", listOf(11)]]);
  });

  it("answers with a failure when the source breaks its word and rejects", async () => {
    const viewer = createViewer({ subscribe: () => Promise.reject(new Error("disk gone")) }, () => {});
    expect(await viewer.subscribe("runs")).toMatchObject({
      ok: false,
      error: { code: "UNEXPECTED", message: expect.stringContaining("disk gone") as string },
    });
  });

  it("holds a bounded number of topics", async () => {
    const source: TopicSource = {
      subscribe: () => Promise.resolve(succeed({ first: listOf(1), unsubscribe: () => {} })),
    };
    const viewer = createViewer(source, () => {});
    const answers = await Promise.all(
      Array.from({ length: 33 }, (_, at) => viewer.subscribe(`run/run-${at}` as Topic)),
    );
    expect(answers.map(({ ok }) => ok).lastIndexOf(true)).toBe(31);
    expect(answers[32]).toMatchObject({ ok: false, error: { code: "BAD_USAGE" } });
  });

  describe("with a source that does not answer", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    it("gives up, says so, and ends the subscription that comes late", async () => {
      const { asked, source } = createSlowSource();
      const viewer = createViewer(source, () => {});
      const answer = viewer.subscribe("runs");
      await vi.advanceTimersByTimeAsync(10_000);
      expect(await answer).toMatchObject({ ok: false, error: { code: "STORE_UNAVAILABLE", retryable: true } });
      const unsubscribe = vi.fn<() => void>();
      asked[0]?.answer(succeed({ first: listOf(1), unsubscribe }));
      await vi.advanceTimersByTimeAsync(0);
      expect(unsubscribe).toHaveBeenCalled();
    });
  });
});
