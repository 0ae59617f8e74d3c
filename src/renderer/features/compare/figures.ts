// Two runs beside each other, in figures: what each took and what came of it, and which of the two took less. Pure.

import type { AssignmentPage } from "../../../shared/contract/runPages.ts";
import type { RunListItem, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { describeStop, isOver } from "../isOver.ts";
import { hasFallen, widthOf } from "../subagents.ts";
import { countOf, formatCount, formatDuration, formatMoney } from "../../ui/formats.ts";
import { policyWords } from "../policies.ts";

export interface Side {
  readonly snapshot: RunSnapshot;
  /** How it was assigned; `null` until that has come. */
  readonly assignment: AssignmentPage | null;
}

export interface Row {
  readonly name: string;
  /** As each side has it; empty where it has nothing to say. */
  readonly values: readonly [string, string];
  /** Of figures: the second against the first, such as `−32 %`; empty where they are equal or cannot be compared. */
  readonly difference: string;
  /** Which side took less, where less is better. */
  readonly better: 0 | 1 | null;
}

/** What is compared, in order. `now` in epoch ms: for a run that goes on. */
export function rowsOf(one: Side, other: Side, now: number): readonly Row[] {
  const both = <T>(read: (side: Side) => T): readonly [T, T] => [read(one), read(other)];
  const words = (name: string, read: (side: Side) => string): Row => ({
    name,
    values: both(read),
    difference: "",
    better: null,
  });
  const figure = (name: string, read: (side: Side) => number | null, show: (amount: number) => string, isCost = true) =>
    figureRow(name, both(read), show, isCost);
  return [
    words("Outcome", ({ snapshot }) => outcomeOf(snapshot)),
    words("Policy", ({ assignment }) => (assignment === null ? "" : policyWords(assignment.policy))),
    words("Model", ({ snapshot }) => snapshot.lead.model),
    words("Began at", ({ snapshot: { base } }) => `${base.branch ?? "detached"} ${base.commit.slice(0, 7)}`),
    figure("Time", ({ snapshot }) => endOf(snapshot, now) - snapshot.createdAt, formatDuration),
    figure("Cost", ({ snapshot }) => snapshot.costUsd, formatMoney),
    figure("Tokens", ({ snapshot: { usage } }) => usage.inputTokens + usage.outputTokens, formatCount),
    figure("Requests", ({ snapshot }) => snapshot.usage.requests, formatCount),
    figure("Subagents", ({ snapshot }) => snapshot.subagents.length, String, false),
    figure("At work at once", ({ snapshot }) => widthOf(snapshot.subagents, endOf(snapshot, now)), String, false),
    figure("Failed or cancelled", ({ snapshot }) => snapshot.subagents.filter(hasFallen).length, String),
    words("Landed", ({ snapshot }) => landedOf(snapshot)),
  ];
}

function figureRow(
  name: string,
  [first, second]: readonly [number | null, number | null],
  show: (amount: number) => string,
  isCost: boolean,
): Row {
  const shown = (amount: number | null) => (amount === null ? "not known" : show(amount));
  const values = [shown(first), shown(second)] as const;
  // What reads the same is the same.
  if (first === null || second === null || values[0] === values[1])
    return { name, values, difference: "", better: null };
  return { name, values, difference: differenceOf(first, second), better: isCost ? (first < second ? 0 : 1) : null };
}

function differenceOf(first: number, second: number): string {
  if (first === 0) return "";
  const percent = Math.round(((second - first) / first) * 100);
  if (percent === 0) return "";
  return percent > 900 ? `${Math.round(second / first)} times` : `${percent > 0 ? "+" : "−"}${Math.abs(percent)} %`;
}

function outcomeOf({ status, stopReason, approvals, partial }: RunSnapshot): string {
  if (stopReason !== null) return `${describeStop(stopReason)}${partial ? ", in part" : ""}`;
  if (isOver({ status })) return describeStop(status);
  return approvals.length > 0 ? `Waits for ${countOf(approvals.length, "decision")}` : `Goes on (${status})`;
}

/** When it ended, or had its last event; now while it goes on. Epoch ms. */
function endOf({ stoppedAt, updatedAt, status }: RunSnapshot, now: number): number {
  return stoppedAt ?? (isOver({ status }) ? updatedAt : now);
}

function landedOf({ landed }: RunSnapshot): string {
  if (landed.length === 0) return "nothing";
  const files = new Set(landed.flatMap((landing) => landing.files));
  return `${countOf(landed.length, "commit")}, ${countOf(files.size, "file")}`;
}

/** The run that another is most likely to be compared with: of the same task, else in the same repository, else the newest; never itself. */
export function likelyRival(runs: readonly RunListItem[], run: RunListItem["run"]): RunListItem["run"] | null {
  const own = runs.find((one) => one.run === run);
  const weightOf = (one: RunListItem) => (one.title === own?.title ? 2 : 0) + (one.repo === own?.repo ? 1 : 0);
  const [best] = runs
    .filter((one) => one.run !== run)
    .toSorted((a, b) => weightOf(b) - weightOf(a) || b.createdAt - a.createdAt);
  return best?.run ?? null;
}
