// The edge of both shells: what arrives from a page is checked here before anything looks at it.

import { z } from "zod";

import type { ClientMessage } from "../../shared/contract/channels.ts";
import type { Topic } from "../../shared/contract/topics.ts";
import { isTopic } from "../../shared/contract/topics.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";

const topicBody = z.strictObject({ topic: z.custom<Topic>(isTopic, "not a topic") });
const messageId = z.int().nonnegative();

const clientMessage: z.ZodType<ClientMessage> = z.discriminatedUnion("channel", [
  z.strictObject({ id: messageId, channel: z.literal("topic/subscribe"), body: topicBody }),
  z.strictObject({ id: messageId, channel: z.literal("topic/unsubscribe"), body: topicBody }),
]);

/** A message that was refused, and the id to answer it by, when it had one. */
export interface Refusal {
  readonly id: number | null;
  readonly failure: Failure;
}

/** Reads one message of a client from its JSON text. */
export function parseClientMessage(text: string): Result<ClientMessage, Refusal> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail({ id: null, failure: badUsage("The message is not JSON.") });
  }
  const parsed = clientMessage.safeParse(value);
  if (parsed.success) return succeed(parsed.data);
  const addressed = z.object({ id: messageId }).safeParse(value);
  return fail({ id: addressed.success ? addressed.data.id : null, failure: badUsage(z.prettifyError(parsed.error)) });
}

/** Reads the body of `topic/subscribe` and `topic/unsubscribe`. */
export function parseTopicBody(value: unknown): Result<{ readonly topic: Topic }> {
  const parsed = topicBody.safeParse(value);
  return parsed.success ? succeed(parsed.data) : fail(badUsage(z.prettifyError(parsed.error)));
}

function badUsage(reason: string): Failure {
  return { code: "BAD_USAGE", message: `The request was refused: ${reason}` };
}
