// What is said of a result and of the checks behind it, in words; and the answer of a result that is JSON. Pure.

import type { ResultPage } from "../../../shared/contract/pages.ts";
import type { SubagentSnapshot } from "../../../shared/contract/snapshots.ts";

export const verificationWords: Readonly<Record<SubagentSnapshot["verification"], string>> = {
  passed: "passed",
  failed: "failed",
  "not-run": "not run",
  skipped: "skipped: there is none",
};

/** How what was said fits what was asked for; empty where it does. */
export const schemaWords: Readonly<Record<NonNullable<ResultPage["said"]>["schema"], string>> = {
  ok: "",
  repaired: "after it was sent back",
  unstructured: "not in the form that was asked for",
};

/** The answer in the JSON text of a result; `null` where there is none to be read, as in one that was cut off. */
export function answerIn(resultJson: string): string | null {
  try {
    const { answer } = JSON.parse(resultJson) as { readonly answer?: unknown };
    return typeof answer === "string" ? answer : null;
  } catch {
    // It is shown as it stands.
    return null;
  }
}
