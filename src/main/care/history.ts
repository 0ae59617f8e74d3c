// What can be done with the store as a whole and with a run as a file: export, import, backup. Each is long work in a
// thread of its own; what it writes is there whole or not at all.

import { resolve } from "node:path";

import type { RunId } from "../../shared/contract/ids.ts";
import { fail, type Result } from "../../shared/lib/result.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { RunRow, StorePort } from "../engine/ports/store.ts";
import { type BackupFacts, listBackups } from "../store/backup.ts";
import { appVersion } from "../version.ts";
import { runCare } from "./careThread.ts";
import type { WrittenArchive } from "./writeArchive.ts";

export interface HistoryParts {
  /** The data folder. */
  readonly home: string;
  readonly store: StorePort;
  readonly clock: Clock;
}

const dayMs = 24 * 60 * 60_000;

export class History {
  readonly #parts: HistoryParts;
  #backup: Promise<Result<BackupFacts>> | null = null;
  #problem: string | null = null;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
  }

  /** Writes a run into a `.coppice` file, as it stands now. Secrets that slipped into it stay out. Codes `JOURNAL_DAMAGED`, `ARCHIVE_UNWRITABLE`, `CARE_FAILED`. */
  async exportRun(row: RunRow, file: string): Promise<Result<WrittenArchive>> {
    const { home, store, clock } = this.#parts;
    const { run, title } = row;
    const [damage] = await store.verifyRun(run);
    if (damage !== undefined)
      return fail({
        code: "JOURNAL_DAMAGED",
        message: `The journal of ${run} is damaged, so it is not exported: ${damage}`,
      });
    return runCare("export", { folder: home, run, title, file: resolve(file), app: appVersion(), at: clock.now() });
  }

  /** Brings a run in from a `.coppice` file. It can be looked at and replayed, and is never driven. Codes: those of `readArchive`, and of `StorePort.importRun`. */
  async importRun(file: string): Promise<Result<RunId>> {
    const read = await runCare("readArchive", { file: resolve(file) });
    return read.ok ? this.#parts.store.importRun(read.value) : read;
  }

  /** Those that are whole, newest first. */
  backups(): readonly BackupFacts[] {
    return listBackups(this.#parts.home);
  }

  /** Backs the store up; asked for again meanwhile, it is the same backup. Codes `STORE_CORRUPT`, `STORE_UNAVAILABLE`, `CARE_FAILED`. */
  backUp(): Promise<Result<BackupFacts>> {
    const { home, clock } = this.#parts;
    this.#backup ??= runCare("backup", { folder: home, at: clock.now() })
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
