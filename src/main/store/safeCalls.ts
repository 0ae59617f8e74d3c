// What a store answers whose file is damaged: everything that can still be read, and for the rest that it cannot be
// written. Holds no lease and writes nothing, not even that it was here.

import { randomUUID } from "node:crypto";

import type { BootId } from "../../shared/contract/ids.ts";
import { fail } from "../../shared/lib/result.ts";
import type { Failure } from "../../shared/lib/result.ts";
import { verifyRun } from "./chainCheck.ts";
import { StoreError } from "./failure.ts";
import { createJournal } from "./journal.ts";
import type { Connection } from "./openDatabase.ts";
import type { StoreCalls } from "./protocol.ts";
import { createQueries } from "./queries.ts";
import { measureDisk } from "./retention.ts";

export const readOnlyFailure: Failure = {
  code: "STORE_CORRUPT",
  message:
    "The journal's file is damaged, so nothing is written: what can be read of it is shown. Restore a backup with coppice backup --restore; the damaged file is kept.",
};

/** The calls of a store that is only read, and the boot that it claims to be. */
export function createSafeCalls(
  reader: Connection,
  folder: string,
): { readonly boot: BootId; readonly calls: StoreCalls } {
  const refuse = (): never => {
    throw new StoreError(readOnlyFailure);
  };
  const refused = () => fail(readOnlyFailure);
  const calls: StoreCalls = {
    ...createQueries(reader),
    readJournal: createJournal(reader, folder),
    verifyRun: (root) => verifyRun(reader, folder, root),
    diskUse: () => measureDisk(folder),
    append: refused,
    acquire: refused,
    setPinned: refused,
    deleteRun: refused,
    importRun: refused,
    release: () => undefined,
    renew: () => [],
    // Whoever drove it has stopped at the first write that failed.
    holderOf: () => null,
    listAbandoned: () => [],
    listAtWork: () => [],
    openRequests: () => [],
    putRequest: refuse,
    withdrawRequest: refuse,
    findRequest: refuse,
    sweepPayloads: refuse,
    search: refuse,
    repair: refuse,
    compact: refuse,
    watch: () => undefined,
    close: () => reader.close(),
  };
  return { boot: randomUUID() as BootId, calls };
}
