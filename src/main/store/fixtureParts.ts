// For tests: the parts of the store's thread, in the test's own.

import { onTestFinished } from "vitest";

import type { BootId } from "../../shared/contract/ids.ts";
import type { AppendRequest, AppendResult } from "../engine/ports/store.ts";
import { registerBoot } from "./boots.ts";
import { checkStore } from "./check.ts";
import type { CheckResult } from "./check.ts";
import { createEventStore } from "./eventStore.ts";
import { makeFolder } from "./fixtureChild.ts";
import { createJournal } from "./journal.ts";
import { openWriter } from "./openDatabase.ts";
import type { Connection } from "./openDatabase.ts";
import { createPayloads } from "./payloads.ts";
import { identifyThisProcess } from "./processIdentity.ts";
import { createRequests } from "./requests.ts";
import type { Requests } from "./requests.ts";

export interface Parts {
  readonly folder: string;
  readonly db: Connection;
  readonly boot: BootId;
  commit(...group: AppendRequest[]): readonly AppendResult[];
  /** Commits a group and answers with its codes. */
  codes(...group: AppendRequest[]): readonly string[];
  readonly read: ReturnType<typeof createJournal>;
  /** The checks that fail. */
  verdicts(): readonly CheckResult[];
  readonly requests: Requests;
}

/** A fresh file with a boot. */
export function openParts(): Parts {
  const folder = makeFolder();
  const db = openWriter(folder);
  onTestFinished(() => void db.close());
  const boot = registerBoot(db, identifyThisProcess());
  const events = createEventStore(db, boot, createPayloads(db, folder));
  const commit = (...group: AppendRequest[]): readonly AppendResult[] => events.commitGroup(group);
  const read = createJournal(db, folder);
  const verdicts = () => checkStore({ folder }).filter((check) => !check.ok);
  const codes = (...group: AppendRequest[]) =>
    commit(...group).map((result) => (result.ok ? "stored" : result.error.code));
  return { folder, db, boot, commit, codes, read, verdicts, requests: createRequests(db, db) };
}

/** Everything that an append can change. */
export function contents({ db }: Parts): unknown {
  return ["events", "payloads", "runs", "leases", "requests", "budgets", "approvals"].map((table) =>
    db.prepare(`SELECT * FROM ${table}`).all(),
  );
}
