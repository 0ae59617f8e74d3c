// One viewer: a window or a browser tab, whichever shell carries its messages. Its subscriptions end with it; what it asks
// is answered in time. Holds no snapshot: the viewer orders what it gets by the snapshots' own numbers.

import type { ClientRequest } from "../../shared/contract/channels.ts";
import type { PageRequest } from "../../shared/contract/pages.ts";
import type { Topic } from "../../shared/contract/topics.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { TopicSnapshot, TopicSource } from "../pages/topicSource.ts";
import type { ViewerSource } from "./host.ts";

/** The run list, the run looked at, and room to spare. */
const maxTopicsPerViewer = 32;

/** How long a source may take to answer, in ms. A command may wait 10 s for the process that drives its run. */
const answerLimitMs = 10_000;
const commandLimitMs = 14_000;
const hostLimitMs = 600_000;
/** A model may have to be loaded before it can answer. */
const pageLimitsMs: { readonly [kind: string]: number } = { modelTest: 70_000, serverModels: 12_000 };

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
    const answer = await within(answerLimitMs, topic, () => ask(source, topic, slot, push));
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
  switch (request.channel) {
    case "topic/subscribe":
      return viewer.subscribe(request.body.topic);
    case "topic/unsubscribe":
      return Promise.resolve(viewer.unsubscribe(request.body.topic));
    case "page/read":
      return within(pageLimitsMs[request.body.kind] ?? answerLimitMs, `The page ${nameOf(request.body)}`, () =>
        source.readPage(request.body),
      );
    case "content/read":
      return within(answerLimitMs, `A text of ${request.body.run}`, () => source.readContent(request.body));
    case "host/call":
      // A dialog may stand open for as long as the person likes: it is in sight.
      return within(hostLimitMs, request.body.kind, () => source.callHost(request.body));
    case "command/execute":
      return within(commandLimitMs, `The command ${request.body.command.type}`, () => source.execute(request.body));
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
