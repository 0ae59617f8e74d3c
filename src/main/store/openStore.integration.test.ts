import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { describe, expect, test } from "vitest";

import type { ApprovalId } from "../../shared/contract/ids.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { EventData } from "../domain/events.ts";
import type { RowChange } from "../domain/projections/tables.ts";
import type { NewEvent } from "../engine/ports/store.ts";
import { fence, handoff, note, request, runId, start } from "./fixture.ts";
import { makeFolder, openForTest, startChild } from "./fixtureChild.ts";
import { openWriter } from "./openDatabase.ts";
import { openStore } from "./openStore.ts";

type ApprovalDecision = EventData["approval.decided"]["decision"];

const [root, other] = [runId("run-alpha"), runId("run-beta")];

function rowOf(run: string, set: RowChange["set"]): RowChange {
  return { table: "runs", key: { run }, set };
}

function isFrozenThrough(value: unknown): boolean {
  return (
    typeof value !== "object" ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(isFrozenThrough))
  );
}

describe("opening", () => {
  test("makes the data folder, for its owner only", async () => {
    const folder = join(makeFolder(), "deep", "home");
    await openForTest(folder);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test("refuses a folder that cannot be written, and names it", async () => {
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    const folder = join(file, "home");
    expect(await openStore({ folder })).toMatchObject({
      ok: false,
      error: { code: "STORE_UNAVAILABLE", message: expect.stringContaining(folder) },
    });
  });

  test("refuses a file of a newer build", async () => {
    const folder = makeFolder();
    const db = openWriter(folder);
    db.pragma("user_version = 99");
    db.close();
    expect(await openStore({ folder })).toMatchObject({ ok: false, error: { code: "STORE_TOO_NEW" } });
  });

  test("refuses a file that is no database, and leaves it", async () => {
    const folder = makeFolder();
    writeFileSync(
      join(folder, "journal.db"),
      "not a database, but long enough to be read as a header of one".repeat(20),
    );
    expect(await openStore({ folder })).toMatchObject({ ok: false, error: { code: "STORE_CORRUPT" } });
  });

  test("says so when the thread cannot start", async () => {
    const workerUrl = new URL("file:///nowhere/storeWorker.js");
    expect(await openStore({ folder: makeFolder(), workerUrl })).toMatchObject({
      ok: false,
      error: { code: "STORE_UNAVAILABLE" },
    });
  });
});

test("[G07] while the file is held by somebody else, only the store's thread waits for it: this one goes on, and lets it go", async () => {
  const folder = makeFolder();
  const store = await openForTest(folder);
  const holder = openWriter(folder);
  holder.exec("BEGIN IMMEDIATE");
  let isAppended = false;
  const appended = store.append(start(store, root)).finally(() => (isAppended = true));
  // Were SQLite's wait for the lock here, this thread would stand in it, and nobody would end the transaction.
  let turns = 0;
  while (turns < 1_000) {
    await setImmediate();
    turns += 1;
  }
  const wasWaiting = !isAppended;
  holder.exec("ROLLBACK");
  expect([wasWaiting, (await appended).ok]).toEqual([true, true]);
  holder.close();
});

describe("closing", () => {
  test("waits for trails that are still buffered", async () => {
    const folder = makeFolder();
    const store = await openForTest(folder);
    const acknowledged = store.append(start(store, root, { durability: "trail" }));
    await store.close();
    const again = await openForTest(folder);
    expect([(await acknowledged).ok, (await again.readJournal(root)).length]).toEqual([true, 1]);
  });

  test("leaves a store that stores nothing and says so", async () => {
    const store = await openForTest(makeFolder());
    await store.close();
    expect(await store.append(start(store, root))).toMatchObject({ ok: false, error: { code: "STORE_UNAVAILABLE" } });
    await expect(store.listRuns()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });

  test("gives up the leases, so that another may drive at once", async () => {
    const folder = makeFolder();
    const [first, second] = [await openForTest(folder), await openForTest(folder)];
    await first.append(start(first, root));
    const before = await second.acquire(root);
    await first.close();
    expect([before, await second.acquire(root)]).toMatchObject([
      { ok: false, error: { code: "DRIVEN_ELSEWHERE", heldBy: { boot: first.boot, pid: process.pid } } },
      { ok: true, value: [{ run: root, epoch: 2 }] },
    ]);
  });
});

describe("the journal", () => {
  test("is read in ordinal order from any place on, and arrives frozen", async () => {
    const store = await openForTest(makeFolder());
    const first = await store.append(start(store, root));
    await store.append(
      request(store, root, [note(root, "2"), note(root, "3"), note(root, "4")], { fences: [fence(root, 1)] }),
    );
    const part = await store.readJournal(root, 1, 2);
    expect([part.map((event) => event.n), isFrozenThrough(part), isFrozenThrough(first)]).toEqual([[2, 3], true, true]);
  });

  test("keeps the order of a run when trails and barriers are mixed: a barrier flushes what came before", async () => {
    const store = await openForTest(makeFolder());
    const texts = ["1", "2", "3", "4"];
    const appends = texts.map((text, index) =>
      store.append(
        request(store, root, [note(root, text)], {
          durability: text === "4" ? "barrier" : "trail",
          fences: [fence(root, index + 1)],
        }),
      ),
    );
    const begun = store.append(start(store, root));
    expect((await Promise.all(appends)).map((result) => result.ok)).toEqual([false, false, false, false]);
    await begun;
    await Promise.all(
      texts.map((text, index) =>
        store.append(
          request(store, root, [note(root, text)], {
            durability: text === "4" ? "barrier" : "trail",
            fences: [fence(root, index + 1)],
          }),
        ),
      ),
    );
    expect((await store.readJournal(root)).slice(1).map((event) => (event.data as { text: Json }).text)).toEqual(texts);
  });

  test("shows a read everything that was asked for before it, buffered or not", async () => {
    const store = await openForTest(makeFolder());
    const pending = store.append(start(store, root, { durability: "trail" }));
    expect((await store.readJournal(root)).length).toBe(1);
    expect((await pending).ok).toBe(true);
  });
});

describe("the lists", () => {
  test("find a run by id or unique prefix, else say what to do", async () => {
    const store = await openForTest(makeFolder());
    await Promise.all([
      store.append(start(store, root)),
      store.append(start(store, other)),
      store.append(start(store, runId("run"))),
    ]);
    const found = await Promise.all(["run-alpha", "run-a", "run", "run-", "", "%"].map((text) => store.findRun(text)));
    expect(found.map((result) => (result.ok ? result.value.run : result.error.code))).toEqual([
      root,
      root,
      "run",
      "RUN_AMBIGUOUS",
      "RUN_NOT_FOUND",
      "RUN_NOT_FOUND",
    ]);
    expect(
      found
        .filter((result) => !result.ok)
        .every((result) => !result.ok && result.error.message.includes("coppice runs")),
    ).toBe(true);
  });

  test("give runs newest first, with who is at work and what landed, and open approvals oldest first", async () => {
    const store = await openForTest(makeFolder());
    const approval = (id: string, status: string, requestedAt: number): RowChange => ({
      table: "approvals",
      key: { id },
      set: { run: root, kind: "command", agent: "lead", summary: id, status, requested_at: requestedAt },
    });
    const landing = (id: string, commit: string, status: string): RowChange => ({
      table: "landings",
      key: { id },
      set: { run: root, new_oid: commit, status },
    });
    const children = ["completed", "running", "pending"].map((status, index) => ({
      run: runId(`run-alpha-${index + 1}`),
      agent: `subagent-${index + 1}` as const,
      status,
    }));
    await store.append(
      start(store, root, {
        starts: [{ run: root, agent: "lead" }, ...children],
        events: [
          note(root, "1"),
          ...children.flatMap(({ run, agent }) => [handoff(root, run, agent), note(run, "1", { agent })]),
        ],
        rows: [
          rowOf(root, { title: "A", status: "running", repo: "/r", created_at: 1, updated_at: 5 }),
          ...children.map(({ run, agent, status }) => rowOf(run, { root, agent, kind: "child", status })),
          landing("first", "a91c03e", "landed"),
          landing("second", "e07b1d2", "landed"),
          landing("third", "77aa0c4", "begun"),
          approval("late", "open", 9),
          approval("early", "open", 2),
          approval("done", "decided", 1),
        ],
      }),
    );
    await store.append(
      start(store, other, {
        rows: [rowOf(other, { title: "B", status: "stopped", stop_reason: "failed", repo: "/r", created_at: 2 })],
      }),
    );
    expect([
      await store.listRuns(),
      (await store.listApprovals()).map((each) => each.id),
      await store.listApprovals(other),
    ]).toEqual([
      [
        {
          run: other,
          title: "B",
          status: "stopped",
          stopReason: "failed",
          repo: "/r",
          createdAt: 2,
          updatedAt: 0,
          count: 1,
          pinned: false,
          agents: "",
          landed: null,
        },
        {
          run: root,
          title: "A",
          status: "running",
          stopReason: null,
          repo: "/r",
          createdAt: 1,
          updatedAt: 5,
          count: 7,
          pinned: false,
          agents: "dwq",
          landed: "e07b1d2",
        },
      ],
      ["early", "late"],
      [],
    ]);
  });
});

describe("what was decided", () => {
  const decision = (approval: string, decided: ApprovalDecision, at: number): NewEvent => ({
    agent: "lead",
    type: "approval.decided",
    run: root,
    version: 1,
    at,
    data: { approval: approval as ApprovalId, decision: decided, by: "Ada", scope: "run" },
  });
  const row = (id: string, status: string, decidedAt: number): RowChange => ({
    table: "approvals",
    key: { id },
    set: {
      run: root,
      kind: "command",
      agent: "lead",
      summary: id,
      status,
      decision: "approved",
      decided_at: decidedAt,
    },
  });

  test("since a moment comes newest first: the last word at each approval, none that is open again, and how many there are", async () => {
    const store = await openForTest(makeFolder());
    await store.append(
      start(store, root, {
        events: [
          note(root, "begin"),
          decision("before", "approved", 10),
          decision("twice", "rejected", 20),
          decision("held", "approved", 30),
          decision("twice", "approved", 40),
          decision("last", "rejected", 50),
        ],
        rows: [
          rowOf(root, { title: "A", status: "running" }),
          row("before", "decided", 10),
          row("held", "open", 30),
          row("twice", "decided", 40),
          row("last", "decided", 50),
        ],
      }),
    );
    const { rows, total } = await store.listDecided(15, 10);
    expect([rows.map(({ approval, decision: said, n, at }) => [approval, said, n, at]), total]).toEqual([
      [
        ["last", "rejected", 6, 50],
        ["twice", "approved", 5, 40],
      ],
      2,
    ]);
    expect(rows[0]).toMatchObject({ run: root, role: "lead", by: "Ada", scope: "run", changeset: null, landed: null });
    expect(await store.listDecided(15, 1)).toMatchObject({ rows: [{ approval: "last" }], total: 2 });
  });
});

describe("a request from elsewhere", () => {
  test("is taken with its answer in the append, exactly once", async () => {
    const folder = makeFolder();
    const [holder, asker] = [await openForTest(folder), await openForTest(folder)];
    await holder.append(start(holder, root));
    const id = await asker.putRequest(root, "decide", { approval: "a" });
    const open = await holder.openRequests(root);
    const takes = [{ request: id, answer: { done: true } }];
    const codes = [
      await holder.append(request(holder, root, [note(root, "2")], { fences: [fence(root, 1)], takes })),
      await holder.append(request(holder, root, [note(root, "3")], { fences: [fence(root, 2)], takes })),
    ].map((result) => (result.ok ? "stored" : result.error.code));
    expect([
      open,
      codes,
      await asker.withdrawRequest(id),
      await asker.findRequest(id),
      await holder.openRequests(root),
    ]).toEqual([
      [{ id, run: root, kind: "decide", body: { approval: "a" }, createdAt: expect.any(Number) }],
      ["stored", "REQUEST_WITHDRAWN"],
      false,
      { state: "taken", answer: { done: true } },
      [],
    ]);
  });

  test("is either taken or withdrawn when both are tried at once", async () => {
    const folder = makeFolder();
    const [holder, asker] = [await openForTest(folder), await openForTest(folder)];
    await holder.append(start(holder, root));
    const outcomes: [boolean, boolean, string][] = [];
    for (let head = 1, round = 0; round < 20; round += 1) {
      const id = await asker.putRequest(root, "cancel", null);
      const append = holder.append(
        request(holder, root, [note(root, "x")], {
          fences: [fence(root, head)],
          takes: [{ request: id, answer: "ok" }],
        }),
      );
      const [taken, isWithdrawn] = await Promise.all([append, asker.withdrawRequest(id)]);
      if (taken.ok) head += 1;
      outcomes.push([taken.ok, isWithdrawn, (await asker.findRequest(id)).state]);
    }
    expect(
      outcomes.filter(
        ([isTaken, isWithdrawn, state]) => isTaken === isWithdrawn || state !== (isTaken ? "taken" : "withdrawn"),
      ),
    ).toEqual([]);
  });

  test("for a run that is not there is refused", async () => {
    const store = await openForTest(makeFolder());
    await expect(store.putRequest(root, "cancel", null)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

test("a commit of another process is noticed", async () => {
  const folder = makeFolder();
  mkdirSync(folder, { recursive: true });
  const store = await openForTest(folder);
  await store.append(start(store, root));
  const child = await startChild(folder);
  const noticed = new Promise<void>((resolve) => store.onForeignCommit(resolve));
  // The watch is on once a call after it has answered.
  await store.listRuns();
  child.send({ order: "put", run: root });
  await noticed;
  expect((await store.openRequests(root)).map((each) => each.body)).toEqual([{ text: "hello" }]);
});
