// What can be done with the store as a whole and with a run as a file: export, import, backup. Each is long work in a
// thread of its own; what it writes is there whole or not at all.

import { join, resolve } from "node:path";

import type { RunId } from "../../shared/contract/ids.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import { fold } from "../domain/evolve.ts";
import { rootBaseOf, type RunState } from "../domain/state.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { GitPort } from "../engine/ports/git.ts";
import type { RunRow, StorePort } from "../engine/ports/store.ts";
import { proveRun } from "../runs/proveRun.ts";
import { type BackupFacts, listBackups } from "../store/backup.ts";
import { withTemporaryFolder } from "../git/scratch.ts";
import { appVersion } from "../version.ts";
import { bundleName } from "./archiveFormat.ts";
import { runCare } from "./careThread.ts";
import type { ProgressBoard } from "./progressBoard.ts";
import type { WrittenArchive } from "./writeArchive.ts";

export interface HistoryParts {
  /** The data folder. */
  readonly home: string;
  readonly store: StorePort;
  readonly clock: Clock;
  readonly progress: ProgressBoard;
  readonly git: Pick<GitPort, "openRepository" | "bundleRefs" | "restoreRefs">;
}

/** A run that was written into a file. */
export interface ExportedRun extends WrittenArchive {
  /** Why the file holds no commits, in words that a sentence can go on with; `null`: it holds them. */
  readonly withoutCommits: string | null;
}

/** A run that was brought in, and the hidden refs that its repository has of it; `null`: none was named, or the file holds none. */
export interface ImportedRun {
  readonly run: RunId;
  readonly refs: readonly string[] | null;
}

const dayMs = 24 * 60 * 60_000;
const noCommits = "the run's repository has none of it any more";

export class History {
  readonly #parts: HistoryParts;
  #backup: Promise<Result<BackupFacts>> | null = null;
  #problem: string | null = null;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Writes a run into a `.coppice` file, as it stands now, with its commits where git can pack them: without them it is still a run. Secrets that slipped into its journal stay out. Codes those of `proveRun`, `ARCHIVE_UNWRITABLE`, `CARE_FAILED`. */
  async exportRun(row: RunRow, file: string): Promise<Result<ExportedRun>> {
    const { home, store, clock, progress } = this.#parts;
    const { run, title } = row;
    const proved = await proveRun(store, run, ", so it is not exported");
    if (!proved.ok) return proved;
    const state = fold(await store.readJournal(run));
    return withScratch(home, async (bundle) => {
      const withoutCommits = state === null ? noCommits : await this.#pack(state, bundle);
      const task = { folder: home, run, title, file: resolve(file), app: appVersion(), at: clock.now() };
      const whole = { ...task, bundle: withoutCommits === null ? bundle : null };
      const written = await progress.during("exportRun", (tell) => runCare("export", whole, { tell }));
      return written.ok ? succeed({ ...written.value, withoutCommits }) : written;
    });
  }

  /** Puts the commits of a run into a bundle; the words say why there is none. */
  async #pack(state: RunState, bundle: string): Promise<string | null> {
    try {
      const refs = await this.#parts.git.bundleRefs(state.repo, state.run, rootBaseOf(state), bundle);
      return refs.length === 0 ? noCommits : null;
    } catch (error) {
      return `git could not pack them (${error instanceof Error ? error.message.trim() : String(error)})`;
    }
  }

  /** Brings a run in from a `.coppice` file, and its commits into the repository at `folder`, where one is named. It can be looked at and replayed, and is never driven. Codes: those of `readArchive`, of `extractBundle`, of `StorePort.importRun`, of `openRepository`, and `BUNDLE_UNUSABLE`; with the last two the run is in all the same. */
  async importRun(file: string, folder: string | null = null): Promise<Result<ImportedRun>> {
    const { home, store, git, progress } = this.#parts;
    const read = await progress.during("importRun", (tell) =>
      runCare("readArchive", { file: resolve(file) }, { tell }),
    );
    if (!read.ok) return read;
    return withScratch(home, async (bundle) => {
      // Before anything is stored, so that nothing is of a file whose commits are damaged.
      const taken =
        folder === null ? succeed(false) : await runCare("extractBundle", { file: resolve(file), to: bundle });
      if (!taken.ok) return taken;
      const imported = await store.importRun(read.value);
      if (!imported.ok) return imported;
      const run = imported.value;
      if (folder === null) return succeed({ run, refs: null });
      const opened = await git.openRepository(folder);
      if (!opened.ok) return opened;
      if (!taken.value) return succeed({ run, refs: null });
      const refs = await git.restoreRefs(opened.value.facts, run, bundle);
      return refs.ok ? succeed({ run, refs: refs.value }) : refs;
    });
  }

  /** Those that are whole, newest first. */
  backups(): readonly BackupFacts[] {
    return listBackups(this.#parts.home);
  }

  /** Backs the store up; asked for again meanwhile, it is the same backup. Codes `STORE_CORRUPT`, `STORE_UNAVAILABLE`, `CARE_FAILED`. */
  backUp(): Promise<Result<BackupFacts>> {
    const { home, clock, progress } = this.#parts;
    this.#backup ??= progress
      .during("backUp", (tell) => runCare("backup", { folder: home, at: clock.now() }, { tell }))
      .then((made) => {
        this.#problem = made.ok ? null : made.error.message;
        return made;
      })
      .finally(() => {
        this.#backup = null;
      });
    return this.#backup;
  }

  /** Why the last backup of this process failed; `null` when it did not. */
  problem(): string | null {
    return this.#problem;
  }

  /** Backs the store up when the newest backup is a day old, and a store without one when its first run is. `null`: it is not due. */
  async backUpWhenDue(): Promise<Result<BackupFacts> | null> {
    const [newest] = this.backups();
    const since = newest?.at ?? (await this.#begunAt());
    if (since === null || this.#parts.clock.now() - since < dayMs) return null;
    return this.backUp();
  }

  async #begunAt(): Promise<number | null> {
    const rows = await this.#parts.store.listRuns();
    return rows.length === 0 ? null : Math.min(...rows.map((row) => row.createdAt));
  }
}

/** Lends the name of a file in the data folder that is gone afterwards, at the latest a day after this process died. */
function withScratch<T>(home: string, act: (file: string) => Promise<T>): Promise<T> {
  return withTemporaryFolder(home, "bundle-", (folder) => act(join(folder, bundleName)));
}
