// Models behind a queue: so many requests at a time to each, and a wait that a server asks one request for is kept by
// all of them. Retries stay the caller's; here nothing is asked twice.

import { createHash } from "node:crypto";
import type { ModelOutcome, ModelPort } from "../engine/ports/model.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Hold, QueueLimits } from "./requestQueue.ts";
import { checkEndpoint } from "./endpoint.ts";
import { RequestQueue } from "./requestQueue.ts";

/**
 * `model`, one server, with at most `maxPerModel` requests in flight to each model name, in order of arrival. A request
 * that waits obeys its abort, says why by `onQueued`, and starts its own limits only with its turn. After a failure that
 * names a wait all requests wait until then; one goes first, the others once it is answered.
 */
export function limitModel(model: ModelPort, limits: QueueLimits): ModelPort {
  return queueModel(model, new RequestQueue(limits));
}

function queueModel(model: ModelPort, queue: RequestQueue): ModelPort {
  const server = queue.addServer();
  return {
    async complete(request, watch) {
      const turn = await queue.enter(server, request.model, watch);
      if (turn === null) return { kind: "aborted", text: "" };
      let outcome: ModelOutcome | null = null;
      try {
        outcome = await model.complete(request, {
          ...watch,
          onData() {
            turn.accepted();
            watch.onData();
          },
        });
        return outcome;
      } finally {
        turn.leave(outcome === null ? null : holdOf(outcome));
      }
    },
  };
}

/** The wait that a failure asks everyone for. */
function holdOf(outcome: ModelOutcome): Hold | null {
  if (outcome.kind !== "failed" || !outcome.retryable || outcome.retryAfterMs === null) return null;
  return outcome.retryAfterMs > 0 ? { waitMs: outcome.retryAfterMs, reason: outcome.message } : null;
}

/**
 * A function that connects endpoints for all runs of this process: the same base URL and key give the same queue, and
 * `maxInAll` is counted over all of them. Make one a process.
 */
export function shareModels(
  connect: (endpoint: Endpoint) => ModelPort,
  limits: QueueLimits,
): (endpoint: Endpoint) => ModelPort {
  const queue = new RequestQueue(limits);
  const connected = new Map<string, ModelPort>();
  return (endpoint) => {
    const { baseUrl, apiKey } = checkEndpoint(endpoint);
    // The key itself is kept by the connection alone.
    const name = createHash("sha256")
      .update(JSON.stringify([baseUrl, apiKey]))
      .digest("hex");
    const model = connected.get(name) ?? queueModel(connect(endpoint), queue);
    connected.set(name, model);
    return model;
  };
}
