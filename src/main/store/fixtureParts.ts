// For tests: the parts of the store's thread, in the test's own.

import { onTestFinished } from "vitest";

import type { AppendRequest, AppendResult } from "../engine/ports/store.ts";
import { registerBoot } from "./boots.ts";
import { checkStore } from "./check.ts";
import { createEventStore } from "./eventStore.ts";
import { makeFolder } from "./fixtureChild.ts";
import { createJournal } from "./journal.ts";
import { openWriter } from "./openDatabase.ts";
import { createPayloads } from "./payloads.ts";
import { identifyThisProcess } from "./processIdentity.ts";
import { createRequests } from "./requests.ts";

/** A fresh file with a boot. `codes` commits a group and answers with its codes; `verdicts` are the checks that fail. */
export function openParts() {
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

export type Parts = ReturnType<typeof openParts>;

/** Everything that an append can change. */
export function contents({ db }: Parts): unknown {
  return ["events", "payloads", "runs", "leases", "requests", "budgets", "approvals"].map((table) =>
    db.prepare(`SELECT * FROM ${table}`).all(),
  );
}
