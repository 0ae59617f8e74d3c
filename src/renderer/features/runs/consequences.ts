// What stopping a run, or deleting it, comes to: one sentence each, in numbers. Pure.

import type { HoldingsPage } from "../../../shared/contract/runPages.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { hasEnded } from "../subagents.ts";
import { countOf } from "../../ui/formats.ts";

/** `keepDays`: how long work that did not land is kept; `null` while that is not known. */
export function stopConsequences(run: RunSnapshot, keepDays: number | null): readonly string[] {
  const { subagents, approvals, landed, target } = run;
  const open = subagents.filter((subagent) => !hasEnded(subagent));
  const writers = open.filter(({ role, startedAt }) => role === "executor" && startedAt !== null).length;
  const one = approvals.length === 1;
  return [
    open.length === 0 ? "The lead stops." : `The lead and ${countOf(open.length, "subagent")} stop where they are.`,
    ...(approvals.length === 0
      ? []
      : [
          `${countOf(approvals.length, "open approval")} will be withdrawn; what ${one ? "it asks" : "they ask"} for does not happen.`,
        ]),
    ...(writers === 0
      ? []
      : [
          `What ${countOf(writers, "executor")} ${writers === 1 ? "has" : "have"} written and not landed is kept${keepDays === null ? "" : ` for ${keepDays} days`}.`,
        ]),
    landed.length === 0
      ? "Nothing has landed, so your branches stay as they are."
      : `What has landed stays: ${countOf(landed.length, "commit")} on ${target}.`,
  ];
}

export function deleteConsequences(
  { eventCount, subagentCount, unlandedCount, landedCount, pinned, pinnedCount }: HoldingsPage,
  target: string,
): readonly string[] {
  const agents = [...new Set(pinned.map(({ agent }) => agent))];
  const named = agents.slice(0, 3).join(", ") + (agents.length > 3 ? ` and ${agents.length - 3} more` : "");
  return [
    `Its journal is deleted: ${countOf(eventCount, "event")} of the lead and ${countOf(subagentCount, "subagent")}. It cannot be brought back.`,
    ...(unlandedCount === 0 ? [] : [`${countOf(unlandedCount, "change set")} that did not land will be gone.`]),
    ...(pinnedCount === 0 ? [] : [`So will the work that is kept of ${named}: ${countOf(pinnedCount, "commit")}.`]),
    landedCount === 0
      ? "Nothing of it has landed, so your branches stay as they are."
      : `What has landed stays: ${countOf(landedCount, "commit")} on ${target}.`,
  ];
}
