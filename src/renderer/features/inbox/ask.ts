// What an approval asks for, in words, and which decisions it takes. Pure.

import type { WorkbenchCommand } from "../../../shared/contract/commands.ts";
import type { BalanceName } from "../../../shared/contract/options.ts";
import type { ApprovalPage, ApprovalScope } from "../../../shared/contract/runPages.ts";
import type { ApprovalSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Shape } from "../../ui/Mark.tsx";
import { formatCount, formatMoney } from "../../ui/formats.ts";

/** An open approval with the run that it is of. */
export interface Ask {
  readonly approval: ApprovalSnapshot;
  readonly run: RunSnapshot;
}

export interface AskWords {
  readonly shape: Shape;
  /** What kind of thing is asked for. */
  readonly kind: string;
  readonly question: string;
  readonly yes: string;
  readonly no: string;
}

const kinds: Readonly<Record<string, Omit<AskWords, "shape">>> = {
  changeset: { kind: "Change set", question: "Review these changes?", yes: "Review…", no: "Reject" },
  command: { kind: "Command", question: "Run this command?", yes: "Allow once", no: "Deny" },
  question: { kind: "Question", question: "It asks you", yes: "Answer", no: "Answer" },
  plan: { kind: "Plan", question: "Start this plan?", yes: "Start", no: "End the run" },
  budget: { kind: "Budget", question: "More budget?", yes: "Give more", no: "Let it end" },
  reconcile: { kind: "Reconciliation", question: "Which verdict holds?", yes: "It passed", no: "It failed" },
  effect: { kind: "Effect", question: "Did this take effect?", yes: "It did", no: "It did not" },
};

/** A kind that has no words here yet goes by its name in the journal. */
export function wordsOf({ kind }: Pick<ApprovalSnapshot, "kind">): AskWords {
  const words = kinds[kind] ?? { kind, question: "Allow this?", yes: "Allow once", no: "Deny" };
  return { shape: kind === "changeset" ? "ready" : "needs-you", ...words };
}

/** Whether it is decided by yes or no, here and now; a change set is reviewed, a question answered. */
export function isYesOrNo({ kind }: Pick<ApprovalSnapshot, "kind">): boolean {
  return kind !== "changeset" && kind !== "question";
}

/** Nothing speaks for a yes more than for a no: between opposite verdicts, and of what may have happened. */
export function isEven({ kind }: Pick<ApprovalSnapshot, "kind">): boolean {
  return kind === "reconcile" || kind === "effect";
}

/** How far a yes may reach, each with what it says; a single one is no choice. */
export function scopesOf(approval: Pick<ApprovalSnapshot, "kind">, page: ApprovalPage | null): readonly Choice[] {
  if (approval.kind === "budget") {
    const more = page?.raise == null ? "What it asks for" : `${amountOf(page.raise, page.raise.by)} more`;
    return [
      ["once", more],
      ["run", "No limit any more, for this run"],
    ];
  }
  if (approval.kind !== "command") return [["once", "Once"]];
  const what = page?.allows === "words" ? "These exact words" : "This exact line";
  return [
    ["once", "Once"],
    ["run", `${what}, for this run`],
    ["project", `${what}, for this repository`],
  ];
}

type Choice = readonly [scope: ApprovalScope, label: string];

/** `$2.00`, `40 steps`. */
export function amountOf({ balance }: Pick<NonNullable<ApprovalPage["raise"]>, "balance">, amount: number): string {
  return balance === "costMicros"
    ? formatMoney(amount / 1_000_000)
    : `${formatCount(amount)} ${wordFor(units[balance], amount)}`;
}

/** `1 step`, `2 steps`; tokens are never one. */
function wordFor(unit: string, amount: number): string {
  return amount === 1 ? unit.replace(/s$/, "") : unit;
}

/** `$1.20 of $4.00`, `12 of 40 steps`. */
export function usedOf(raise: NonNullable<ApprovalPage["raise"]>): string {
  const used = raise.balance === "costMicros" ? amountOf(raise, raise.used) : formatCount(raise.used);
  return `${used} of ${amountOf(raise, raise.limit)}`;
}

const units: Readonly<Record<Exclude<BalanceName, "costMicros">, string>> = {
  steps: "steps",
  toolCalls: "tool calls",
  inputTokens: "tokens in",
  outputTokens: "tokens out",
};

/** What yes and no say where they are no approval: of an effect, and of opposite verdicts. */
const values: Readonly<Record<string, { readonly yes: string; readonly no: string }>> = {
  effect: { yes: "applied", no: "not_applied" },
  reconcile: { yes: "mine", no: "theirs" },
};

export function approving({ id, kind }: ApprovalSnapshot, scope: ApprovalScope): WorkbenchCommand {
  const value = values[kind]?.yes;
  if (value !== undefined) return { type: "answer", approval: id, value, resumes: true };
  const reach = kind === "command" || kind === "budget" ? { scope } : {};
  return { type: "approve", approval: id, resumes: true, ...reach };
}

/** `comment`: for the agent that asked; empty for none. */
export function rejecting({ id, kind }: ApprovalSnapshot, comment = ""): WorkbenchCommand {
  const value = values[kind]?.no;
  if (value !== undefined) return { type: "answer", approval: id, value, resumes: true };
  const words = comment.trim();
  return { type: "reject", approval: id, resumes: true, ...(words === "" ? {} : { comment: words }) };
}

/** `comment`: what is to be done otherwise. */
export function sendingBack({ id }: ApprovalSnapshot, comment: string): WorkbenchCommand {
  return { type: "sendBack", approval: id, comment: comment.trim(), resumes: true };
}

/** Open approvals, the longest wait first. */
export function sortAsks(asks: readonly Ask[]): readonly Ask[] {
  return asks.toSorted((a, b) => a.approval.since - b.approval.since);
}

/** Kinds that are open, in the order of their words, each with how many there are. */
export function countKinds(asks: readonly Ask[]): readonly (readonly [kind: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { approval } of asks) counts.set(approval.kind, (counts.get(approval.kind) ?? 0) + 1);
  const order = Object.keys(kinds);
  return [...counts].toSorted(([left], [right]) => order.indexOf(left) - order.indexOf(right));
}

/** What is asked, on one line: marks of Markdown would be read as part of the words. */
export function lineOf({ summary }: Pick<ApprovalSnapshot, "summary">): string {
  return summary.replace(/\*\*|__|`/g, "").replace(/\s+/g, " ");
}

/** Who asks, as the lead sent it: `subagent-3, executor`. */
export function askerOf({ approval: { agent }, run }: Ask): { readonly role: string; readonly name: string } {
  const subagent = run.subagents.find(({ id }) => id === agent);
  return subagent === undefined ? { role: "lead", name: "Lead" } : { role: subagent.role, name: subagent.id };
}
