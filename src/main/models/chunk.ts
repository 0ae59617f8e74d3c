// The shape of one chunk of a chat completion, as loosely as real servers send it. A field that does not fit reads as
// absent: it must never take the rest of the chunk down with it.

import { z } from "zod";

const optionalText = z.string().nullish().catch(null);

/** Text, or a list of parts of which only those with text count. */
const content = z
  .union([
    z.string(),
    z
      .array(z.object({ text: optionalText }).catch({ text: null }))
      .transform((parts) => parts.map((part) => part.text ?? "").join("")),
  ])
  .nullish()
  .catch(null);

const callFragment = z.object({
  index: z.number().int().nullish().catch(null),
  id: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .catch(null),
  function: z
    .object({
      name: optionalText,
      /** Text by the standard; some servers send the object itself. */
      arguments: z
        .union([z.string(), z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value))])
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
});

const message = z
  .object({
    content,
    refusal: optionalText,
    reasoning_content: optionalText,
    reasoning: optionalText,
    tool_calls: z.array(callFragment.catch({})).nullish().catch(null),
  })
  .nullish()
  .catch(null);

const count = z.number().nonnegative().transform(Math.round).nullish().catch(null);

const usage = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
    prompt_cache_hit_tokens: count,
  })
  .nullish()
  .catch(null);

const chunk = z.object({
  choices: z
    .array(z.object({ delta: message, message, finish_reason: optionalText, usage }).catch({}))
    .nullish()
    .catch(null),
  usage,
  error: z.unknown().optional(),
});

export type Chunk = z.infer<typeof chunk>;
export type ChunkUsage = NonNullable<z.infer<typeof usage>>;
export type CallFragment = z.infer<typeof callFragment>;

/** A chunk, or `null` when the value is not even an object. */
export function readChunk(value: unknown): Chunk | null {
  const parsed = chunk.safeParse(value);
  return parsed.success ? parsed.data : null;
}
