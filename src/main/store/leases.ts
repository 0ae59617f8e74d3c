// Who drives a run: one lease per stream, with an epoch that only grows. Owners come and go; a row goes only with its
// deleted run, whose id never comes back, so that an epoch can never be used twice. Runs on the store's worker thread.

import { hostname } from "node:os";

import type { BootId, RunId } from "../../shared/contract/ids.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { Failure, Result } from "../../shared/lib/result.ts";
import type { AbandonedRun, Lease, LeaseHolder } from "../engine/ports/store.ts";
import type { Connection } from "./openDatabase.ts";
import { isGone } from "./processIdentity.ts";
import type { ProcessIdentity } from "./processIdentity.ts";

/** A lease that was not renewed for so long may be taken from a holder that nobody can prove gone. */
export const leaseTtlMs = 15_000;

export type AcquireResult = Result<readonly Lease[], Failure & { readonly heldBy?: LeaseHolder }>;

export interface Leases {
  acquire(root: RunId): AcquireResult;
  release(root: RunId): void;
  /** Renews all leases of this boot by one UPDATE. Returns those it still holds. */
  renew(): readonly Lease[];
  holderOf(run: RunId): LeaseHolder | null;
  /** A root run that some process drives now; `null`: none. */
  findDriven(): RunId | null;
  /** Root runs whose owner is gone or silent and has not given them back, oldest first. */
  abandoned(): readonly AbandonedRun[];
}

interface LeaseRow {
  readonly run: RunId;
  readonly epoch: number;
  readonly owner: BootId | null;
  readonly since: number;
  readonly renewedAt: number;
  readonly pid: number;
  readonly started: string;
  readonly host: string;
  readonly endedAt: number | null;
}

const leaseRows = `
  SELECT leases.run, leases.epoch, leases.owner, leases.acquired_at AS since, leases.renewed_at AS renewedAt,
         boots.pid, boots.started, boots.host, boots.ended_at AS endedAt
  FROM leases JOIN runs ON runs.run = leases.run LEFT JOIN boots ON boots.boot = leases.owner`;

function heldElsewhere(root: RunId, holder: LeaseHolder): AcquireResult {
  const place = holder.host === hostname() ? `process ${holder.pid}` : `process ${holder.pid} on ${holder.host}`;
  return fail({
    code: "DRIVEN_ELSEWHERE",
    message: `Run ${root} is driven by ${place}. Wait for it, or end that process and try again.`,
    retryable: true,
    heldBy: holder,
  });
}

/** `boot` must stand in `boots`. `now` is the wall clock in epoch ms, which all processes of the machine share. */
export function createLeases(
  db: Connection,
  boot: BootId,
  here: ProcessIdentity,
  now: () => number = Date.now,
): Leases {
  const streams = db.prepare<[RunId, RunId], LeaseRow>(
    // Children that have ended too: their work places are still let go, and that is written to their streams.
    `${leaseRows} WHERE runs.run = ? OR runs.root = ? ORDER BY runs.rowid`,
  );
  const isImported = db
    .prepare<[RunId], number>("SELECT 1 FROM runs WHERE run = ? AND imported_at IS NOT NULL")
    .pluck();
  const one = db.prepare<[RunId], LeaseRow>(`${leaseRows} WHERE leases.run = ?`);
  const left = db.prepare<[], LeaseRow>(
    `${leaseRows} WHERE runs.run = runs.root AND leases.owner IS NOT NULL ORDER BY runs.rowid`,
  );
  const take = db.prepare<[BootId, number, number, RunId, number]>(
    "UPDATE leases SET owner = ?, epoch = epoch + 1, acquired_at = ?, renewed_at = ? WHERE run = ? AND epoch = ?",
  );
  const clear = db.prepare<[BootId, RunId]>(
    "UPDATE leases SET owner = NULL WHERE owner = ? AND run IN (SELECT run FROM runs WHERE root = ?)",
  );
  const renewAll = db.prepare<[number, BootId], Lease>(
    "UPDATE leases SET renewed_at = ? WHERE owner = ? RETURNING run, epoch",
  );

  const holderOfRow = (row: LeaseRow): LeaseHolder | null => {
    if (row.owner === null || row.endedAt !== null) return null;
    const { owner, pid, host, since, renewedAt } = row;
    if (owner !== boot && (now() - renewedAt > leaseTtlMs || isGone(row, here))) return null;
    return { boot: owner, pid, host, since, renewedAt };
  };

  const acquire = db.transaction((root: RunId): AcquireResult => {
    if (isImported.get(root) !== undefined) {
      return fail({
        code: "RUN_READ_ONLY",
        message: `Run ${root} was imported: it can be looked at, replayed and exported, not driven.`,
      });
    }
    const rows = streams.all(root, root);
    if (!rows.some((row) => row.run === root)) {
      return fail({ code: "RUN_NOT_FOUND", message: `There is no run ${root}. \`coppice runs\` lists them.` });
    }
    for (const row of rows) {
      const holder = holderOfRow(row);
      if (holder !== null && holder.boot !== boot) return heldElsewhere(root, holder);
    }
    const at = now();
    for (const row of rows) take.run(boot, at, at, row.run, row.epoch);
    return succeed(rows.map((row) => ({ run: row.run, epoch: row.epoch + 1 })));
  });
  const release = db.transaction((root: RunId) => void clear.run(boot, root));
  const renew = db.transaction(() => renewAll.all(now(), boot));

  return {
    acquire: (root) => acquire.immediate(root),
    release: (root) => release.immediate(root),
    renew: () => renew.immediate(),
    findDriven: () => left.all().find((row) => holderOfRow(row) !== null)?.run ?? null,
    abandoned: () =>
      left
        .all()
        .filter((row) => row.owner !== boot && holderOfRow(row) === null)
        .map(({ run, renewedAt }) => ({ run, aliveAt: renewedAt })),
    holderOf(run) {
      const row = one.get(run);
      return row ? holderOfRow(row) : null;
    },
  };
}
