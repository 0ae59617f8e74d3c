// Which runs want the person, in which order, and what each status is called. Pure; the words are the glossary's.

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunStatus } from "../../../shared/contract/snapshots.ts";
import type { Shape } from "../../ui/Mark.tsx";
import { countOf } from "../../ui/formats.ts";

export type Attention = "needs-you" | "ready" | "running" | "done";

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
  ["ready", "Ready to review"],
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

/** All runs in the order in which the list shows them. */
export function runsInOrder(runs: readonly RunListItem[]): readonly RunListItem[] {
  return groupRuns(runs).flatMap((group) => group.runs);
}

/** Runs by their ids: as the list shows them, and of all runs those that wait for the person, the longest wait first. */
export interface RunQueue {
  readonly order: readonly RunId[];
  readonly inNeed: readonly RunId[];
}

/** `shown`: those of them that the list is held to. */
export function queueOf(runs: readonly RunListItem[], shown: readonly RunListItem[] = runs): RunQueue {
  const inNeed = runs
    .filter((run) => attentionOf(run) === "needs-you" || attentionOf(run) === "ready")
    .toSorted((a, b) => (a.askedAt ?? a.updatedAt) - (b.askedAt ?? b.updatedAt));
  return { order: runsInOrder(shown).map(({ run }) => run), inNeed: inNeed.map(({ run }) => run) };
}

/** The run that stands below `run` in the list, else above it; `null` when it stands alone. */
export function neighbourOf({ order }: RunQueue, run: RunId): RunId | null {
  const at = order.indexOf(run);
  return order[at + 1] ?? (at > 0 ? order[at - 1] : undefined) ?? null;
}

/** The run that waits for the person longest, or the one that follows `current` among those; `null` when none does. */
export function nextInNeed({ inNeed }: RunQueue, current: RunId | null): RunId | null {
  const at = current === null ? -1 : inNeed.indexOf(current);
  return inNeed[(at + 1) % Math.max(1, inNeed.length)] ?? null;
}

/** Runs whose title or id has every word of `sought`, in any case; all of them for no word. */
export function findRuns(runs: readonly RunListItem[], sought: string): readonly RunListItem[] {
  const words = sought
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return runs;
  return runs.filter(({ title, run }) => {
    const text = `${title} ${run}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

type Facts = Pick<RunListItem, "status" | "stopReason" | "needsYouCount" | "reviewCount">;

export function attentionOf({ status, needsYouCount, reviewCount }: Facts): Attention {
  if (status === "quarantined") return "needs-you";
  if (needsYouCount > 0) return reviewCount === needsYouCount ? "ready" : "needs-you";
  if (status === "stopped" || status === "imported") return "done";
  // Nobody drives these: they go on only when a person says so.
  return status === "ready" || status === "interrupted" ? "needs-you" : "running";
}

/** How a run stands, in a shape and a word; what it asks for, where its group says already that it needs the person. */
export function describeRun(run: Facts & Pick<RunListItem, "asks" | "agents" | "landed">): Standing {
  const { status, stopReason, needsYouCount, agents = "", landed } = run;
  if (needsYouCount > 0) return { shape: attentionOf(run) === "ready" ? "ready" : "needs-you", word: wordsOfAsks(run) };
  if (status === "stopped") return stoppedAs(stopReason, landed);
  const working = agents.split("w").length - 1;
  if (status === "running" && working > 0)
    return { shape: "working", word: agents.length === 1 ? "Working" : `${working} of ${agents.length} at work` };
  return statusStandings[status];
}

function stoppedAs(stopReason: string | null, landed: string | undefined): Standing {
  if (stopReason === "final_answer")
    return landed === undefined ? { shape: "done", word: "Answered" } : { shape: "landed", word: `Landed ${landed}` };
  return stopStandingOf(stopReason);
}

/** A reason that is not known here goes by its name in the journal. */
export function stopStandingOf(stopReason: string | null): Standing {
  return (
    (stopReason === null ? undefined : stopStandings[stopReason]) ?? { shape: "stopped", word: stopReason ?? "Stopped" }
  );
}

/** `1 command, 2 reviews`. Kinds that have no words here count as approvals. */
function wordsOfAsks({ asks = [], needsYouCount }: Pick<RunListItem, "asks" | "needsYouCount">): string {
  const counts = new Map<string, number>();
  for (const kind of asks) {
    const word = askWords[kind] ?? "approval";
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const rest = needsYouCount - asks.length;
  if (counts.size === 0) return countOf(needsYouCount, "approval");
  const words = [...counts].map(([word, count]) => countOf(count, word));
  return rest > 0 ? `${words.join(", ")} and ${rest} more` : words.join(", ");
}

const askWords: Readonly<Record<string, string>> = {
  changeset: "review",
  command: "command",
  question: "question",
  effect: "effect to look at",
  budget: "budget",
  plan: "plan",
  reconcile: "reconciliation",
};

export const statusStandings: Readonly<Record<Exclude<RunStatus, "stopped">, Standing>> = {
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
  manual_reconciliation: { shape: "failed", word: "Failed, unreconciled" },
  handoff_blocked: { shape: "failed", word: "Failed, nothing could run" },
};
