import { describe, expect, onTestFinished, test } from "vitest";

import type { ArchivedEvent } from "../engine/ports/store.ts";
import { createImporter } from "./archive.ts";
import { registerBoot } from "./boots.ts";
import { createEventStore } from "./eventStore.ts";
import { fence, handoff, note, request, runId, start } from "./fixture.ts";
import { makeFolder, openForTest, startChild } from "./fixtureChild.ts";
import { createLeases, leaseTtlMs } from "./leases.ts";
import { openWriter } from "./openDatabase.ts";
import { createPayloads } from "./payloads.ts";
import { identifyThisProcess } from "./processIdentity.ts";
import type { ProcessIdentity } from "./processIdentity.ts";

const [root, child] = [runId("root"), runId("child")];

/** Two boots on one file. `pass` moves their clock. `first` may claim to be another process. */
function open(first: Partial<ProcessIdentity> = {}) {
  const folder = makeFolder();
  const db = openWriter(folder);
  onTestFinished(() => void db.close());
  const here = identifyThisProcess();
  let at = Date.now();
  const boots = [registerBoot(db, { ...here, ...first }), registerBoot(db, here)] as const;
  const [ours, theirs] = [createLeases(db, boots[0], here, () => at), createLeases(db, boots[1], here, () => at)];
  const events = createEventStore(db, boots[0], createPayloads(db, folder));
  const later = createEventStore(db, boots[1], createPayloads(db, folder));
  events.commitGroup([start({ boot: boots[0] }, root)]);
  return { db, boots, ours, theirs, events, later, pass: (ms: number) => (at += ms) };
}

function epochs(result: ReturnType<ReturnType<typeof createLeases>["acquire"]>): unknown {
  return result.ok ? result.value.map(({ run, epoch }) => [run, epoch]) : result.error.code;
}

test("a large run is brought in only while none is driven", () => {
  const { db, ours, theirs } = open();
  const bring = createImporter(db, makeFolder(), () => theirs.findDriven());
  const event = { root: runId("big"), run: runId("big"), agent: "lead", seq: 1, n: 1 } as ArchivedEvent;
  const of = (count: number) => {
    const brought = bring({ root: event.root, events: Array.from({ length: count }, () => event), payloads: [] });
    return brought.ok ? "brought" : brought.error.code;
  };
  const beside = [of(5_001), of(5_000)];
  ours.release(root);
  expect([theirs.findDriven(), ...beside, of(5_001)]).toEqual([
    null,
    "NOT_ALLOWED_NOW",
    "ARCHIVE_DAMAGED",
    "ARCHIVE_DAMAGED",
  ]);
});

describe("a lease", () => {
  test("[G08] of a living holder is refused with who holds it", () => {
    const { theirs, boots } = open();
    expect(theirs.acquire(root)).toMatchObject({
      ok: false,
      error: { code: "DRIVEN_ELSEWHERE", heldBy: { boot: boots[0], pid: process.pid } },
    });
  });

  test("that was renewed is kept, and is passed over only after its TTL", () => {
    const { ours, theirs, pass } = open();
    pass(leaseTtlMs - 1);
    ours.renew();
    pass(leaseTtlMs);
    const inTime = epochs(theirs.acquire(root));
    pass(1);
    expect([inTime, epochs(theirs.acquire(root)), ours.renew()]).toEqual(["DRIVEN_ELSEWHERE", [[root, 2]], []]);
  });

  test("of a process that is gone is passed over at once", () => {
    const { theirs } = open({ started: `${identifyThisProcess().started}0` });
    expect(epochs(theirs.acquire(root))).toEqual([[root, 2]]);
  });

  test("of a process on another host is waited for", () => {
    const { theirs } = open({ host: "elsewhere", started: "x" });
    expect(epochs(theirs.acquire(root))).toBe("DRIVEN_ELSEWHERE");
  });

  test("keeps its epoch when it is released, and never repeats one", () => {
    const { ours, theirs } = open();
    const seen = [1, 2, 3].map(() => {
      ours.release(root);
      const got = epochs(theirs.acquire(root));
      theirs.release(root);
      return [got, epochs(ours.acquire(root))];
    });
    expect(seen).toEqual([
      [[[root, 2]], [[root, 3]]],
      [[[root, 4]], [[root, 5]]],
      [[[root, 6]], [[root, 7]]],
    ]);
  });

  test("that was taken over fences off the old holder", () => {
    const { boots, theirs, events, later, pass } = open();
    pass(leaseTtlMs * 2);
    theirs.acquire(root);
    const late = request({ boot: boots[0] }, root, [note(root, "late")], { fences: [fence(root, 1)] });
    const now = request({ boot: boots[1] }, root, [note(root, "now")], { fences: [fence(root, 1, 2)] });
    expect([events.commitGroup([late]), later.commitGroup([now])]).toMatchObject([
      [{ ok: false, error: { code: "STALE_LEASE" } }],
      [{ ok: true }],
    ]);
  });

  test("is taken with those of all its children, ended ones too", () => {
    const { boots, ours, events } = open();
    const [first, second] = ["subagent-1", "subagent-2"] as const;
    const ended = runId("ended");
    events.commitGroup([
      request(
        { boot: boots[0] },
        root,
        [handoff(root, child, first), note(child, "c"), handoff(root, ended, second), note(ended, "e")],
        {
          fences: [fence(root, 1)],
          starts: [
            { run: child, agent: first },
            { run: ended, agent: second },
          ],
          rows: [{ table: "runs", key: { run: ended }, set: { status: "failed" } }],
        },
      ),
    ]);
    expect(epochs(ours.acquire(root))).toEqual([
      [root, 2],
      [child, 2],
      [ended, 2],
    ]);
  });

  test("of a run that is not there is refused", () => {
    expect(epochs(open().ours.acquire(runId("nowhere")))).toBe("RUN_NOT_FOUND");
  });

  test("names its holder until that is released", () => {
    const { ours, theirs, boots } = open();
    const holder = theirs.holderOf(root);
    ours.release(root);
    expect([holder?.boot, theirs.holderOf(root)]).toEqual([boots[0], null]);
  });
});

test(
  "of two processes that want a run at once, one gets it, two hundred times over, each time at a new epoch",
  { timeout: 60_000 },
  async () => {
    const folder = makeFolder();
    const store = await openForTest(folder);
    await store.append(start(store, root));
    await store.release(root);
    const children = await Promise.all([startChild(folder), startChild(folder)]);
    const won: number[] = [];
    const wrong: unknown[] = [];
    for (let round = 0; round < 200; round += 1) {
      for (const each of children) each.send({ order: "acquire", run: root });
      const answers = await Promise.all(children.map((each) => each.next("acquired")));
      const winners = answers.flatMap(({ epoch }) => (epoch === null ? [] : [epoch]));
      if (winners.length !== 1 || !answers.some(({ code }) => code === "DRIVEN_ELSEWHERE")) wrong.push(answers);
      won.push(...winners);
      for (const each of children) each.send({ order: "release", run: root });
      await Promise.all(children.map((each) => each.next("released")));
    }
    expect([wrong, new Set(won).size, won.toSorted((a, b) => a - b)]).toEqual([[], 200, won]);
  },
);
