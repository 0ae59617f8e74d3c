// What a server said when it said no: its words, dug out of the shapes that servers use, without keys and without walls of HTML.

import { z } from "zod";
import { maskSecrets } from "./endpoint.ts";
import { findCause } from "./network.ts";

/** A status other than 2xx with its body, which the SDK's errors do not keep whole. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  constructor(status: number, headers: Headers, body: string) {
    super(`status ${status}`);
    this.status = status;
    this.headers = headers;
    this.body = body;
  }
}

export function isRefusal(error: Error): error is Refusal {
  return error instanceof Refusal;
}

/** The refusal that an error of the SDK came of; rethrows any other error. */
export function requireRefusal(error: unknown): Refusal {
  const refusal = findCause(error, isRefusal);
  if (refusal === null) throw error;
  return refusal;
}

/** A refusal in the server's words. Empty text where it gave none. */
export interface Words {
  readonly message: string;
  /** `code` and `type` as given, joined, lower case: they are looked into, not shown. */
  readonly codes: string;
  /** A status that the body names, for errors that come under 200. */
  readonly status: number | null;
}

const maxMessageChars = 300;

const text = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null);
const errorFields = z.object({
  message: text,
  msg: text,
  detail: z
    .union([
      z.string(),
      z.array(z.object({ msg: text })).transform((list) => list.map((item) => item.msg ?? "").join("; ")),
    ])
    .nullish()
    .catch(null),
  code: text,
  type: text,
  status: text,
});
const errorBody = z.object({ error: z.union([z.string().transform((message) => ({ message })), errorFields]) });

/** The words of an error that is already parsed JSON: `{ error: { message } }`, `{ error: "…" }`, `{ message }`, `{ detail }`, or a list of one of these. */
export function wordsOf(value: unknown, apiKey: string | null): Words {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const nested = errorBody.safeParse(first);
  const flat = errorFields.safeParse(nested.success ? nested.data.error : first);
  const fields = flat.success ? flat.data : {};
  const codes = [fields.code, fields.type, fields.status].filter((code) => code != null);
  const status = codes.map(Number).find((code) => code >= 400 && code <= 599) ?? null;
  return {
    message: excerpt(fields.message ?? fields.msg ?? fields.detail ?? (typeof first === "string" ? first : ""), apiKey),
    codes: codes.join(" ").toLowerCase(),
    status,
  };
}

/** The words of an error body as text; of an HTML page only the title. */
export function wordsOfBody(body: string, apiKey: string | null): Words {
  try {
    return wordsOf(JSON.parse(body), apiKey);
  } catch {
    return { message: excerpt(isHtml(body) ? titleOf(body) : body, apiKey), codes: "", status: null };
  }
}

export function isHtml(body: string): boolean {
  return /^\s*(?:<!doctype|<html|<head|<\?xml)/i.test(body);
}

function titleOf(html: string): string {
  return /<title[^>]*>([^<]*)/i.exec(html)?.[1] ?? "";
}

function excerpt(message: string, apiKey: string | null): string {
  // Masked before it is shortened: half a key must not slip through.
  const line = maskSecrets(message, apiKey).replace(/\s+/g, " ").trim();
  return line.length <= maxMessageChars ? line : `${line.slice(0, maxMessageChars).toWellFormed()}…`;
}
