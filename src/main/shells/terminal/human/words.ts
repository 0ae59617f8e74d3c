// How a subagent or a run stands: a glyph and a word, always both, in the words that the window uses too.

import type { NodeStatus, RunSnapshot, RunStatus, SubagentSnapshot } from "../../../../shared/contract/snapshots.ts";
import { type Glyph, signsOf } from "./look.ts";
import type { Tone } from "./style.ts";

export interface StatusWords {
  readonly glyph: string;
  readonly word: string;
  readonly tone: Tone;
}

export interface WordOptions {
  /** False: glyphs of ASCII. True when left out. */
  readonly unicode?: boolean;
}

type Standing = readonly [glyph: Glyph, word: string, tone: Tone];

const nodeStandings: Readonly<Record<NodeStatus, Standing>> = {
  pending: ["waiting", "Waiting", "plain"],
  ready: ["queued", "Queued", "plain"],
  running: ["working", "Working", "green"],
  waiting: ["waiting", "Waiting", "plain"],
  submitting: ["working", "Working", "green"],
  awaiting_review: ["ready", "Ready to review", "amber"],
  landing: ["landing", "Landing", "green"],
  completed: ["done", "Done", "plain"],
  failed: ["failed", "Failed", "red"],
  cancelled: ["stopped", "Stopped", "dim"],
};

/** How a subagent stands. `hasLanded`: its change set is on the target branch. Why it waits is `waitingFor` or `held` of the node. */
export function statusWords(
  node: SubagentSnapshot,
  { unicode = true, hasLanded = false }: WordOptions & { readonly hasLanded?: boolean } = {},
): StatusWords {
  return wordsOf(standingOf(node, hasLanded), unicode);
}

function standingOf({ status, waitingFor, held, code }: SubagentSnapshot, hasLanded: boolean): Standing {
  if (status === "waiting" && waitingFor?.code === "PERSON") return ["needs-you", "Needs you", "amber"];
  if (status === "pending" && waitingFor !== undefined && waitingFor.code !== "DEPENDENCY") return nodeStandings.ready;
  if (held !== undefined && status === "awaiting_review") return ["needs-you", "Needs you", "amber"];
  if (status === "completed" && hasLanded) return ["landed", "Landed", "green"];
  if (status === "failed" && code === "REJECTED") return ["failed", "Rejected", "red"];
  return nodeStandings[status];
}

const runStandings: Readonly<Record<Exclude<RunStatus, "stopped">, Standing>> = {
  created: ["queued", "Queued", "plain"],
  running: ["working", "Working", "green"],
  waiting: ["waiting", "Waiting", "plain"],
  paused: ["waiting", "Paused", "plain"],
  ready: ["needs-you", "Ready to continue", "amber"],
  interrupted: ["needs-you", "Interrupted", "amber"],
  quarantined: ["failed", "Quarantined", "red"],
  imported: ["done", "Imported", "plain"],
};

const stopStandings: Readonly<Record<string, Standing>> = {
  final_answer: ["done", "Done", "green"],
  cancelled: ["stopped", "Stopped", "dim"],
  interrupted: ["stopped", "Stopped, interrupted", "red"],
  failed: ["failed", "Failed", "red"],
  max_steps: ["failed", "Failed, out of steps", "red"],
  budget_exhausted: ["failed", "Failed, budget exhausted", "red"],
  manual_reconciliation: ["failed", "Failed, unreconciled", "red"],
  handoff_blocked: ["failed", "Failed, nothing could run", "red"],
};

/** What `runStatusWords` looks at: a snapshot, a row of the run list, or a summary. A status of a newer version reads as itself. */
export interface RunStanding {
  readonly status: string;
  readonly stopReason: string | null;
  readonly approvals?: readonly unknown[];
}

/** How a run stands. With open approvals a run that goes on says that it needs you. */
export function runStatusWords(
  { status, stopReason, approvals = [] }: RunStanding,
  { unicode = true }: WordOptions = {},
): StatusWords {
  if (status === "stopped")
    return wordsOf(
      stopStandings[stopReason ?? ""] ?? ["stopped", `Stopped, ${stopReason ?? "no reason given"}`, "red"],
      unicode,
    );
  if (status === "waiting" && approvals.length > 0) return wordsOf(["needs-you", "Needs you", "amber"], unicode);
  return wordsOf(isRunStatus(status) ? runStandings[status] : ["waiting", status, "plain"], unicode);
}

const approvalKinds: Readonly<Record<string, string>> = {
  changeset: "Change set",
  command: "Command",
  question: "Question",
  plan: "Plan",
  budget: "More budget",
  effect: "Did it happen?",
  reconcile: "Opposite verdicts",
};

/** What an approval asks for, as a person reads it. */
export function approvalWords(kind: string): string {
  return approvalKinds[kind] ?? kind;
}

interface Asked {
  readonly id: string;
  readonly kind: string;
  /** It is the run's whole branch, which goes back to nobody. */
  readonly isLine?: boolean;
}

/** The commands that decide an approval, one for each way to decide it. `isInConflict`: its executor can only mend that with the target at hand. */
export function decidingCommands({ id, kind, isLine = false }: Asked, isInConflict = false): readonly string[] {
  if (kind === "question") return [`coppice answer ${id} TEXT`];
  if (kind === "effect") return ["applied", "not_applied", "unknown"].map((value) => `coppice answer ${id} ${value}`);
  if (kind === "reconcile")
    return [...["mine", "theirs", "SUBAGENT"].map((value) => `coppice answer ${id} ${value}`), `coppice reject ${id}`];
  if (kind === "budget") return [`coppice approve ${id}`, `coppice answer ${id} AMOUNT`, `coppice reject ${id}`];
  const withTarget = isInConflict && kind === "changeset" ? " --with-target" : "";
  const back =
    (kind === "changeset" && !isLine) || kind === "plan" ? [`coppice send-back ${id} --comment TEXT${withTarget}`] : [];
  return [`coppice approve ${id}`, ...back, `coppice reject ${id}`];
}

/** The landing of an agent's change set, if it has one. */
export function landingOf(snapshot: RunSnapshot, agent: string): RunSnapshot["landed"][number] | undefined {
  return snapshot.landed.find(({ changeset }) => changeset.startsWith(`${agent}.`));
}

function isRunStatus(status: string): status is Exclude<RunStatus, "stopped"> {
  return Object.hasOwn(runStandings, status);
}

function wordsOf([glyph, word, tone]: Standing, unicode: boolean): StatusWords {
  return { glyph: signsOf(unicode).glyphs[glyph], word, tone };
}
