// Writes the golden histories of this release into test/histories/VERSION: runs as this build stores and exports them,
// and the rows that it led them to. For whoever makes a release, once; the test only reads, and nothing here is edited.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { writeArchive } from "../../src/main/care/writeArchive.ts";
import type { RunEvent } from "../../src/main/domain/events.ts";
import { archivedEvents, archivedPayloads } from "../../src/main/store/archive.ts";
import { openReader } from "../../src/main/store/openDatabase.ts";
import { openStore } from "../../src/main/store/openStore.ts";
import { appVersion } from "../../src/main/version.ts";
import { goldenStories } from "../support/goldenStories.ts";
import { storeJournal } from "../support/journals.ts";
import { storedRows } from "../support/storedRows.ts";

const folder = join(import.meta.dirname, appVersion());

async function write(name: string, journal: readonly RunEvent[]): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "coppice-golden-"));
  const store = await openStore({ folder: home });
  if (!store.ok) throw new Error(store.error.message);
  await storeJournal(store.value, journal);
  await store.value.close();
  const [first] = journal;
  if (first?.type !== "run.created") throw new Error(`${name} has no beginning`);
  const db = openReader(home);
  const content = { events: archivedEvents(db, first.root), payloads: archivedPayloads(db, home, first.root) };
  const facts = { app: appVersion(), run: first.root, title: first.data.title, exportedAt: 0, bundle: null };
  await writeArchive(join(folder, `${name}.coppice`), { ...facts, ...content });
  db.close();
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(storedRows(home, first.root), null, 1)}\n`);
  rmSync(home, { recursive: true });
  process.stdout.write(`${name}: ${journal.length} events, ${new Set(journal.map(({ type }) => type)).size} types\n`);
}

if (existsSync(folder)) {
  process.stderr.write(`${folder} is there already: the histories of a release are never written twice.\n`);
  process.exitCode = 1;
} else {
  mkdirSync(folder);
  for (const [name, journal] of Object.entries(goldenStories())) await write(name, journal);
}
