// What can be read about a run beside its snapshots, page by page: `page/read` answers each kind with its body.
// Every body is at most 200 KiB of JSON; what does not fit is on the next page, or clipped with a note.

import type { AgentId, ApprovalId, ChangeSetId, RunId, SubagentId } from "./ids.ts";
import type { Balances } from "./options.ts";
import type { Page, RunSnapshot, TimelineItem, TranscriptItem } from "./snapshots.ts";

/** As of which ordinal a page is read; absent: the newest. Nothing of later ordinals is in it. */
interface AsOf {
  readonly run: RunId;
  readonly upTo?: number;
}

/** `after` is the cursor: `0` at first, then the `next` of the page before. `limit` counts rows, from 1. */
interface Slice {
  readonly after: number;
  readonly limit: number;
}

export interface PageQueries {
  readonly timeline: AsOf & Slice;
  readonly transcript: AsOf & Slice & { readonly agent: AgentId };
  readonly snapshot: { readonly run: RunId; readonly at: number };
  readonly moments: { readonly run: RunId };
  readonly packet: AsOf & { readonly agent: AgentId };
  readonly result: AsOf & { readonly agent: AgentId };
  /** The cursor counts files. */
  readonly changes: AsOf & Slice & { readonly changeset: ChangeSetId };
  /** The cursor counts rows. */
  readonly patch: Slice & { readonly run: RunId; readonly changeset: ChangeSetId; readonly path: string };
}

export interface PageBodies {
  readonly timeline: Page<TimelineItem>;
  readonly transcript: Page<TranscriptItem>;
  readonly snapshot: RunSnapshot;
  readonly moments: Moments;
  readonly packet: PacketPage;
  readonly result: ResultPage;
  readonly changes: ChangesPage;
  readonly patch: PatchPage;
}

export type PageKind = keyof PageBodies;
export type PageRequest<K extends PageKind = PageKind> = {
  [Kind in K]: { readonly kind: Kind } & PageQueries[Kind];
}[K];
export type PageBody = PageBodies[PageKind];

/** Most rows that one page may be asked for. */
export const maxPageRows = 2_000;

/** Most moments that a scrubber is given. */
export const maxMoments = 2_000;

/** What a moment is a mark of; `event` is any other. The order is that of notability: the later one stands for both. */
export const momentKinds = ["event", "message", "spawn", "decision", "approval", "landing", "failure", "stop"] as const;
export type MomentKind = (typeof momentKinds)[number];

/** One stop of the scrubber. `count` events end with it: more than 1 where a long journal was merged. */
export interface Moment {
  readonly n: number;
  readonly at: number;
  readonly kind: MomentKind;
  readonly count: number;
}

export interface Moments {
  /** Events in the journal; the counts of all moments add up to it. */
  readonly total: number;
  readonly moments: readonly Moment[];
}

/** What an agent was given. For the lead: the task, and the run's limits. `resultJson` and `outputSchemaJson` are JSON texts. */
export interface PacketPage {
  readonly agent: AgentId;
  readonly role: string;
  readonly title: string;
  readonly objective: string;
  readonly context: string | null;
  readonly constraints: readonly string[];
  /** Paths that it may edit; `null`: none claimed. */
  readonly paths: readonly string[] | null;
  readonly tools: readonly string[];
  readonly model: string;
  readonly maxSteps: number;
  readonly timeoutMs: number | null;
  readonly budget: Balances;
  readonly criteria: readonly string[];
  readonly step: string | null;
  readonly outputSchemaJson: string | null;
  readonly replaces: SubagentId | null;
  /** Why the lead spawned it, by which policy it was admitted, and what was remarked. */
  readonly reason: string | null;
  readonly policy: string | null;
  readonly warnings: readonly string[];
  /** What its dependencies gave, in merging order; as the packet shows it. */
  readonly gave: readonly {
    readonly id: SubagentId;
    readonly until: "completed" | "proposed";
    readonly resultJson: string;
  }[];
}

export interface EvidenceItem {
  readonly source: string;
  readonly quote?: string;
  readonly line?: number;
  readonly mark: "found" | "not found" | "not checkable";
}

/** What came back, what it rests on, and what the system saw itself. `said` is `null` before a result was handed in. */
export interface ResultPage {
  readonly agent: AgentId;
  readonly status: string;
  readonly code: string | null;
  readonly sentence: string | null;
  readonly said: {
    readonly status: string;
    readonly schema: "ok" | "repaired" | "unstructured";
    readonly answer: string;
    readonly uncertainty: "low" | "medium" | "high" | null;
    readonly followups: readonly string[];
    readonly verdicts: readonly { readonly criterion: string; readonly verdict: string; readonly evidence: string }[];
    readonly dataJson: string | null;
  } | null;
  readonly evidence: readonly EvidenceItem[];
  readonly observed: {
    readonly toolsUsed: readonly string[];
    readonly steps: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costMicros: number | null;
    readonly verification: "passed" | "failed" | "not-run" | "skipped";
    readonly changeset: ChangeSetId | null;
    readonly filesChanged: readonly string[];
    /** How it came to fail, as an excerpt of what it did. */
    readonly diagnostic: string | null;
  };
}

/** Hunks are numbered in each file from 1, as the journal has them; `approve` names them by path and number. */
export interface ChangedFile {
  readonly path: string;
  readonly from?: string;
  readonly change: "added" | "modified" | "deleted" | "renamed" | "mode" | "binary";
  readonly added: number;
  readonly removed: number;
  readonly hunkCount: number;
  /** The first 500. */
  readonly hunks: readonly {
    readonly number: number;
    readonly oldStart: number;
    readonly oldLines: number;
    readonly newStart: number;
    readonly newLines: number;
  }[];
  /** Why it does not land unasked. */
  readonly asks?: "PROTECTED_PATH" | "OUTSIDE_PATHS";
}

/** A check that the system ran. */
export interface CheckRun {
  readonly command: string;
  readonly exitCode: number | null;
  readonly outcome: string;
  readonly durationMs: number;
  /** Beginning and end; how much is between them is said. */
  readonly output: string;
  /** It ran on the very tree that the change set proposes. */
  readonly isOfProposal: boolean;
}

/** Hunk numbers by path, or all. */
export type ShownSelection = "all" | { readonly [path: string]: readonly number[] };

export interface ChangesPage {
  readonly changeset: ChangeSetId;
  readonly agent: AgentId;
  readonly status: string;
  readonly base: string;
  readonly commit: string;
  readonly target: string;
  readonly approval: ApprovalId | null;
  readonly decision: { readonly decision: string; readonly by: string; readonly comment: string | null } | null;
  readonly selection: ShownSelection | null;
  readonly message: string | null;
  readonly held: { readonly code: string; readonly sentence: string } | null;
  readonly conflicts: readonly string[];
  /** What its author says of it. */
  readonly summary: string | null;
  readonly hunkCount: number;
  readonly fileCount: number;
  readonly files: Page<ChangedFile>;
  readonly checks: readonly CheckRun[];
  /** How far the target has moved since the base; `null` where it cannot be said, or the page is of an earlier moment. */
  readonly drift: {
    readonly tip: string;
    readonly aheadCount: number;
    readonly behindCount: number;
    readonly touchingCount: number;
    readonly paths: readonly string[];
  } | null;
  /** Other change sets that wait and touch the same files. */
  readonly overlaps: readonly {
    readonly changeset: ChangeSetId;
    readonly agent: AgentId;
    readonly paths: readonly string[];
  }[];
}

/** A line of a file's diff. `noNewline` remarks that the line before it has no line end. */
export interface DiffRow {
  readonly kind: "context" | "added" | "removed" | "noNewline";
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
  readonly hunk: number;
}

export interface PatchPage extends Page<DiffRow> {
  readonly rowCount: number;
  /** There are no lines to show: `binary` content, or nothing but a `mode` or name (`empty`); `tooLong`: the change set's patch is longer than can be read. */
  readonly withoutLines: "binary" | "empty" | "tooLong" | null;
}
