// Which runs want the person, and what each status is called. Pure; the words are the glossary's.

import type { RunListItem, RunStatus } from "../../../shared/contract/snapshots.ts";
import type { Shape } from "../../ui/Mark.tsx";
import { countOf } from "../../ui/formats.ts";

export type Attention = "needs-you" | "running" | "done";

export interface RunGroup {
  readonly attention: Attention;
  readonly label: string;
  /** Newest first. */
  readonly runs: readonly RunListItem[];
}

export interface Standing {
  readonly shape: Shape;
  readonly word: string;
}

const groupLabels: readonly (readonly [Attention, string])[] = [
  ["needs-you", "Needs you"],
  ["running", "Running"],
  ["done", "Done"],
];

/** The list as it is shown: what wants the person first, groups without runs left out. */
export function groupRuns(runs: readonly RunListItem[]): readonly RunGroup[] {
  return groupLabels
    .map(([attention, label]) => ({
      attention,
      label,
      runs: runs.filter((run) => attentionOf(run) === attention).toSorted((a, b) => b.createdAt - a.createdAt),
    }))
    .filter((group) => group.runs.length > 0);
}

type Facts = Pick<RunListItem, "status" | "stopReason" | "needsYouCount">;

export function attentionOf({ status, needsYouCount }: Facts): Attention {
  if (status === "stopped" || status === "imported") return "done";
  // Nobody drives these: they go on only when a person says so.
  if (needsYouCount > 0 || status === "ready" || status === "interrupted" || status === "quarantined")
    return "needs-you";
  return "running";
}

/** How a run stands, in a shape and a word; what it asks for, where its group says already that it needs the person. */
export function describeRun({ status, stopReason, needsYouCount }: Facts): Standing {
  if (status === "stopped")
    return (
      (stopReason === null ? undefined : stopStandings[stopReason]) ?? {
        shape: "stopped",
        word: stopReason ?? "Stopped",
      }
    );
  if (needsYouCount > 0) return { shape: "needs-you", word: countOf(needsYouCount, "approval") };
  return statusStandings[status];
}

const statusStandings: Readonly<Record<Exclude<RunStatus, "stopped">, Standing>> = {
  created: { shape: "queued", word: "Queued" },
  running: { shape: "working", word: "Working" },
  waiting: { shape: "waiting", word: "Waiting" },
  paused: { shape: "waiting", word: "Paused" },
  ready: { shape: "needs-you", word: "Ready to continue" },
  interrupted: { shape: "needs-you", word: "Interrupted" },
  quarantined: { shape: "failed", word: "Quarantined" },
  imported: { shape: "done", word: "Imported" },
};

const stopStandings: Readonly<Record<string, Standing>> = {
  final_answer: { shape: "done", word: "Done" },
  cancelled: { shape: "stopped", word: "Stopped" },
  interrupted: { shape: "stopped", word: "Stopped, interrupted" },
  failed: { shape: "failed", word: "Failed" },
  max_steps: { shape: "failed", word: "Failed, out of steps" },
  budget_exhausted: { shape: "failed", word: "Failed, budget exhausted" },
  handoff_blocked: { shape: "failed", word: "Failed, nothing could run" },
  manual_reconciliation: { shape: "failed", word: "Failed, needs reconciling" },
};
