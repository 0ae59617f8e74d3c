// One viewer's subscriptions: a window or a browser tab, whichever shell carries its messages.
// Holds no snapshot: the viewer orders what it gets by the snapshots' own numbers.

import type { Topic } from "../../shared/contract/topics.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { TopicSnapshot, TopicSource } from "../topicSource.ts";

/** The run list, the run looked at, and room to spare. */
const maxTopicsPerViewer = 32;

/** How long a source may take to answer, in ms. */
const answerLimitMs = 10_000;

export interface Viewer {
  /** Subscribes, in place of an earlier subscription to the same topic. Never rejects. */
  subscribe(topic: Topic): Promise<Result<TopicSnapshot>>;
  /** Ends a subscription; one that does not exist has ended already. */
  unsubscribe(topic: Topic): Result<null>;
  /** Ends all of them, for good. */
  close(): void;
}

/** A subscription from the moment it is wanted, so that it can be ended before the source has answered. */
interface Slot {
  isWanted: boolean;
  release(): void;
}

/** `push` is told about every newer snapshot of every topic that this viewer holds. */
export function createViewer(source: TopicSource, push: (topic: Topic, snapshot: TopicSnapshot) => void): Viewer {
  const slots = new Map<Topic, Slot>();
  let isClosed = false;

  function drop(topic: Topic, slot: Slot): void {
    slot.isWanted = false;
    slot.release();
    if (slots.get(topic) === slot) slots.delete(topic);
  }

  function unsubscribe(topic: Topic): Result<null> {
    const slot = slots.get(topic);
    if (slot !== undefined) drop(topic, slot);
    return succeed(null);
  }

  async function subscribe(topic: Topic): Promise<Result<TopicSnapshot>> {
    if (isClosed)
      return fail<Failure>({ code: "NOT_ALLOWED_NOW", message: `This viewer is closed: ${topic} was not subscribed.` });
    unsubscribe(topic);
    if (slots.size >= maxTopicsPerViewer) return fail(tooManyTopics(topic));

    const slot: Slot = { isWanted: true, release: () => {} };
    slots.set(topic, slot);
    const answer = await askWithLimit(source, topic, slot, push);
    if (!answer.ok) drop(topic, slot);
    return answer;
  }

  return {
    subscribe,
    unsubscribe,
    close() {
      isClosed = true;
      for (const [topic, slot] of slots) drop(topic, slot);
    },
  };
}

async function askWithLimit(
  source: TopicSource,
  topic: Topic,
  slot: Slot,
  push: (topic: Topic, snapshot: TopicSnapshot) => void,
): Promise<Result<TopicSnapshot>> {
  const answered = ask(source, topic, slot, push);
  const { promise: late, resolve } = Promise.withResolvers<Result<TopicSnapshot>>();
  const timer = setTimeout(() => resolve(fail(tooLate(topic))), answerLimitMs);
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function ask(
  source: TopicSource,
  topic: Topic,
  slot: Slot,
  push: (topic: Topic, snapshot: TopicSnapshot) => void,
): Promise<Result<TopicSnapshot>> {
  try {
    const answer = await source.subscribe(topic, (snapshot) => {
      if (slot.isWanted) push(topic, snapshot);
    });
    if (!answer.ok) return answer;
    // Given up while the source was still looking: what it opened would otherwise stay open for ever.
    if (!slot.isWanted) answer.value.unsubscribe();
    slot.release = () => answer.value.unsubscribe();
    return succeed(answer.value.first);
  } catch (cause) {
    return fail(unexpected(topic, cause));
  }
}

function tooManyTopics(topic: Topic): Failure {
  return {
    code: "BAD_USAGE",
    message: `${topic} was not subscribed: one viewer holds at most ${maxTopicsPerViewer} topics. Unsubscribe from one first.`,
  };
}

function tooLate(topic: Topic): Failure {
  return {
    code: "STORE_UNAVAILABLE",
    message: `${topic} did not answer within ${answerLimitMs / 1000} s. The store may be busy or locked by another process; try again.`,
    retryable: true,
  };
}

function unexpected(topic: Topic, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return { code: "UNEXPECTED", message: `${topic} could not be read: ${reason}` };
}
