// A packet's own schema for `data`: is it one, and does a value fit it?

import { Ajv, type ValidateFunction } from "ajv";
import type { Json } from "../../shared/lib/json.ts";

/** A check for values of this JSON Schema; `null` when it is none. Formats are not asserted. */
export function compileSchema(schema: Json): ValidateFunction | null {
  const ajv = new Ajv({ allErrors: true, strict: false, logger: false, validateFormats: false });
  try {
    return ajv.compile(schema as object);
  } catch {
    // Ajv has no other way of saying that a schema is none, or that a reference leads nowhere.
    return null;
  }
}

/** What does not fit, one sentence an error; empty when all does. */
export function errorsOf(validate: ValidateFunction, value: Json): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map((problem) => `data${problem.instancePath} ${problem.message ?? "does not fit"}`);
}
