import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { fence, note, request, runId, start } from "./fixture.ts";
import { contents, openParts } from "./fixtureParts.ts";
import { genesisHash, sha256 } from "./hashChain.ts";

const root = runId("root");

describe("data over 1 MB", () => {
  const large = "x".repeat(1_100_000);
  const hash = sha256(`{"kind":"test","text":"${large}"}`);

  test("is a file beside the journal and reads as any other", () => {
    const store = openParts();
    store.commit(start(store, root), request(store, root, [note(root, large)], { fences: [fence(root, 1)] }));
    const row = store.db.prepare("SELECT bytes FROM payloads WHERE hash = ?").get(hash);
    expect([
      row,
      existsSync(join(store.folder, "payloads", `${hash}.json`)),
      store.read(root)[1]?.data,
      store.verdicts(),
    ]).toEqual([{ bytes: null }, true, { kind: "test", text: large }, []]);
  });

  test("is refused with its event when the file cannot be written", () => {
    const store = openParts();
    store.commit(start(store, root));
    writeFileSync(join(store.folder, "payloads"), "in the way");
    const ask = request(store, root, [note(root, large)], { fences: [fence(root, 1)] });
    const codes = store.codes(ask);
    rmSync(join(store.folder, "payloads"));
    mkdirSync(join(store.folder, "payloads"));
    expect([codes, store.codes(ask)]).toEqual([["STORE_UNAVAILABLE"], ["stored"]]);
  });
});

describe("the events table", () => {
  const columns = "root, n, run, agent, seq, type, version, at, epoch, payload_hash, prev_hash, hash";
  const attempts: readonly (readonly [name: string, sql: string])[] = [
    ["UPDATE", "UPDATE events SET type = 'x'"],
    ["DELETE", "DELETE FROM events"],
    [
      "INSERT OR REPLACE over a place in the stream",
      `INSERT OR REPLACE INTO events (${columns}) SELECT root, 99, run, agent, seq, type, version, at, epoch, payload_hash, prev_hash, hash FROM events`,
    ],
    [
      "INSERT OR REPLACE over an ordinal",
      `INSERT OR REPLACE INTO events (${columns}) SELECT root, n, run, agent, 99, type, version, at, epoch, payload_hash, prev_hash, hash FROM events`,
    ],
    [
      "INSERT OR REPLACE over a position",
      `INSERT OR REPLACE INTO events (pos, ${columns}) SELECT pos, root, 99, run, agent, 99, type, version, at, epoch, payload_hash, prev_hash, hash FROM events`,
    ],
  ];

  test.each(attempts)("refuses %s, even where recursive triggers are off", (_name, sql) => {
    const store = openParts();
    store.commit(start(store, root));
    const before = contents(store);
    store.db.pragma("recursive_triggers = OFF");
    expect(() => store.db.exec(sql)).toThrow(
      /events are never changed|only for a run in tombstones|stands at this place/,
    );
    expect(contents(store)).toEqual(before);
  });

  test("lets the events of a run go that is entered in tombstones in the same transaction, and its id is never used again", () => {
    const store = openParts();
    store.commit(start(store, root));
    store.db.exec(`BEGIN IMMEDIATE; INSERT INTO tombstones VALUES ('root', '${genesisHash}', 1);
      DELETE FROM events WHERE root = 'root'; DELETE FROM leases WHERE run = 'root'; DELETE FROM runs WHERE root = 'root'; COMMIT`);
    expect([store.read(root), store.codes(start(store, root))]).toEqual([[], ["UNEXPECTED_HEAD"]]);
  });
});
