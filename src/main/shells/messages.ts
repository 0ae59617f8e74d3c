// The edge of both shells: what arrives from a page is checked here before anything looks at it.

import { z } from "zod";

import {
  type ClientMessage,
  type ClientRequest,
  maxMessageBytes,
  requestChannels,
} from "../../shared/contract/channels.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { bodySchemas } from "./requestSchemas.ts";

const messageId = z.int().nonnegative();
const clientMessage = z.strictObject({ id: messageId, channel: z.enum(requestChannels), body: z.unknown() });

/** A message that was refused, and the id to answer it by, when it had one. */
export interface Refusal {
  readonly id: number | null;
  /** What it called its channel, short enough for a log; `null` when it had none. */
  readonly channel: string | null;
  readonly failure: Failure;
}

/** Reads one message of a client from its JSON text. */
export function parseClientMessage(text: string): Result<ClientMessage, Refusal> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail({ id: null, channel: null, failure: badUsage("The message is not JSON.") });
  }
  const parsed = clientMessage.safeParse(value);
  if (!parsed.success) {
    const addressed = z.object({ id: messageId }).safeParse(value);
    const named = z.object({ channel: z.string() }).safeParse(value);
    return fail({
      id: addressed.success ? addressed.data.id : null,
      channel: named.success ? named.data.channel.slice(0, 60) : null,
      failure: badUsage(z.prettifyError(parsed.error)),
    });
  }
  const { id, channel, body } = parsed.data;
  const request = parseRequest(channel, body);
  return request.ok ? succeed({ id, ...request.value }) : fail({ id, channel, failure: request.error });
}

/** Reads the body of a request, however it came: plain data, at most 256 KiB as JSON, and just what its channel takes. */
export function parseRequest(channel: ClientRequest["channel"], body: unknown): Result<ClientRequest> {
  if (!isBounded(body))
    return fail(badUsage(`The body is no plain data, or more than ${maxMessageBytes / 1024} KiB of it.`));
  const parsed = bodySchemas[channel].safeParse(body);
  // The schema is the channel's own, so the two belong together.
  return parsed.success
    ? succeed({ channel, body: parsed.data } as ClientRequest)
    : fail(badUsage(z.prettifyError(parsed.error)));
}

/** A structured clone may hold what JSON cannot say, and its size is known only here. */
function isBounded(body: unknown): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(body) ?? "") <= maxMessageBytes;
  } catch {
    return false;
  }
}

function badUsage(reason: string): Failure {
  return { code: "BAD_USAGE", message: `The request was refused: ${reason.slice(0, 2_000)}` };
}
