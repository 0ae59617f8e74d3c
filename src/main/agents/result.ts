// A submitted result at the edge: does it fit the contract, and the packet's own schema? What does not is sent back
// with the errors, twice; then the text is kept as prose and marked so.

import { z } from "zod";

import type { Json } from "../../shared/lib/json.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { SubagentResult } from "../domain/records.ts";
import { compileSchema, errorsOf } from "./outputSchema.ts";
import { parseArguments } from "./tools/registry.ts";
import { submitResult } from "./tools/control.ts";

/** How often a result is sent back before it is kept as prose. */
export const maxRepairs = 2;

/** Reads what a model submitted. `details` of the failure are the errors, one a line. */
export function parseResult(args: string, outputSchema: Json | undefined): Result<SubagentResult> {
  const parsed = parseArguments(submitResult, args);
  if (!parsed.ok) return fail({ ...parsed.error, details: [parsed.error.message] });
  const { verdicts, data, evidence, ...rest } = parsed.value;
  const result: SubagentResult = {
    ...rest,
    evidence: evidence.map(({ source, quote, line }) => ({
      source,
      ...(quote === undefined ? {} : { quote }),
      ...(line === undefined ? {} : { line }),
    })),
    ...(verdicts === undefined ? {} : { verdicts }),
    ...(data === undefined ? {} : { data }),
  };
  const isFinished = result.status === "done" || result.status === "done_with_concerns";
  if (outputSchema === undefined || !isFinished) return succeed(result);
  const errors = checkData(result.data, outputSchema);
  return errors.length === 0
    ? succeed(result)
    : fail({ code: "BAD_RESULT", message: errors.join("; "), details: errors });
}

/** What was submitted and does not fit, as a result: the answer in its own words where there is one, the rest after it. */
export function unfitResult(args: string): SubagentResult {
  const parsed = unfit.safeParse(tryJson(args));
  if (!parsed.success) return proseResult(args);
  const { answer, status: _status, uncertainty: _uncertainty, ...rest } = parsed.data;
  if (Object.keys(rest).length === 0) return proseResult(answer);
  return proseResult(`${answer}\n\nWhat it handed in beside this is not in the agreed form: ${JSON.stringify(rest)}`);
}

const unfit = z.looseObject({ answer: z.string().check(z.regex(/\S/)) });

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON has no answer of its own.
    return null;
  }
}

/** What is said without the contract, as a result. */
export function proseResult(text: string): SubagentResult {
  return {
    status: "done_with_concerns",
    answer: text.trim() === "" ? "(It said nothing.)" : text,
    evidence: [],
    uncertainty: "high",
    followups: [],
  };
}

function checkData(data: Json | undefined, schema: Json): readonly string[] {
  if (data === undefined) return ["data is missing; the packet asks for it in the shape of its schema"];
  const validate = compileSchema(schema);
  // A schema that is none is refused at the spawn, so it is not held against the subagent here.
  return validate === null ? [] : errorsOf(validate, data);
}
