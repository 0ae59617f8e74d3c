// Secrets in stored data: whether a payload holds one in clear, and the same payload without it. Nothing else of it
// changes, and no key of an object does.

import type { Json } from "../../shared/lib/json.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import { redactSure } from "../agents/redact.ts";
import type { ArchivedPayload } from "../engine/ports/store.ts";

/** Payloads as they may leave the store: one that holds a secret has a mark in its place, and is said to be erased. */
export function* withoutSecrets(payloads: Iterable<ArchivedPayload>): Generator<ArchivedPayload> {
  for (const payload of payloads) {
    const text = erasedText(payload.text);
    yield text === null ? payload : { ...payload, text, isErased: true };
  }
}

/** Canonical JSON with a mark in place of each secret; `null` where there is none. Throws `SyntaxError` for what is no JSON. */
export function erasedText(text: string): string | null {
  const erased = canonicalJson(erasedData(JSON.parse(text) as Json));
  return erased === text ? null : erased;
}

function erasedData(data: Json): Json {
  if (typeof data === "string") return redactSure(data);
  if (Array.isArray(data)) return data.map(erasedData);
  if (typeof data !== "object" || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, erasedData(value as Json)]));
}
