// `coppice doctor --repair`: mends what can be mended without losing anything, and says what it did. Rows follow from
// events; a secret is taken out of a payload, which the journal notes; files that nothing names are removed.

import type { RunId } from "../../shared/contract/ids.ts";
import type { EventData, RunEvent } from "../domain/events.ts";
import { fold } from "../domain/evolve.ts";
import { commit, Streams } from "../engine/commit.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { openReader } from "../store/openDatabase.ts";
import { type HeldSecret, rootsOf, secretsOf } from "./checkJournal.ts";

export interface RepairParts {
  /** The data folder. */
  readonly home: string;
  readonly store: StorePort;
  readonly clock: Clock;
}

/** What was done, a sentence each; empty where nothing was to be mended. What could not be is said too. */
export async function repairStore(parts: RepairParts): Promise<readonly string[]> {
  const erased = await eraseSecrets(parts);
  const mended = await parts.store.repair();
  const { payloads, bytes } = await parts.store.sweepPayloads();
  const swept = payloads === 0 ? [] : [`${payloads} files that no event names were removed (${bytes} bytes)`];
  return [...erased, ...mended, ...swept];
}

interface Erasure {
  readonly root: RunId;
  readonly found: readonly HeldSecret[];
}

async function eraseSecrets(parts: RepairParts): Promise<readonly string[]> {
  const erasures = findErasures(parts.home);
  const driven = erasures.length === 0 ? null : await findDriven(parts.store);
  const done: string[] = [];
  let isAnyErased = false;
  for (const erasure of erasures) {
    const refusal =
      driven === null
        ? await eraseIn(parts, erasure)
        : `${driven} is driven, and would be kept from its journal while the file is written anew; try again once no run is`;
    isAnyErased ||= refusal === null;
    const count = `${erasure.found.length} ${erasure.found.length === 1 ? "payload" : "payloads"}`;
    done.push(
      refusal === null
        ? `Run ${erasure.root}: a secret was taken out of ${count}. Backups and exports made before still hold it`
        : `Run ${erasure.root}: the secret in ${count} stays, for ${refusal}`,
    );
  }
  if (isAnyErased) await parts.store.compact();
  return done;
}

/** A run that some process drives now; `null`: none. */
async function findDriven(store: StorePort): Promise<RunId | null> {
  for (const { run } of await store.listRuns()) if ((await store.holderOf(run)) !== null) return run;
  return null;
}

/** Looked for over all runs first: equal data is stored once, and every run that has it notes that it is gone. */
function findErasures(home: string): readonly Erasure[] {
  const db = openReader(home);
  try {
    return rootsOf(db)
      .map((root) => ({ root, found: secretsOf(db, home, root) }))
      .filter(({ found }) => found.length > 0);
  } finally {
    db.close();
  }
}

/** `null` once it is done, else why not. */
async function eraseIn({ store, clock }: RepairParts, { root, found }: Erasure): Promise<string | null> {
  const leases = await store.acquire(root);
  if (!leases.ok) return leases.error.message;
  try {
    if ((await store.verifyRun(root)).length > 0) return "its journal is damaged";
    const journal = await store.readJournal(root);
    const [state, streams] = [fold(journal), new Streams()];
    streams.adopt(leases.value, journal);
    if (!state) return "its journal is empty";
    const events = found.map(({ hash, events }, index): RunEvent => {
      const data: EventData["payload.erased"] = { payload: hash, events, reason: "It held a secret." };
      const place = { n: state.n + 1 + index, seq: streams.head(root).seq + 1 + index, pos: 0, run: root, root };
      return { agent: "lead", type: "payload.erased", data, ...place, at: clock.now(), version: 1, hash: "" };
    });
    const erases = found.map(({ hash, text }) => ({ payload: hash, text }));
    const committed = await commit({ store, boot: store.boot, streams, before: state, events, erases });
    return committed.ok ? null : committed.error.message;
  } finally {
    await store.release(root);
  }
}
