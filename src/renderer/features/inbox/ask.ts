// What an approval asks for, in words, and which decisions it takes. Pure.

import type { WorkbenchCommand } from "../../../shared/contract/commands.ts";
import type { ApprovalSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Shape } from "../../ui/Mark.tsx";

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
  permission: { kind: "Permission", question: "Allow this?", yes: "Allow once", no: "Deny" },
  question: { kind: "Question", question: "It asks you:", yes: "Answer", no: "Answer" },
  plan: { kind: "Plan", question: "Go on by this plan?", yes: "Approve", no: "Reject" },
  budget: { kind: "Budget", question: "More budget?", yes: "Grant", no: "Refuse" },
  reconcile: { kind: "Reconcile", question: "Did this take effect?", yes: "It did", no: "It did not" },
  effect: { kind: "Effect", question: "Let this take effect?", yes: "Allow once", no: "Deny" },
  identity: { kind: "Identity", question: "Is this the same repository?", yes: "It is", no: "It is not" },
};

/** A kind that has no words here yet goes by its name in the journal. */
export function wordsOf({ kind }: ApprovalSnapshot): AskWords {
  const words = kinds[kind] ?? { kind, question: "Allow this?", yes: "Allow once", no: "Deny" };
  return { shape: kind === "changeset" ? "ready" : "needs-you", ...words };
}

/** Whether it is decided by yes or no, here and now; a change set is reviewed, a question answered. */
export function isYesOrNo({ kind }: ApprovalSnapshot): boolean {
  return kind !== "changeset" && kind !== "question";
}

export type Scope = "once" | "run" | "project";

/** How far the approval of a command may reach. */
export const scopes: readonly (readonly [Scope, string])[] = [
  ["once", "Once"],
  ["run", "This exact line, for this run"],
  ["project", "This exact line, for this repository"],
];

export function approving({ approval }: Ask, scope: Scope): WorkbenchCommand {
  const reach = approval.kind === "command" ? { scope } : {};
  return { type: "approve", approval: approval.id, resumes: true, ...reach };
}

export function rejecting({ approval }: Ask): WorkbenchCommand {
  return { type: "reject", approval: approval.id, resumes: true };
}

/** Open approvals, the longest wait first. */
export function sortAsks(asks: readonly Ask[]): readonly Ask[] {
  return asks.toSorted((a, b) => a.approval.since - b.approval.since);
}

/** Who asks, as the lead sent it: `subagent-3, executor`. */
export function askerOf({ approval: { agent }, run }: Ask): { readonly role: string; readonly name: string } {
  const subagent = run.subagents.find(({ id }) => id === agent);
  return subagent === undefined ? { role: "lead", name: "Lead" } : { role: subagent.role, name: subagent.id };
}
