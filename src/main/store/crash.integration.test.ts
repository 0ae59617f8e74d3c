import { expect, test } from "vitest";

import { sampleOf } from "../../../test/support/thorough.ts";
import { checkStore } from "./check.ts";
import { fence, note, request, requireStore, runId, start } from "./fixture.ts";
import { makeFolder, startChild } from "./fixtureChild.ts";
import type { Child } from "./fixtureChild.ts";
import { openReader } from "./openDatabase.ts";

const root = runId("root");
const rounds = sampleOf(15, 8);

async function waitForKeys(child: Child, count: number): Promise<void> {
  for (let seen = 0; seen < count; seen += 1) await child.next("stored");
}

function acknowledged(child: Child): readonly string[] {
  return child.reports.flatMap((each) => (each.report === "stored" ? [each.key] : []));
}

test(
  "[G10] a writer that is killed at any point loses nothing it has acknowledged, and leaves no half of a request",
  { timeout: 120_000 },
  async () => {
    const folder = makeFolder();
    const store = await requireStore(folder);
    await store.append(start(store, root));
    await store.close();
    const keys: string[] = [];
    const faults: unknown[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const child = await startChild(folder);
      child.send({ order: "write", run: root });
      await waitForKeys(child, 1 + ((round * 37) % 60));
      await child.kill();
      keys.push(...acknowledged(child));
      faults.push(...checkStore({ folder }).filter((check) => !check.ok));
    }
    const db = openReader(folder);
    const stored = new Set(db.prepare<[], string>("SELECT key FROM events WHERE key IS NOT NULL").pluck().all());
    const count = db.prepare<[], number>("SELECT count(*) FROM events").pluck().get() ?? 0;
    db.close();
    expect(faults).toEqual([]);
    expect(keys.filter((key) => !stored.has(key))).toEqual([]);
    // Each request has two events, one with a key: halves would show as another sum.
    expect(count).toBe(1 + 2 * stored.size);
  },
);

test("a request that was stored but not acknowledged is recognised by its key when it is sent again", async () => {
  const folder = makeFolder();
  const first = await requireStore(folder);
  await first.append(start(first, root));
  await first.close();
  const child = await startChild(folder);
  child.send({ order: "write", run: root });
  const { key } = await child.next("stored");
  await child.kill();
  const store = await requireStore(folder);
  const acquired = await store.acquire(root);
  const epoch = acquired.ok ? (acquired.value[0]?.epoch ?? 0) : 0;
  const result = await store.append(
    request(store, root, [note(root, "a", { key })], { fences: [fence(root, 1, epoch)] }),
  );
  await store.close();
  expect([acquired.ok, result]).toMatchObject([
    true,
    { ok: false, error: { code: "DUPLICATE_KEY", details: { seq: 2 } } },
  ]);
});
