// What is handed to the thread that does long work on the data folder, and what comes back. Everything survives a
// structured clone: failures are data.

import type { RunId } from "../../shared/contract/ids.ts";
import type { Progress } from "../../shared/contract/progress.ts";
import type { Failure } from "../../shared/lib/result.ts";
import type { ArchivedRun } from "../engine/ports/store.ts";
import type { BackupFacts } from "../store/backup.ts";
import type { CheckResult } from "../store/check.ts";
import type { WrittenArchive } from "./writeArchive.ts";

/** `folder` is the data folder; times are epoch ms. */
export interface CareTasks {
  readonly export: {
    readonly folder: string;
    readonly run: RunId;
    readonly title: string;
    readonly file: string;
    readonly app: string;
    readonly at: number;
    /** A git bundle that goes along; `null`: none. */
    readonly bundle: string | null;
  };
  readonly readArchive: { readonly file: string };
  /** The bundle of an archive, to be written to `to`; `false`: it has none. */
  readonly extractBundle: { readonly file: string; readonly to: string };
  readonly backup: { readonly folder: string; readonly at: number };
  readonly check: { readonly folder: string };
}

export interface CareResults {
  readonly export: WrittenArchive;
  readonly readArchive: ArchivedRun;
  readonly extractBundle: boolean;
  readonly backup: BackupFacts;
  readonly check: readonly CheckResult[];
}

export type CareKind = keyof CareTasks;
export type CareTask = { [K in CareKind]: { readonly kind: K } & CareTasks[K] }[CareKind];

/** What it posts before it answers. */
export interface CareStep {
  readonly kind: "progress";
  readonly progress: Progress;
}

export type CareReply =
  | { readonly kind: "done"; readonly value: CareResults[CareKind] }
  | { readonly kind: "failed"; readonly failure: Failure };
