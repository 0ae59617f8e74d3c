// Runs to draw: a story of ten subagents, a large one, a run of one, an empty one. For tests and pictures; never shipped.

import type { ApprovalId, ChangeSetId, LandingId, RunId, SubagentId } from "../../../shared/contract/ids.ts";
import { subagentId } from "../../../shared/contract/ids.ts";
import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import type { Balances } from "../../../shared/contract/options.ts";

/** 13:54:08, the beginning of the story, in local time. */
export const storyStart = new Date(2026, 10, 30, 13, 54, 8).getTime();
/** Seconds into the story → epoch ms. */
export const storyAt = (seconds: number): number => storyStart + seconds * 1_000;
/** The moment the story has reached. */
export const storyNow = storyAt(1_544);

/** A subagent that explores and has been created at `createdAt`, except where `more` says otherwise. */
export function subagentFixture(ordinal: number, more: Partial<SubagentSnapshot> = {}): SubagentSnapshot {
  return {
    id: subagentId(ordinal),
    role: "explorer",
    title: `Look at part ${ordinal}`,
    status: "running",
    model: "kimi-k2",
    dependsOn: [],
    verification: "skipped",
    steps: 4,
    maxSteps: 40,
    inputTokens: 48_000,
    outputTokens: 4_000,
    costMicros: 70_000,
    createdAt: storyAt(ordinal),
    startedAt: storyAt(ordinal),
    endedAt: null,
    activity: "searchText “charge(”",
    ...more,
  };
}

const limits: Balances = { steps: 400, toolCalls: 2_000, inputTokens: null, outputTokens: null, costMicros: 6_000_000 };
const none: Balances<number> = { steps: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

export function snapshotFixture(subagents: readonly SubagentSnapshot[], more: Partial<RunSnapshot> = {}): RunSnapshot {
  return {
    run: "story" as RunId,
    at: 2_310,
    status: "running",
    title: "Payments are sometimes charged twice",
    task: "Payments are sometimes charged twice",
    repo: "/home/you/checkout-service",
    base: { commit: "4f1c9ab", branch: "main" },
    target: "main",
    line: "a91c03e",
    createdAt: storyStart,
    updatedAt: storyNow,
    stopReason: null,
    answer: null,
    partial: false,
    lead: { activity: "1 spawn refused: CHAIN_TOO_LONG", steps: 22, model: "glm-4.6" },
    subagents,
    approvals: [],
    landed: [],
    budget: { limit: limits, used: none, reserved: none },
    usage: { inputTokens: 1_150_000, outputTokens: 61_000, cachedTokens: 400_000, requests: 210 },
    costUsd: 1.84,
    ...more,
  };
}

export const emptyRun: RunSnapshot = snapshotFixture([], {
  lead: { activity: "Thinking", steps: 1, model: "glm-4.6" },
  usage: { inputTokens: 4_200, outputTokens: 310, cachedTokens: 0, requests: 1 },
  costUsd: 0.01,
});

export const singleRun: RunSnapshot = snapshotFixture([
  subagentFixture(1, { title: "Find where payment callbacks enter" }),
]);

const on = (...ids: number[]) => ids.map((id) => ({ id: subagentId(id), until: "completed" as const }));
type Row = readonly [number, string, string, number, number | null, number | null, Partial<SubagentSnapshot>];

/** Ordinal, role, title, created, started, ended (seconds), and the rest. */
const storyRows: readonly Row[] = [
  [
    1,
    "explorer",
    "Find where payment callbacks enter",
    30,
    31,
    224,
    { status: "completed", activity: "No dedupe, payments.ts:41", inputTokens: 64_000, costMicros: 90_000 },
  ],
  [
    2,
    "explorer",
    "Map the payment state machine",
    31,
    32,
    271,
    { status: "completed", activity: "Two callers may enter CHARGING", inputTokens: 77_000, costMicros: 120_000 },
  ],
  [
    3,
    "explorer",
    "Compare the provider’s logs with our ledger",
    32,
    33,
    397,
    { status: "failed", code: "LOOPING: same search, 3 times", inputTokens: 138_000, costMicros: 170_000 },
  ],
  [
    4,
    "planner",
    "Plan refunds for those charged twice",
    38,
    null,
    397,
    {
      status: "cancelled",
      code: "DEPENDENCY_NOT_COMPLETED",
      dependsOn: on(3),
      inputTokens: 0,
      outputTokens: 0,
      costMicros: 0,
    },
  ],
  [
    5,
    "executor",
    "Pin the bug with a failing test",
    240,
    240,
    1_139,
    { status: "completed", dependsOn: on(1), model: "glm-4.6", inputTokens: 127_000, costMicros: 210_000 },
  ],
  [
    6,
    "executor",
    "Add an idempotency key to charge()",
    303,
    303,
    null,
    { status: "awaiting_review", dependsOn: on(1, 2), model: "glm-4.6", inputTokens: 264_000, costMicros: 430_000 },
  ],
  [
    7,
    "executor",
    "Migrate: unique index on payments",
    315,
    315,
    null,
    {
      status: "waiting",
      dependsOn: on(2),
      model: "glm-4.6",
      inputTokens: 210_000,
      costMicros: 340_000,
      waitingFor: { code: "PERSON", sentence: "Asks: Run npm run db:migrate?" },
    },
  ],
  [
    8,
    "reviewer",
    "Check the key against every callback path",
    1_375,
    1_375,
    null,
    {
      dependsOn: [{ id: subagentId(6), until: "proposed" }],
      model: "glm-4.6",
      activity: "exploreCode chargeWithRetry",
      inputTokens: 67_000,
      costMicros: 100_000,
    },
  ],
  [
    9,
    "executor",
    "Guard refund() with the same key",
    1_380,
    null,
    null,
    {
      status: "pending",
      dependsOn: on(6),
      model: "glm-4.6",
      waitingFor: { code: "DEPENDENCY", sentence: "Waits for subagent-6." },
      inputTokens: 0,
      outputTokens: 0,
      costMicros: 0,
    },
  ],
  [
    10,
    "explorer",
    "Compare logs and ledger, 1 to 14 November",
    1_386,
    1_386,
    null,
    { replaces: subagentId(3), activity: "searchText “duplicate”", inputTokens: 48_000, costMicros: 70_000 },
  ],
];

/** A run like the one of the product's pictures. */
export const storyRun: RunSnapshot = snapshotFixture(
  storyRows.map(([ordinal, role, title, created, started, ended, more]) =>
    subagentFixture(ordinal, {
      role,
      title,
      createdAt: storyAt(created),
      startedAt: started === null ? null : storyAt(started),
      endedAt: ended === null ? null : storyAt(ended),
      ...more,
    }),
  ),
  {
    lead: {
      activity: "1 spawn refused: CHAIN_TOO_LONG",
      waitingFor: { code: "SUBAGENTS", sentence: "Waits for subagent-7, subagent-8, subagent-10" },
      steps: 22,
      model: "glm-4.6",
    },
    approvals: [
      {
        id: "a1" as ApprovalId,
        kind: "changeset",
        agent: subagentId(6),
        summary: "9 hunks, 6 files, checks passed",
        since: storyAt(1_353),
        changeset: "subagent-6.1" as ChangeSetId,
      },
      {
        id: "a2" as ApprovalId,
        kind: "command",
        agent: subagentId(7),
        summary: "Run npm run db:migrate?",
        since: storyAt(1_489),
      },
    ],
    landed: [
      {
        landing: "l1" as LandingId,
        changeset: "subagent-5.1" as ChangeSetId,
        agent: subagentId(5),
        target: "main",
        commit: "a91c03e77",
        files: ["test/callback.test.ts"],
      },
    ],
  },
);

const verbs = ["Map", "Check", "Compare", "Migrate", "Guard", "Document", "Measure", "Review"];
const things = [
  "the callback path",
  "the ledger export",
  "retries of charge()",
  "the settlement report",
  "the refund flow",
  "the currency table",
  "the webhook payloads",
];
const roles = ["explorer", "executor", "explorer", "reviewer", "executor", "verifier", "planner"];

/** `count` subagents created in bursts of up to 28, of which the last burst is at work. Deterministic. */
export function largeRun(count: number): RunSnapshot {
  const subagents = Array.from({ length: count }, (_, index): SubagentSnapshot => {
    const ordinal = index + 1;
    const burst = Math.floor(index / 28);
    const createdAt = storyAt(burst * 300 + (index % 28));
    const isLast = burst === Math.floor((count - 1) / 28);
    const parent = burst > 0 && index % 3 !== 2 ? [(burst - 1) * 28 + ((index * 7) % 28) + 1] : [];
    const isFallen = index % 17 === 11;
    const ended = {
      status: isFallen ? ("failed" as const) : ("completed" as const),
      endedAt: createdAt + 150_000 + ((index * 37) % 80) * 1_000,
    };
    const queued = {
      status: "ready" as const,
      startedAt: null,
      waitingFor: { code: "SLOT", sentence: "Waits for a slot" },
      inputTokens: 0,
      outputTokens: 0,
    };
    return subagentFixture(ordinal, {
      title: `${verbs[index % verbs.length]} ${things[(index * 3) % things.length]}`,
      role: roles[index % roles.length] ?? "explorer",
      createdAt,
      startedAt: createdAt + 1_000,
      dependsOn: on(...parent),
      inputTokens: 20_000 + ((index * 7919) % 200_000),
      costMicros: 20_000 + ((index * 104_729) % 300_000),
      ...(isLast
        ? index % 28 > 9
          ? queued
          : {}
        : { ...ended, activity: "Submitted its result", ...(isFallen ? { code: "STALLED" } : {}) }),
    });
  });
  return snapshotFixture(subagents, {
    updatedAt: storyAt(Math.ceil(count / 28) * 300 + 60),
    costUsd: 42.42,
    usage: { inputTokens: count * 150_000, outputTokens: 800_000, cachedTokens: 4_000_000, requests: count * 9 },
  });
}

/** The same snapshot with one subagent changed; every other object is the same one. */
export function withSubagent(snapshot: RunSnapshot, id: SubagentId, more: Partial<SubagentSnapshot>): RunSnapshot {
  const subagents = snapshot.subagents.map((subagent) => (subagent.id === id ? { ...subagent, ...more } : subagent));
  return { ...snapshot, at: snapshot.at + 1, subagents };
}
