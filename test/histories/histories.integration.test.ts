// What earlier releases have written is read by today's code to the same rows: the journals in the folders beside this
// file were exported by the release that they are named after, and are never edited. `write.ts` says how they are made,
// `changedRules.ts` what is decided otherwise since.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { checkJournal } from "../../src/main/care/checkJournal.ts";
import { readArchive } from "../../src/main/care/readArchive.ts";
import { redecide } from "../../src/main/domain/redecide/redecide.ts";
import type { StorePort } from "../../src/main/engine/ports/store.ts";
import { openStore } from "../../src/main/store/openStore.ts";
import { storyRules } from "../support/redecideStory.ts";
import { type StoredRows, storedRows } from "../support/storedRows.ts";
import { unnamed } from "./changedRules.ts";

const releases = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const histories = releases.flatMap(({ name: release }) =>
  readdirSync(join(import.meta.dirname, release))
    .filter((file) => file.endsWith(".coppice"))
    .map((file) => ({ release, name: file.slice(0, -".coppice".length) })),
);

let home: string;
let store: StorePort;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "coppice-histories-"));
  const opened = await openStore({ folder: home });
  if (!opened.ok) throw new Error(opened.error.message);
  store = opened.value;
}, 60_000);
afterAll(async () => {
  await store.close();
  rmSync(home, { recursive: true });
});

describe("golden histories", { timeout: 60_000 }, () => {
  test("there are some of a release", () => {
    expect(histories.length).toBeGreaterThan(4);
  });

  test.each(histories)("$release $name is a whole journal, folds to the rows it had, is decided as it was but where a changed rule is named, and breaks no invariant", async ({ release, name }) => {
    const path = join(import.meta.dirname, release, name);
    const imported = await store.importRun(await readArchive(`${path}.coppice`));
    expect(imported).toMatchObject({ ok: true });
    const expected = JSON.parse(readFileSync(`${path}.json`, "utf8")) as StoredRows;
    const actual = imported.ok ? storedRows(home, imported.value) : {};
    // A column that came later has no place in what was written then.
    const known = Object.fromEntries(
      Object.entries(actual).map(([table, rows]) => {
        const columns = Object.keys(expected[table]?.[0] ?? {});
        return [table, rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))];
      }),
    );
    expect(known).toEqual(expected);
    const journal = imported.ok ? await store.readJournal(imported.value) : [];
    expect(unnamed(release, redecide(journal, storyRules).differences)).toEqual([]);
    expect(checkJournal(home).flatMap(({ id, details }) => details.map((detail) => `${id} ${detail}`))).toEqual([]);
  });
});
