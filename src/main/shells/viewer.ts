// One viewer: a window or a browser tab, whichever shell carries its messages. Its subscriptions end with it; what it asks
// is answered in time. Holds no snapshot: the viewer orders what it gets by the snapshots' own numbers.

import { answerLimitOf } from "../../shared/contract/answerLimits.ts";
import type { ClientRequest } from "../../shared/contract/channels.ts";
import type { PageRequest } from "../../shared/contract/pages.ts";
import type { Topic } from "../../shared/contract/topics.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { TopicSnapshot, TopicSource } from "../pages/topicSource.ts";
import type { ViewerSource } from "./host.ts";

/** The run list, the run looked at, and room to spare. */
const maxTopicsPerViewer = 32;

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
    const limitMs = answerLimitOf({ channel: "topic/subscribe", body: { topic } });
    const answer = await within(limitMs, topic, () => ask(source, topic, slot, push));
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

/** Carries out one checked request of a viewer. Never rejects. */
export function answerRequest(source: ViewerSource, viewer: Viewer, request: ClientRequest): Promise<Result<unknown>> {
  const limitMs = answerLimitOf(request);
  switch (request.channel) {
    case "topic/subscribe":
      return viewer.subscribe(request.body.topic);
    case "topic/unsubscribe":
      return Promise.resolve(viewer.unsubscribe(request.body.topic));
    case "page/read":
      return within(limitMs, `The page ${nameOf(request.body)}`, () => source.readPage(request.body));
    case "content/read":
      return within(limitMs, `A text of ${request.body.run}`, () => source.readContent(request.body));
    case "host/call":
      return within(limitMs, request.body.kind, () => source.callHost(request.body));
    case "command/execute":
      return within(limitMs, `The command ${request.body.command.type}`, () => source.execute(request.body));
  }
}

function nameOf(request: PageRequest): string {
  return "run" in request ? `${request.kind} of ${request.run}` : request.kind;
}

/** What `act` answers, or a failure that names `what` when it rejects or takes too long. */
async function within<T>(limitMs: number, what: string, act: () => Promise<Result<T>>): Promise<Result<T>> {
  const { promise: late, resolve } = Promise.withResolvers<Result<T>>();
  const timer = setTimeout(() => resolve(fail(tooLate(what, limitMs))), limitMs);
  try {
    return await Promise.race([act(), late]);
  } catch (cause) {
    return fail(unexpected(what, cause));
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
  const answer = await source.subscribe(topic, (snapshot) => {
    if (slot.isWanted) push(topic, snapshot);
  });
  if (!answer.ok) return answer;
  // Given up while the source was still looking: what it opened would otherwise stay open for ever.
  if (!slot.isWanted) answer.value.unsubscribe();
  slot.release = () => answer.value.unsubscribe();
  return succeed(answer.value.first);
}

function tooManyTopics(topic: Topic): Failure {
  return {
    code: "BAD_USAGE",
    message: `${topic} was not subscribed: one viewer holds at most ${maxTopicsPerViewer} topics. Unsubscribe from one first.`,
  };
}

function tooLate(what: string, limitMs: number): Failure {
  return {
    code: "STORE_UNAVAILABLE",
    message: `${what} was not answered within ${limitMs / 1000} s. The store may be busy or locked by another process; try again.`,
    retryable: true,
  };
}

function unexpected(what: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return { code: "UNEXPECTED", message: `${what} could not be answered: ${reason}` };
}
