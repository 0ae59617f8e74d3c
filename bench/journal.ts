// A run of 50,000 events: opened, taken over after a crash, shown at any moment; each against a bare scan of its rows.

import Database from "better-sqlite3";

import type { RunId } from "../src/shared/contract/ids.ts";
import type { StorePort } from "../src/main/engine/ports/store.ts";
import { JournalCache } from "../src/main/pages/journalCache.ts";
import { journalPath } from "../src/main/store/openDatabase.ts";
import { tellLongRun, withStore, writeRun } from "../test/support/longRun.ts";
import { inBenchFolder } from "./benchFolder.ts";
import { alternate, type Bench, type Figure, timed } from "./figures.ts";

const eventCount = 50_000;
const scan = "rows with their data, read by better-sqlite3 alone";

export const journal: Bench = {
  name: "journal",
  about:
    "A long run, against a scan of its rows that does nothing with them: what no journal can be faster than. Reading also parses, checks and folds each event; a take-over hashes each of them too. To look at another moment must cost next to nothing beside opening the run, or a scrubber stutters.",
  measure: () =>
    inBenchFolder((folder) =>
      withStore(folder, async (store) => {
        const run = await writeRun(store, tellLongRun(eventCount));
        return [...(await reopening(store, run, folder)), await moments(store, run)];
      }),
    ),
};

async function reopening(store: StorePort, run: RunId, folder: string): Promise<readonly Figure[]> {
  const raw = rawScan(folder, run);
  const opened = await alternate(() => new JournalCache(store).read(run), raw.read);
  const taken = await alternate(async () => {
    await store.verifyRun(run);
    await new JournalCache(store).read(run);
  }, raw.read);
  raw.close();
  return [
    { what: `a run of ${eventCount} events, read and folded`, ...opened, against: scan, goal: 4 },
    { what: "the same with its chain verified, as at a take-over", ...taken, against: scan, goal: 12 },
  ];
}

/** Every moment of a scrub through the run, against opening it anew for one. */
async function moments(store: StorePort, run: RunId): Promise<Figure> {
  const cache = new JournalCache(store);
  await cache.read(run);
  let step = 0;
  const scrub = async () => {
    const read = await cache.read(run);
    // Odd against the stride at which states are kept, so that none is met by luck.
    if (read.ok) read.value.stateAt(1 + ((step += 7_919) % read.value.events.length));
  };
  const taken = await alternate(scrub, () => timed(() => new JournalCache(store).read(run)));
  return { what: "any moment of it, once it is open", ...taken, against: "opening it", goal: 0.05 };
}

/** The query that the store reads a journal by, without the store: what no journal can be faster than. */
function rawScan(folder: string, run: RunId): { read(): number; close(): void } {
  const db = new Database(journalPath(folder), { readonly: true });
  const select = db.prepare<[RunId], { readonly bytes: string | null }>(
    "SELECT events.*, payloads.bytes AS bytes FROM events LEFT JOIN payloads ON payloads.hash = payload_hash WHERE root = ? ORDER BY n",
  );
  return {
    read() {
      let length = 0;
      for (const { bytes } of select.iterate(run)) length += bytes?.length ?? 0;
      return length;
    },
    close: () => db.close(),
  };
}
