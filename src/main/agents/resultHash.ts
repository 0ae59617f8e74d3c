// What a call answered, as a short hash: two equal ones tell the loop guard that nothing has changed.

import { createHash } from "node:crypto";
import type { ToolAnswer } from "./tools/tool.ts";

/** How long something took is no difference in what came out. */
const durations = /\b\d+(?:\.\d+)? ?m?s\b/g;

export function hashResult(answer: Pick<ToolAnswer, "outcome" | "code" | "exitCode" | "output">): string {
  const text = `${answer.outcome}|${answer.code ?? ""}|${answer.exitCode ?? ""}|${answer.output.replace(durations, "")}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
