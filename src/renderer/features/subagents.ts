// What every view says of an agent: how it stands, why, and its figures. Pure; the words are the glossary's.
// Lies beside the features because graph, tree and timeline say the same.

import type { AgentId, SubagentId } from "../../shared/contract/ids.ts";
import type { LandingSnapshot, NodeStatus, RunSnapshot, SubagentSnapshot } from "../../shared/contract/snapshots.ts";
import type { Shape } from "../ui/Mark.tsx";
import { countOf, formatCount, formatDuration, formatMoney } from "../ui/formats.ts";

/** What is said of a subagent and does not stand in its own snapshot. Every value is a text, so that it can be compared. */
export interface Account {
  readonly shape: Shape;
  readonly word: string;
  /** What it waits for, does, came to, or why it failed. Empty when there is nothing to say. */
  readonly says: string;
  /** Ordinal of the subagent that replaces it; 0 for none. */
  readonly replacedBy: number;
}

/** Lookups over one snapshot; made once for each. */
export interface RunView {
  readonly byId: ReadonlyMap<string, SubagentSnapshot>;
  readonly accounts: ReadonlyMap<string, Account>;
}

const standings: Readonly<Record<NodeStatus, readonly [Shape, string]>> = {
  pending: ["waiting", "Waiting"],
  ready: ["queued", "Queued"],
  running: ["working", "Working"],
  waiting: ["waiting", "Waiting"],
  submitting: ["working", "Working"],
  awaiting_review: ["ready", "Ready to review"],
  landing: ["landing", "Landing"],
  completed: ["done", "Done"],
  failed: ["failed", "Failed"],
  cancelled: ["stopped", "Stopped"],
};

/** `3` of `subagent-3`; `0` for the lead. */
export function ordinalOf(agent: AgentId): number {
  return agent === "lead" ? 0 : Number(agent.slice("subagent-".length));
}

/** Whether it will not go on by itself any more. */
export function hasEnded({ status }: SubagentSnapshot): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

const views = new WeakMap<RunSnapshot, RunView>();

/** What every part of the screen says of a run's subagents; made once for each snapshot. */
export function viewRun(snapshot: RunSnapshot): RunView {
  const known = views.get(snapshot);
  if (known !== undefined) return known;
  const view = makeView(snapshot);
  views.set(snapshot, view);
  return view;
}

function makeView({ status, subagents, approvals, landed }: RunSnapshot): RunView {
  const byId = new Map<string, SubagentSnapshot>(subagents.map((subagent) => [subagent.id, subagent]));
  const asks = new Map<string, string>(approvals.map(({ agent, summary }) => [agent, summary]));
  const landings = new Map<string, LandingSnapshot>(landed.map((landing) => [landing.agent, landing]));
  const replacedBy = new Map<string, number>(
    subagents.flatMap(({ id, replaces }) => (replaces === undefined ? [] : [[replaces, ordinalOf(id)] as const])),
  );
  const accounts = new Map<string, Account>(
    subagents.map((subagent) => {
      const ask = asks.get(subagent.id);
      const landing = landings.get(subagent.id);
      const [shape, word] = standingOf(subagent, ask !== undefined, landing !== undefined, status === "interrupted");
      const says = sayOf(subagent, byId, ask, landing);
      return [subagent.id, { shape, word, says, replacedBy: replacedBy.get(subagent.id) ?? 0 }] as const;
    }),
  );
  return { byId, accounts };
}

function standingOf(
  { status, code }: SubagentSnapshot,
  isAsking: boolean,
  hasLanded: boolean,
  isInterrupted: boolean,
): readonly [Shape, string] {
  if (status === "waiting" && isAsking) return ["needs-you", "Needs you"];
  if (status === "completed" && hasLanded) return ["landed", "Landed"];
  if (status === "failed" && code === "REJECTED") return ["rejected", "Rejected"];
  // Nobody drives the run: what was under way stands still.
  if (isInterrupted && standings[status][0] === "working") return ["waiting", "Interrupted"];
  return standings[status];
}

function sayOf(
  subagent: SubagentSnapshot,
  byId: ReadonlyMap<string, SubagentSnapshot>,
  ask: string | undefined,
  landing: LandingSnapshot | undefined,
): string {
  const { status, held, waitingFor, headline, activity } = subagent;
  if (held !== undefined) return held.sentence;
  if (landing !== undefined && status === "completed")
    return `${landing.commit.slice(0, 7)} on ${landing.target}, ${countOf(landing.files.length, "file")}`;
  if (ask !== undefined && !hasEnded(subagent)) return ask;
  if (waitingFor !== undefined) return waitingFor.sentence.replace(/\.$/, "");
  if (status === "cancelled" || status === "failed") return fallenDependency(subagent, byId) ?? endOf(subagent);
  return status === "completed" ? (headline ?? activity) : activity;
}

/** The code by which others group it, and what it means here. */
function endOf({ code, sentence, activity }: SubagentSnapshot): string {
  if (code === undefined) return sentence ?? activity;
  return sentence === undefined ? code : `${code}: ${sentence.replace(/\.$/, "")}`;
}

/** Why it never started, when that is because something before it did not complete. */
function fallenDependency(
  { dependsOn, startedAt }: SubagentSnapshot,
  byId: ReadonlyMap<string, SubagentSnapshot>,
): string | undefined {
  const fallen = startedAt === null ? dependsOn.find(({ id }) => hasFallen(byId.get(id))) : undefined;
  return fallen && `${fallen.id} did not complete`;
}

export function hasFallen(subagent: SubagentSnapshot | undefined): boolean {
  return subagent?.status === "failed" || subagent?.status === "cancelled";
}

/** How long it has been at work, or queued. `now` in epoch ms. */
export function describeTime({ createdAt, startedAt, endedAt }: SubagentSnapshot, now: number): string {
  if (startedAt !== null) return formatDuration((endedAt ?? Math.max(now, startedAt)) - startedAt);
  return endedAt === null ? `queued ${formatDuration(Math.max(0, now - createdAt))}` : "never started";
}

/** `64 k` and `$0.09`; a cost without a known price is not given. */
export function describeUsage({ inputTokens, outputTokens, costMicros }: SubagentSnapshot): readonly string[] {
  const tokens = inputTokens + outputTokens;
  return [formatCount(tokens), ...(costMicros === null ? [] : [formatMoney(costMicros / 1_000_000)])];
}

/** What the lead itself has used: the run's figures less its subagents'. `–`: not known, since theirs are estimates that exceed what was told. */
export function describeLeadUsage({ usage, costUsd, subagents }: RunSnapshot): readonly string[] {
  const tokens = subagents.reduce(
    (rest, { inputTokens, outputTokens }) => rest - inputTokens - outputTokens,
    usage.inputTokens + usage.outputTokens,
  );
  const spent = subagents.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0) / 1_000_000;
  return [
    tokens < 0 ? "–" : formatCount(tokens),
    ...(costUsd === null ? [] : [formatMoney(Math.max(0, costUsd - spent))]),
  ];
}

/** How the lead stands: what it waits for stands beside it, so the word stays short. */
export function describeLead({
  status,
  lead,
  stopReason,
  stopFailure,
  approvals,
}: RunSnapshot): Pick<Account, "shape" | "word" | "says"> {
  if (status === "stopped" || status === "imported") {
    const isAnswered = stopReason === "final_answer" || stopReason === null;
    return isAnswered
      ? { shape: "done", word: "Done", says: "" }
      : {
          shape: stopReason === "cancelled" ? "stopped" : "failed",
          word: stopReason === "cancelled" ? "Stopped" : "Failed",
          says: stopFailure === undefined ? wordOf(stopReason) : `${stopFailure.code}: ${stopFailure.sentence}`,
        };
  }
  if (lead.waitingFor?.code === "PERSON")
    return { shape: "needs-you", word: "Needs you", says: lead.waitingFor.sentence };
  if (lead.waitingFor !== undefined) return { shape: "waiting", word: shorten(lead.waitingFor.sentence), says: "" };
  if (status === "running") return { shape: "working", word: "Working", says: lead.activity };
  if (status !== "waiting" || approvals.length === 0) return { shape: "waiting", word: "Waiting", says: lead.activity };
  // It has said all that it can: what is open is not its own.
  const isReview = approvals.every(({ kind }) => kind === "changeset");
  return { shape: "waiting", word: isReview ? "Waits for a review" : "Waits for a decision", says: "" };
}

/** What the word beside it does not say. */
function wordOf(stopReason: string): string {
  return stopReason === "failed" || stopReason === "cancelled" ? "" : stopReason.replaceAll("_", " ");
}

/** `Waits for subagent-7, subagent-8` is `Waits for subagent-7, -8`. */
export function shorten(sentence: string): string {
  return sentence.replace(/\.$/, "").replace(/(?<=, (?:or |and )?)subagent(?=-\d)/g, "");
}

export function isSubagent(agent: AgentId): agent is SubagentId {
  return agent !== "lead";
}

/** The most of them that were between their start and their end at one moment. `now`, epoch ms: until when those go on that have not ended. */
export function widthOf(subagents: readonly Pick<SubagentSnapshot, "startedAt" | "endedAt">[], now: number): number {
  const spans = subagents.flatMap(({ startedAt, endedAt }) =>
    startedAt === null ? [] : [[startedAt, endedAt ?? now] as const],
  );
  return Math.max(
    0,
    ...spans.map(([at]) => spans.filter(([from, to]) => from <= at && at < Math.max(to, from + 1)).length),
  );
}
