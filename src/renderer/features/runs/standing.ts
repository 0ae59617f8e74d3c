// How a run's snapshot stands, in a shape and a word. Pure.

import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { attentionOf, statusStandings, stopStandingOf } from "./attention.ts";
import type { Standing } from "./attention.ts";

export function describeSnapshot({
  status,
  stopReason,
  approvals,
  lead,
}: Pick<RunSnapshot, "status" | "stopReason" | "approvals"> & { readonly lead?: RunSnapshot["lead"] }): Standing {
  if (approvals.length > 0) {
    const reviewCount = approvals.filter(({ kind }) => kind === "changeset").length;
    const facts = { status, stopReason, needsYouCount: approvals.length, reviewCount };
    return attentionOf(facts) === "ready"
      ? { shape: "ready", word: "Ready to review" }
      : { shape: "needs-you", word: "Needs you" };
  }
  if (status === "paused" && lead?.waitingFor?.code === "RECOVERED")
    return { ...statusStandings.paused, word: "Recovered, paused" };
  return status === "stopped" ? stopStandingOf(stopReason) : statusStandings[status];
}
