// What can be read about a run beside its snapshots, or of the application as a whole (care.ts), page by page: `page/read` answers each kind with its body.
// Every body is at most 200 KiB of JSON; what does not fit is on the next page, or clipped with a note.

import type { HunkAmendment } from "./amendments.ts";
import type { AgentId, ApprovalId, ChangeSetId, LandingId, RunId, SubagentId } from "./ids.ts";
import type { CareBodies, CareQueries, CareRequest } from "./care.ts";
import type { Balances } from "./options.ts";
import type { RunPageBodies, RunPageQueries } from "./runPages.ts";
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

export interface PageQueries extends CareQueries, RunPageQueries {
  readonly timeline: AsOf & Slice;
  readonly transcript: AsOf & Slice & { readonly agent: AgentId };
  readonly snapshot: { readonly run: RunId; readonly at: number };
  /** What a fork at this moment would begin with. */
  readonly forkPoint: { readonly run: RunId; readonly at: number };
  readonly moments: { readonly run: RunId };
  readonly packet: AsOf & { readonly agent: AgentId };
  readonly result: AsOf & { readonly agent: AgentId };
  /** The cursor counts files. */
  readonly changes: AsOf & Slice & { readonly changeset: ChangeSetId };
  /** The cursor counts rows. */
  readonly patch: Slice & ChangedPath;
  /** The file as it is proposed, or as it was when it is deleted. The cursor counts lines. */
  readonly fileLines: Slice & ChangedPath;
  /** As they are with what is accepted of this file; absent: all of it, as it was proposed. */
  readonly conflicts: ChangedPath & { readonly accepted?: AcceptedLines };
}

/** Hunks of one file by their numbers, and those among them that land otherwise than proposed. */
export type AcceptedLines = { readonly hunks: readonly number[]; readonly amendments: readonly HunkAmendment[] };

interface ChangedPath {
  readonly run: RunId;
  readonly changeset: ChangeSetId;
  readonly path: string;
}

export interface PageBodies extends CareBodies, RunPageBodies {
  readonly timeline: Page<TimelineItem>;
  readonly transcript: Page<TranscriptItem>;
  readonly snapshot: RunSnapshot;
  readonly forkPoint: ForkPoint;
  readonly moments: Moments;
  readonly packet: PacketPage;
  readonly result: ResultPage;
  readonly changes: ChangesPage;
  readonly patch: PatchPage;
  readonly fileLines: FileLinesPage;
  readonly conflicts: ConflictsPage;
}

export type PageKind = keyof PageBodies;
export type PageRequest<K extends PageKind = PageKind> = {
  [Kind in K]: { readonly kind: Kind } & PageQueries[Kind];
}[K];
export type PageBody = PageBodies[PageKind];
/** A page about one run. */
export type RunPageRequest = Exclude<PageRequest, CareRequest>;

/** A moment of a run as somebody who may fork there sees it. */
export interface ForkPoint {
  readonly at: number;
  /** The commit that the run stood at. */
  readonly line: string;
  /** The branch that the fork would land on, where it gets none of its own, where that stands, and how many commits it has beyond `line`. */
  readonly target: { readonly branch: string; readonly tip: string; readonly aheadCount: number } | null;
  /** Subagents that the fork would show as cancelled. */
  readonly unfinished: readonly string[];
}

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
  /** How the policy's conditions were judged at its spawn; empty under a policy that has none. */
  readonly verdicts: readonly VerdictItem[];
  /** What its dependencies gave, in merging order; as the packet shows it. */
  readonly gave: readonly {
    readonly id: SubagentId;
    readonly until: "completed" | "proposed";
    readonly resultJson: string;
  }[];
}

/** A condition under which a subagent may run beside others. `met` of a veto means that it applies. */
export interface VerdictItem {
  readonly condition: string;
  readonly kind: "need" | "veto";
  readonly verdict: "met" | "not_met" | "unknown";
  readonly evidence: string;
  readonly by: "lead" | "system";
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
  readonly asks?: AskingMark;
}

/** What keeps a file from landing unasked. `CONFLICT_MARKS`: a conflict that was to be resolved in it still stands there, marked. */
export const askingMarks = ["PROTECTED_PATH", "OUTSIDE_PATHS", "CONFLICT_MARKS"] as const;
export type AskingMark = (typeof askingMarks)[number];

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
  /** It is all that the run has landed on its branch, and goes back to nobody. */
  readonly isLine: boolean;
  readonly status: string;
  readonly base: string;
  readonly commit: string;
  readonly target: string;
  readonly approval: ApprovalId | null;
  readonly decision: { readonly decision: string; readonly by: string; readonly comment: string | null } | null;
  readonly selection: ShownSelection | null;
  /** Hunks of it that land otherwise than proposed, without their texts. */
  readonly amended: readonly { readonly path: string; readonly hunk: number; readonly how: "leftOut" | "text" }[];
  readonly message: string | null;
  readonly held: { readonly code: string; readonly sentence: string } | null;
  readonly conflicts: readonly string[];
  /** What stood in the worktree and git cannot hold as files, so that it is not in the change set. */
  readonly leftOut: readonly string[];
  /** What its author says of it. */
  readonly summary: string | null;
  readonly hunkCount: number;
  readonly fileCount: number;
  readonly files: Page<ChangedFile>;
  readonly checks: readonly CheckRun[];
  /** While they run: how many have been run on what is to be proposed or landed. `null`: none is under way, or it cannot be said. */
  readonly checking: { readonly done: number; readonly total: number } | null;
  /** How far the target has moved since the base; `null` where it cannot be said, or the page is of an earlier moment. */
  readonly drift: {
    readonly tip: string;
    readonly aheadCount: number;
    readonly behindCount: number;
    readonly touchingCount: number;
    readonly paths: readonly string[];
    /** The newest of those that touch these files, with the files that they touch. */
    readonly touching: readonly {
      readonly commit: string;
      readonly subject: string;
      readonly paths: readonly string[];
    }[];
    /** What a trial merge of the whole change set onto the tip comes to: the files in conflict, none when it is clean; `null` where it was not tried. */
    readonly trial: readonly string[] | null;
  } | null;
  /** Its newest landing, and whether that is being taken back, or has been. */
  readonly landing: {
    readonly landing: LandingId;
    readonly commit: string;
    readonly status: "landed" | "takingBack" | "takenBack";
    /** The commit that took it back. */
    readonly undo: string | null;
    /** The user's hooks that git would have run in the checkout that moved along, and that did not run. */
    readonly hooks: readonly string[];
  } | null;
  /** Other change sets that wait and touch the same files. */
  readonly overlaps: readonly {
    readonly changeset: ChangeSetId;
    readonly agent: AgentId;
    readonly paths: readonly string[];
    /** Where both change the same lines, numbered as in the base: hunk `hunk` of this one meets lines `from` to `to` of the other's. `null` where they have different bases. */
    readonly places:
      | readonly { readonly path: string; readonly hunk: number; readonly from: number; readonly to: number }[]
      | null;
  }[];
}

/** A line of a file's diff. `noNewline` remarks that the line before it has no line end. */
export interface DiffRow {
  readonly kind: "context" | "added" | "removed" | "noNewline";
  readonly oldLine: number | null;
  readonly newLine: number | null;
  readonly text: string;
  readonly hunk: number;
  /** Characters of the line that are not in `text`, which is its beginning. */
  readonly cut?: number;
  /** On the first row of a hunk: the line of the file that it stands below, such as a function's first, as git names it. */
  readonly within?: string;
}

export interface PatchPage extends Page<DiffRow> {
  readonly rowCount: number;
  /** There are no lines to show: `binary` content, or nothing but a `mode` or name (`empty`); `tooLong`: the change set's patch is longer than can be read. */
  readonly withoutLines: "binary" | "empty" | "tooLong" | null;
  /** Six octal digits of git's: file, program, link or submodule. `null` on the side where there is nothing. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
}

/** Lines without their ends. `lineCount` is of the part that can be read. */
export interface FileLinesPage extends Page<string> {
  readonly lineCount: number;
}

/** One place where a change set and its target changed the same lines otherwise. Lines without their ends. */
export interface ConflictRegion {
  /** Where it begins in the merged file, were the target's lines taken at the places before it. */
  readonly line: number;
  /** A few merged lines around it. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly base: readonly string[];
  readonly target: readonly string[];
  readonly proposed: readonly string[];
  /** Not all of its lines are here, or not whole. */
  readonly isCut: boolean;
  /** Whether the last line of either side has a line end. */
  readonly endsWithLine: boolean;
}

/**
 * Where a file of a change set conflicts with the target's tip. `whole`: it cannot be told by lines (deleted on one side, binary,
 * a link). `target` and `proposed` are the blobs that meet, which a resolution names; `null` where there is no file.
 */
export interface ConflictsPage {
  readonly path: string;
  readonly tip: string;
  readonly kind: "lines" | "whole" | "none";
  readonly target: string | null;
  readonly proposed: string | null;
  /** Places in all; `regions` has the first 100. */
  readonly regionCount: number;
  readonly regions: readonly ConflictRegion[];
}
