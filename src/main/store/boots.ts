// The register of processes that opened the journal: who they are, and how they ended. Leases name their owners by it.

import { randomUUID } from "node:crypto";

import type { BootId } from "../../shared/contract/ids.ts";
import { isUnread, StoreError, unreadFailure } from "./failure.ts";
import type { Connection } from "./openDatabase.ts";
import { isGone } from "./processIdentity.ts";
import type { ProcessIdentity } from "./processIdentity.ts";

interface BootRow extends ProcessIdentity {
  readonly boot: BootId;
}

const openBoots = "SELECT boot, pid, started, host FROM boots WHERE ended_at IS NULL";

/** Enters this process and marks the ends of those that are gone. */
export function registerBoot(db: Connection, here: ProcessIdentity): BootId {
  const boot = randomUUID() as BootId;
  const open = db.prepare<[], BootRow>(openBoots);
  const end = db.prepare<[number, BootId]>("UPDATE boots SET ended_at = ?, is_clean = 0 WHERE boot = ?");
  const enter = db.prepare<[BootId, number, string, string, number]>(
    "INSERT INTO boots (boot, pid, started, host, at) VALUES (?, ?, ?, ?, ?)",
  );
  const release = db.prepare(
    `UPDATE leases SET owner = NULL WHERE owner IN (SELECT boot FROM boots WHERE ended_at IS NOT NULL)
     AND run IN (SELECT run FROM runs WHERE root IN (SELECT run FROM runs WHERE kind = 'root' AND status = 'stopped'))`,
  );
  const dead = open.all().filter((row) => isGone(row, here));
  db.transaction(() => {
    for (const row of dead) end.run(Date.now(), row.boot);
    // A run that has stopped needs nobody any more: what a process died before giving back is given back here.
    if (dead.length > 0) release.run();
    enter.run(boot, here.pid, here.started, here.host, Date.now());
  }).immediate();
  return boot;
}

/** After an unclean end the file is checked before anything is written to it. `db` is only read. Throws `STORE_CORRUPT` when it is damaged, `STORE_UNAVAILABLE` where the system could not read it. */
export function requireSound(db: Connection, here: ProcessIdentity): void {
  const isThere = db.prepare<[], number>("SELECT 1 FROM sqlite_schema WHERE name = 'boots'").pluck().get();
  const open = isThere === undefined ? [] : db.prepare<[], BootRow>(openBoots).all();
  if (!open.some((row) => isGone(row, here))) return;
  const answer = db.prepare<[], string>("PRAGMA quick_check(1)").pluck().get();
  if (answer === "ok") return;
  if (answer !== undefined && isUnread(answer)) throw new StoreError(unreadFailure(answer));
  throw new StoreError({
    code: "STORE_CORRUPT",
    message: `The journal is damaged (${answer ?? "no answer"}). Nothing was changed: coppice backup --restore puts the newest backup in its place and keeps what is there.`,
  });
}

/** Notes a clean end and gives up every lease that is left. */
export function endBoot(db: Connection, boot: BootId): void {
  db.transaction(() => {
    db.prepare<[BootId]>("UPDATE leases SET owner = NULL WHERE owner = ?").run(boot);
    db.prepare<[number, BootId]>("UPDATE boots SET ended_at = ?, is_clean = 1 WHERE boot = ?").run(Date.now(), boot);
  }).immediate();
}
