// Runs as files: exported from one store, brought into another, and what is refused of what is brought.

import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import yazl from "yazl";

import { soundJournal, soundRun, storeJournal } from "../../../test/support/journals.ts";
import { WorkbenchError } from "../../shared/contract/errors.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { createGit } from "../git/createGit.ts";
import { openStore } from "../store/openStore.ts";
import { progressWords } from "../../shared/contract/progress.ts";
import { checkJournal } from "./checkJournal.ts";
import { History, type HistoryParts } from "./history.ts";
import { manifestShape } from "./archiveFormat.ts";
import { ProgressBoard } from "./progressBoard.ts";
import { extractBundle, readArchive } from "./readArchive.ts";

const clock = { now: () => 1_000, monotonic: () => 0, after: () => () => undefined };
const folder = mkdtempSync(join(tmpdir(), "coppice-archive-"));
const file = join(folder, "run.coppice");
const opened: StorePort[] = [];
const progress = new ProgressBoard();

async function storeIn(
  name: string,
): Promise<{ readonly home: string; readonly store: StorePort; readonly history: History }> {
  const home = join(folder, name);
  const store = await openStore({ folder: home });
  if (!store.ok) throw new Error(store.error.message);
  opened.push(store.value);
  return {
    home,
    store: store.value,
    history: new History({ home, store: store.value, clock, progress, git: createGit({ dataFolder: home }) }),
  };
}

const run = soundRun;

beforeAll(async () => {
  const { store, history } = await storeIn("origin");
  await storeJournal(store, soundJournal({ note: "The key is AKIAQ3EGVNX5TKTZ4ABC, keep it." }));
  const row = await store.findRun(run);
  if (!row.ok) throw new Error(row.error.message);
  const written = await history.exportRun(row.value, file);
  if (!written.ok) throw new Error(`${written.error.code}: ${written.error.message}`);
}, 60_000);

afterAll(async () => {
  for (const store of opened) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A zip of these texts by name. */
async function zipOf(name: string, entries: Readonly<Record<string, string>>): Promise<string> {
  const path = join(folder, name);
  const zip = new yazl.ZipFile();
  for (const [entry, text] of Object.entries(entries)) zip.addBuffer(Buffer.from(text), entry);
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

describe("an export", { timeout: 60_000 }, () => {
  test("brought into another store is the same journal under the same hashes, without its secret, and read-only", async () => {
    const origin = await storeIn("origin-again");
    const { home, store, history } = await storeIn("elsewhere");
    expect(await history.importRun(file)).toEqual({ ok: true, value: { run, refs: null } });
    const journal = await store.readJournal(run);
    const before = soundJournal({ note: "The key is [redacted:aws], keep it." });
    expect(journal.map(({ type, agent, at, seq, data }) => ({ type, agent, at, seq, data }))).toEqual(
      before.map(({ type, agent, at, seq, data }) => ({ type, agent, at, seq, data })),
    );
    expect(checkJournal(home).flatMap(({ id, details }) => details.map((detail) => `${id} ${detail}`))).toEqual([]);
    expect(await store.findRun(run)).toMatchObject({ ok: true, value: { status: "imported", count: before.length } });
    expect(await store.acquire(run)).toMatchObject({ ok: false, error: { code: "RUN_READ_ONLY" } });
    expect(await store.listApprovals()).toEqual([]);
    // Once more is no mistake, and exported again it is the same once more.
    expect(await history.importRun(file)).toEqual({ ok: true, value: { run, refs: null } });
    const row = await store.findRun(run);
    const again = join(folder, "again.coppice");
    const told: string[] = [];
    const unfollow = progress.onChange(() => told.push(...progress.current().works.map(progressWords)));
    const exported = row.ok ? await history.exportRun(row.value, again) : row;
    expect(exported).toMatchObject({ ok: true });
    const all = before.length;
    expect([told[0], told[all]]).toEqual([`0 of ${all} events`, `${all} of ${all} events`]);
    expect(told.at(-1)).toMatch(/^(\d+) of \1 texts$/);
    expect(await readArchive(again, (read) => told.push(progressWords(read)))).toMatchObject({ root: run });
    expect(told.at(-1)).toMatch(/^(\d+\.\d) of \1 MiB$/);
    unfollow();
    expect(await readArchive(again)).toEqual(await readArchive(file));
    expect(await origin.history.importRun(again)).toEqual({ ok: true, value: { run, refs: null } });
  });

  test("comes back after its run was deleted, and is refused beside another state of it", async () => {
    const { store, history } = await storeIn("deleted");
    await history.importRun(file);
    expect(await store.deleteRun(run)).toMatchObject({ ok: true });
    expect(await history.importRun(file)).toEqual({ ok: true, value: { run, refs: null } });
    const other = await storeIn("other-state");
    await storeJournal(other.store, soundJournal({ note: "another" }).slice(0, 5));
    expect(await other.history.importRun(file)).toMatchObject({ ok: false, error: { code: "RUN_EXISTS" } });
  });
});

describe("the commits of a run", { timeout: 60_000 }, () => {
  /** Exports the run with a git that packs commits in this way. */
  async function exportWith(name: string, bundleRefs: HistoryParts["git"]["bundleRefs"]) {
    const { home, store } = await storeIn(name);
    await storeJournal(store, soundJournal());
    const history = new History({
      home,
      store,
      clock,
      progress,
      git: { ...createGit({ dataFolder: home }), bundleRefs },
    });
    const row = await store.findRun(run);
    const path = join(folder, `${name}.coppice`);
    return { path, written: row.ok ? await history.exportRun(row.value, path) : row };
  }

  test("are left out of the file when git cannot pack them, and it says so", async () => {
    const refusal = () => Promise.reject(new Error("fatal: bad object\n"));
    const { path, written } = await exportWith("unpackable", refusal);
    expect(written).toMatchObject({
      ok: true,
      value: { withoutCommits: "git could not pack them (fatal: bad object)", manifest: { version: 1 } },
    });
    expect(await extractBundle(path, join(folder, "taken"))).toBe(false);
  });

  test("that are damaged or gone in a file are told of as that, and nothing of the file is imported", async () => {
    const { path, written } = await exportWith("packed", (_repo, _run, _base, to) => {
      writeFileSync(to, "the commits");
      return Promise.resolve(["refs/coppice/r1/base"]);
    });
    expect(written).toMatchObject({ ok: true, value: { withoutCommits: null } });
    const taken = join(folder, "taken");
    expect([await extractBundle(path, taken), readFileSync(taken, "utf8")]).toEqual([true, "the commits"]);
    await expect(extractBundle(path, join(folder, "no/such/folder"))).rejects.toMatchObject({
      code: "ARCHIVE_UNWRITABLE",
    });
    const bytes = readFileSync(path);
    bytes.write("THE", bytes.indexOf("the commits"));
    const damaged = join(folder, "damaged-bundle.coppice");
    writeFileSync(damaged, bytes);
    const { store, history } = await storeIn("without-commits");
    const refused = { ok: false, error: { code: "ARCHIVE_DAMAGED" } };
    expect(await history.importRun(damaged, folder)).toMatchObject(refused);
    expect(await store.listRuns()).toEqual([]);
  });

  test("that the manifest names and the file lacks make it a damaged one, with or without a repository for them", async () => {
    const { root, events, payloads } = await readArchive(file);
    const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join("");
    const parts = { "events.ndjson": lines(events), "payloads.ndjson": lines(payloads) };
    const facts = Object.fromEntries(
      Object.entries(parts).map(([name, text]) => [name, { sha256: "0", bytes: Buffer.byteLength(text) }]),
    );
    const told = { format: "coppice.run", version: 2, app: "0", run: root, title: "", exportedAt: 0, events: 1 };
    const manifest = { ...told, parts: { ...facts, "refs.bundle": { sha256: "0", bytes: 1 } } };
    const path = await zipOf("lacks-bundle.coppice", { ...parts, "manifest.json": JSON.stringify(manifest) });
    const lacking = { code: "ARCHIVE_DAMAGED", message: expect.stringContaining("it has no refs.bundle") };
    await expect(readArchive(path)).rejects.toMatchObject(lacking);
    await expect(extractBundle(path, join(folder, "taken"))).rejects.toMatchObject(lacking);
  });
});

describe("an import refuses", { timeout: 60_000 }, () => {
  let store: StorePort;
  beforeAll(async () => {
    ({ store } = await storeIn("refusing"));
  });

  /** As `History.importRun`, without the cost of a thread. */
  async function bring(path: string): Promise<unknown> {
    try {
      return await store.importRun(await readArchive(path));
    } catch (error) {
      if (!(error instanceof WorkbenchError)) throw error;
      return { ok: false, error: { code: error.code, message: error.message } };
    }
  }

  const bytes = (text: string) => Buffer.byteLength(text);
  const digest = async (text: string) =>
    Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(text))).toString("hex");

  /** The archive with its parts changed and a manifest that fits them, so that only the journal itself can tell. */
  async function forged(
    name: string,
    change: (events: string, payloads: string) => readonly [string, string],
  ): Promise<string> {
    const { root, events, payloads } = await readArchive(file);
    const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join("");
    const [eventText, payloadText] = change(lines(events), lines(payloads));
    const manifest = manifestShape.parse({
      format: "coppice.run",
      version: 1,
      app: "0",
      run: root,
      title: "",
      exportedAt: 0,
      events: eventText.split("\n").length - 1,
      parts: {
        "events.ndjson": { sha256: await digest(eventText), bytes: bytes(eventText) },
        "payloads.ndjson": { sha256: await digest(payloadText), bytes: bytes(payloadText) },
      },
    });
    return zipOf(name, {
      "events.ndjson": eventText,
      "payloads.ndjson": payloadText,
      "manifest.json": JSON.stringify(manifest),
    });
  }

  const cases: readonly (readonly [what: string, code: string, make: () => Promise<string> | string])[] = [
    ["a file that is not there", "ARCHIVE_UNREADABLE", () => join(folder, "none.coppice")],
    ["what the system cannot read", "ARCHIVE_UNREADABLE", () => folder],
    [
      "a file that is no zip",
      "ARCHIVE_FOREIGN",
      () => {
        writeFileSync(join(folder, "text.coppice"), "hello");
        return join(folder, "text.coppice");
      },
    ],
    ["a zip of something else", "ARCHIVE_FOREIGN", () => zipOf("foreign.coppice", { "manifest.json": "{}" })],
    [
      "an entry more than there are",
      "ARCHIVE_FOREIGN",
      () => zipOf("more.coppice", { "manifest.json": "{}", "run.sh": "echo" }),
    ],
    [
      "a newer format",
      "ARCHIVE_TOO_NEW",
      () => zipOf("newer.coppice", { "manifest.json": JSON.stringify({ format: "coppice.run", version: 3 }) }),
    ],
    [
      "a changed event",
      "ARCHIVE_DAMAGED",
      () => forged("event.coppice", (e, p) => [e.replace('"at":2000', '"at":2001'), p]),
    ],
    [
      "a changed payload",
      "ARCHIVE_DAMAGED",
      () => forged("payload.coppice", (e, p) => [e, p.replace("payments", "presents")]),
    ],
    ["a missing payload", "ARCHIVE_DAMAGED", () => forged("gone.coppice", (e, p) => [e, p.slice(p.indexOf("\n") + 1)])],
    [
      "a journal without its end",
      "ARCHIVE_DAMAGED",
      () => forged("head.coppice", (e, p) => [e.slice(e.indexOf("\n") + 1), p]),
    ],
    ["a line that is no event", "ARCHIVE_DAMAGED", () => forged("line.coppice", (e, p) => [`${e}{}\n`, p])],
  ];

  test.each(cases)("%s: %s, and nothing is imported", async (_what, code, make) => {
    expect(await bring(await make())).toMatchObject({
      ok: false,
      error: { code, message: expect.stringMatching(/\w/) },
    });
    expect(await store.listRuns()).toEqual([]);
  });

  test("a name that leads out of its folder, and what would unpack to more than is read", async () => {
    const path = await zipOf("slip.coppice", { "aa/manifest.json": "{}" });
    const raw = readFileSync(path).toString("latin1").replaceAll("aa/manifest", "../manifest");
    writeFileSync(path, Buffer.from(raw, "latin1"));
    expect(await bring(path)).toMatchObject({ ok: false, error: { code: "ARCHIVE_FOREIGN" } });
    const bomb = await zipOf("bomb.coppice", { "manifest.json": " ".repeat(2 * 1024 * 1024) });
    expect(await bring(bomb)).toMatchObject({ ok: false, error: { code: "ARCHIVE_TOO_LARGE" } });
  });
});
