import { describe, expect, test } from "vitest";

import type { AppendRequest } from "../engine/ports/store.ts";
import { fence, handoff, note, request, runId, start } from "./fixture.ts";
import { contents, openParts } from "./fixtureParts.ts";
import type { Parts } from "./fixtureParts.ts";

const [root, other, child] = [runId("root"), runId("other"), runId("child")];

describe("an append", () => {
  test("numbers events in the stream and in the merged journal, and chains the child to the handoff that names it", () => {
    const store = openParts();
    const agent = "subagent-1" as const;
    const starts = [{ run: child, agent }];
    store.commit(start(store, root));
    const [result] = store.commit(
      request(
        store,
        root,
        [handoff(root, child, agent), note(child, "c1", { agent }), note(root, "r3"), note(child, "c2", { agent })],
        { starts, fences: [fence(root, 1)] },
      ),
    );
    const places = store.read(root).map(({ n, run, seq }) => [n, run, seq]);
    const firstOfChild = store.db.prepare("SELECT prev_hash FROM events WHERE run = 'child' AND seq = 1").pluck().get();
    expect([places, firstOfChild, store.verdicts()]).toEqual([
      [
        [1, root, 1],
        [2, root, 2],
        [3, child, 1],
        [4, root, 3],
        [5, child, 2],
      ],
      result?.ok ? result.value[0]?.hash : undefined,
      [],
    ]);
  });

  test("answers with exactly what a reader finds", () => {
    const store = openParts();
    const [result] = store.commit(start(store, root));
    expect(result).toEqual({ ok: true, value: store.read(root) });
  });

  test("maintains count and head of the runs it writes to", () => {
    const store = openParts();
    store.commit(
      start(store, root),
      request(store, root, [note(root, "2"), note(root, "3")], { fences: [fence(root, 1)] }),
    );
    const head = store.read(root).at(-1)?.hash;
    expect(store.db.prepare("SELECT run, kind, count, head_seq, head_hash FROM runs").all()).toEqual([
      { run: root, kind: "root", count: 3, head_seq: 3, head_hash: head },
    ]);
  });

  test("stores equal data once", () => {
    const store = openParts();
    store.commit(
      start(store, root),
      request(store, root, [note(root, "same"), note(root, "same")], { fences: [fence(root, 1)] }),
    );
    expect(store.db.prepare("SELECT count(*) FROM payloads").pluck().get()).toBe(2);
  });

  test("updates only the columns that a row names", () => {
    const store = openParts();
    const key = { run: root, owner: "lead", balance: "steps" };
    store.commit(
      start(store, root, {
        rows: [
          { table: "budgets", key, set: { limit_value: 10, used: 0, reserved: 4 } },
          { table: "runs", key: { run: root }, set: { title: "T" } },
        ],
      }),
      request(store, root, [], { fences: [fence(root, 1)], rows: [{ table: "budgets", key, set: { used: 3 } }] }),
    );
    expect(store.db.prepare("SELECT budgets.*, title FROM budgets JOIN runs USING (run)").all()).toEqual([
      { ...key, limit_value: 10, used: 3, reserved: 4, title: "T" },
    ]);
  });
});

describe("a refused append", () => {
  const refusals: readonly (readonly [what: string, code: string, ask: (store: Parts) => AppendRequest])[] = [
    [
      "under an epoch that is not the lease's",
      "STALE_LEASE",
      (store) => request(store, root, [note(root, "x")], { fences: [fence(root, 1, 2)] }),
    ],
    [
      "of another boot",
      "STALE_LEASE",
      (store) => ({ ...request(store, root, [], { fences: [fence(root, 1)] }), boot: "elsewhere" as Parts["boot"] }),
    ],
    [
      "behind the head",
      "UNEXPECTED_HEAD",
      (store) => request(store, root, [note(root, "x")], { fences: [fence(root, 0)] }),
    ],
    ["that starts a run a second time", "UNEXPECTED_HEAD", (store) => start(store, root)],
    [
      "under a key that is used",
      "DUPLICATE_KEY",
      (store) => request(store, root, [note(root, "x", { key: "k" })], { fences: [fence(root, 1)] }),
    ],
    [
      "with one key twice",
      "DUPLICATE_KEY",
      (store) =>
        request(store, root, [note(root, "x", { key: "q" }), note(root, "y", { key: "q" })], {
          fences: [fence(root, 1)],
        }),
    ],
    [
      "for a stream without a fence",
      "INVALID_APPEND",
      (store) => request(store, root, [note(other, "x")], { fences: [fence(root, 1)] }),
    ],
    [
      "that starts a child without a handoff",
      "INVALID_APPEND",
      (store) =>
        request(store, root, [note(child, "x")], {
          starts: [{ run: child, agent: "subagent-1" }],
          fences: [fence(root, 1)],
        }),
    ],
    [
      "that starts a child without its root",
      "INVALID_APPEND",
      (store) => request(store, root, [note(child, "x")], { starts: [{ run: child, agent: "subagent-1" }] }),
    ],
    [
      "with data JSON has no form for",
      "INVALID_APPEND",
      (store) => request(store, root, [note(root, Number.NaN as unknown as string)], { fences: [fence(root, 1)] }),
    ],
    [
      "with a column that is not in the schema",
      "INVALID_APPEND",
      (store) =>
        request(store, root, [note(root, "x")], {
          fences: [fence(root, 1)],
          rows: [{ table: "approvals", key: { id: "a" }, set: { "status = 1; --": "x" } }],
        }),
    ],
    [
      "that sets a head itself",
      "INVALID_APPEND",
      (store) =>
        request(store, root, [note(root, "x")], {
          fences: [fence(root, 1)],
          rows: [{ table: "runs", key: { run: root }, set: { head_seq: 9 } }],
        }),
    ],
    [
      "that overdraws a budget",
      "BUDGET_GUARD",
      (store) =>
        request(store, root, [note(root, "x")], {
          fences: [fence(root, 1)],
          rows: [
            { table: "approvals", key: { id: "a" }, set: {} },
            { table: "budgets", key: { run: root, owner: "lead", balance: "steps" }, set: { reserved: -1 } },
          ],
        }),
    ],
    [
      "that takes a withdrawn request",
      "REQUEST_WITHDRAWN",
      (store) =>
        request(store, root, [note(root, "x")], {
          fences: [fence(root, 1)],
          rows: [{ table: "approvals", key: { id: "a" }, set: {} }],
          takes: [{ request: 1, answer: null }],
        }),
    ],
  ];

  test.each(refusals)("%s answers %s and leaves nothing behind", (_what, code, ask) => {
    const store = openParts();
    store.commit(request(store, root, [note(root, "begin", { key: "k" })], { starts: [{ run: root, agent: "lead" }] }));
    store.requests.put(root, "message", null);
    store.requests.withdraw(1);
    const before = contents(store);
    expect([store.codes(ask(store)), contents(store)]).toEqual([[code], before]);
  });

  test("whose projection fails after its events were inserted leaves nothing behind, and the group goes on", () => {
    const store = openParts();
    store.commit(start(store, root), start(store, other));
    store.db.exec("CREATE TEMP TRIGGER fail BEFORE INSERT ON approvals BEGIN SELECT RAISE(ABORT, 'planted'); END");
    const rows = [{ table: "approvals", key: { id: "a" }, set: {} }] as const;
    const codes = store.codes(
      request(store, root, [note(root, "x")], { fences: [fence(root, 1)], rows }),
      request(store, other, [note(other, "y")], { fences: [fence(other, 1)] }),
    );
    expect([codes, store.read(root).length, store.read(other).length, store.verdicts()]).toEqual([
      ["INVALID_APPEND", "stored"],
      1,
      2,
      [],
    ]);
  });

  test("inside a group rejects only itself; a later one sees what an earlier one wrote", () => {
    const store = openParts();
    const codes = store.codes(
      start(store, root),
      request(store, root, [note(root, "stale")], { fences: [fence(root, 0)] }),
      request(store, root, [note(root, "2")], { fences: [fence(root, 1)] }),
      request(store, root, [note(root, "3")], { fences: [fence(root, 2)] }),
    );
    expect([codes, store.read(root).map((event) => event.n), store.verdicts()]).toEqual([
      ["stored", "UNEXPECTED_HEAD", "stored", "stored"],
      [1, 2, 3],
      [],
    ]);
  });

  test("tells where the event under the same key stands", () => {
    const store = openParts();
    const again = request(store, root, [note(root, "x", { key: "k" })], { fences: [fence(root, 1)] });
    store.commit(start(store, root), again);
    const [result] = store.commit(again);
    expect(result).toMatchObject({
      ok: false,
      error: { code: "DUPLICATE_KEY", details: { run: root, key: "k", seq: 2, n: 2 } },
    });
  });
});

describe("a group", () => {
  test("is not stored at all when the disk is full, and every caller is told", () => {
    const store = openParts();
    store.commit(start(store, root));
    const before = contents(store);
    store.db.pragma(`max_page_count = ${String(store.db.pragma("page_count", { simple: true }))}`);
    const large = "x".repeat(200_000);
    const codes = store.codes(
      request(store, root, [note(root, "small")], { fences: [fence(root, 1)] }),
      request(store, root, [note(root, large)], { fences: [fence(root, 2)] }),
    );
    expect([codes, contents(store)]).toEqual([["STORE_UNAVAILABLE", "STORE_UNAVAILABLE"], before]);
  });
});

test("a reservation beyond the limit is refused by the file itself, with all that came with it; use beyond it is recorded", () => {
  const store = openParts();
  const budget = (used: number, reserved: number) => [
    {
      table: "budgets" as const,
      key: { run: root, owner: "run", balance: "steps" },
      set: { limit_value: 10, used, reserved },
    },
  ];
  const [, fits] = store.commit(
    start(store, root, { rows: budget(0, 0) }),
    request(store, root, [note(root, "2")], { fences: [fence(root, 1)], rows: budget(4, 6) }),
  );
  const [over] = store.commit(
    request(store, root, [note(root, "3")], { fences: [fence(root, 2)], rows: budget(4, 7) }),
  );
  const [late] = store.commit(
    request(store, root, [note(root, "3")], { fences: [fence(root, 2)], rows: budget(11, 0) }),
  );
  expect([fits, over, late]).toMatchObject([
    { ok: true },
    { ok: false, error: { code: "BUDGET_GUARD" } },
    { ok: true },
  ]);
  expect(store.read(root)).toHaveLength(3);
});
