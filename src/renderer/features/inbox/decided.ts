// What was decided, in a shape and words. Pure.

import type { DecidedLine } from "../../../shared/contract/care.ts";
import type { Shape } from "../../ui/Mark.tsx";

export interface Outcome {
  readonly shape: Shape;
  readonly word: string;
}

const reaches: Readonly<Record<string, string>> = {
  once: "once",
  run: "this run",
  project: "this repository",
};

/** What became of it. A word of the journal that is not known here stands as it is. */
export function outcomeOf({ kind, decision, scope, landed }: DecidedLine): Outcome {
  if (decision === "approved") return { shape: landed === null ? "done" : "landed", word: yesTo(kind, scope, landed) };
  if (decision === "rejected") return { shape: "rejected", word: kind === "command" ? "Denied" : "Rejected" };
  if (decision === "sent_back") return { shape: "recovered", word: "Sent back" };
  return { shape: "done", word: decision === "answered" ? "Answered" : decision };
}

function yesTo(kind: string, scope: string, landed: string | null): string {
  switch (kind) {
    case "changeset":
      return landed === null ? "Approved" : "Landed";
    case "command":
      return `Allowed, ${reaches[scope] ?? scope}`;
    case "budget":
      return scope === "run" ? "Limit taken off" : "Budget given";
    case "plan":
      return "Plan started";
    default:
      return "Approved";
  }
}
