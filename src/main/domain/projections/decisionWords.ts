// What came of an approval, in the few words that stand beside a mark. Pure.

import { countOf } from "../hunks.ts";
import type { EventOf } from "../events.ts";
import type { ApprovalDecision, HunkSelection } from "../records.ts";

const verbs: Readonly<Record<ApprovalDecision, string>> = {
  approved: "approved",
  rejected: "rejected",
  sent_back: "sent back",
  answered: "answered",
};

/** `approved 2 hunks by a person`, `rejected by a person: too wide`, `withdrawn: the run stopped`. Not clipped. */
export function describeDecision(event: EventOf<"approval.decided" | "approval.withdrawn">): string {
  if (event.type === "approval.withdrawn") return `withdrawn: ${event.data.reason}`;
  const { decision, by, scope, hunks, comment } = event.data;
  const reach = decision === "approved" && scope !== "once" ? ` for this ${scope}` : "";
  const said = comment === undefined || comment === "" ? "" : `: ${comment}`;
  return `${verbs[decision]}${partOf(hunks)}${reach} by ${by}${said}`;
}

function partOf(hunks: HunkSelection | undefined): string {
  if (hunks === undefined || hunks === "all") return "";
  const count = Object.values(hunks).reduce((sum, numbers) => sum + numbers.length, 0);
  return ` ${countOf(count, "hunk")}`;
}
