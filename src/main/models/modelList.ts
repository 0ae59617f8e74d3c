// The list of models as servers send it: a name each, and with some servers the context window that is really served.

import { z } from "zod";

export interface ListedModel {
  readonly id: string;
  /** The context window as the server tells it, in tokens; `null` where it does not. */
  readonly contextTokens: number | null;
}

const tokens = z.number().int().positive().optional().catch(undefined);
const modelList = z.object({
  data: z.array(
    z
      .object({
        id: z.string(),
        /** vLLM. */
        max_model_len: tokens,
        /** OpenRouter, Together and their like. */
        context_length: tokens,
        /** Groq. */
        context_window: tokens,
      })
      .transform((model): ListedModel => ({
        id: model.id,
        contextTokens: model.max_model_len ?? model.context_length ?? model.context_window ?? null,
      })),
  ),
});

/** The models in the body of an answer to `GET /models`; `null` when it is no such list. */
export function readModelList(body: string): readonly ListedModel[] | null {
  try {
    const list = modelList.safeParse(JSON.parse(body));
    return list.success ? list.data.data : null;
  } catch {
    // Not JSON, so no list either: the caller says what came instead.
    return null;
  }
}
