// A script for the scripted model as a JSON file: `{ entries: [{ match, turns: [{ text?, reasoning?, calls?, usage? }] }] }`.
// `match` is the source of a regular expression; `{{0}}` is what it matched in the first user message, `{{1}}` its first
// group, filled into text, reasoning and the texts inside arguments.

import { z } from "zod";
import type { Result } from "../../shared/lib/result.ts";
import type { AnswerTurn, Script } from "./scripted.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { firstUserMessage } from "./scripted.ts";

const count = z.number().int().nonnegative();
const turn = z.strictObject({
  text: z.string().exactOptional(),
  reasoning: z.string().exactOptional(),
  calls: z
    .array(z.strictObject({ name: z.string().min(1), arguments: z.record(z.string(), z.json()) }))
    .exactOptional(),
  usage: z.strictObject({ inputTokens: count, outputTokens: count, cachedTokens: count }).exactOptional(),
  delayMs: count.exactOptional(),
});
const pattern = z.string().transform((source, context) => {
  try {
    return new RegExp(source);
  } catch {
    context.addIssue({ code: "custom", message: "is not a regular expression" });
    return z.NEVER;
  }
});
const scriptFile = z.strictObject({
  entries: z.array(z.strictObject({ match: pattern, turns: z.array(turn).min(1) })).min(1),
});

/** Reads a script from the text of `file` (a name, for messages). `SCRIPT_INVALID` names file and field. */
export function loadScript(text: string, file: string): Result<Script> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return invalid(file, error instanceof Error ? error.message : "is not JSON");
  }
  const parsed = scriptFile.safeParse(json);
  if (!parsed.success)
    return invalid(
      file,
      parsed.error.issues.map((issue) => `${z.core.toDotPath(issue.path) || "the file"}: ${issue.message}`).join("; "),
    );
  return succeed({
    entries: parsed.data.entries.map(({ match, turns }) => ({
      match: (message) => match.test(message),
      turns: turns.map((template) => (request) => fillTurn(template, match.exec(firstUserMessage(request)) ?? [])),
    })),
  });
}

function invalid(file: string, problem: string): Result<never> {
  return fail({ code: "SCRIPT_INVALID", message: `${file} is not a script: ${problem}` });
}

function fillTurn(template: AnswerTurn, groups: readonly (string | undefined)[]): AnswerTurn {
  return fill(template, groups) as AnswerTurn;
}

/** Every text below `value` with its `{{n}}` filled. Shape and keys stay. */
function fill(value: unknown, groups: readonly (string | undefined)[]): unknown {
  if (typeof value === "string")
    return value.replace(/\{\{(\d)\}\}/g, (_, group: string) => groups[Number(group)] ?? "");
  if (Array.isArray(value)) return value.map((item: unknown) => fill(item, groups));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, groups)]));
}
