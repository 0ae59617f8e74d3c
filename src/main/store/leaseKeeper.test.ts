import { expect, onTestFinished, test } from "vitest";

import type { RunId } from "../../shared/contract/ids.ts";
import type { Lease } from "../engine/ports/store.ts";
import { runId } from "./fixture.ts";
import { createLeaseKeeper, lostAfterMs, renewEveryMs } from "./leaseKeeper.ts";

const [root, child] = [runId("root"), runId("child")];

function open(answer: () => Promise<readonly Lease[]>) {
  let at = 0;
  let askedCount = 0;
  const lost: RunId[] = [];
  const ask = (): Promise<readonly Lease[]> => {
    askedCount += 1;
    return answer();
  };
  const keeper = createLeaseKeeper(ask, () => at);
  onTestFinished(() => keeper.stop());
  keeper.onLost((run) => lost.push(run));
  keeper.hold(root, [root, child], 0);
  return { keeper, lost, pass: (ms: number) => void (at += ms), askedCount: () => askedCount };
}

const all = () => Promise.resolve([root, child].map((run) => ({ run, epoch: 1 })));

test("all leases are renewed by one call every 5 s, and kept", async () => {
  const { keeper, lost, pass, askedCount } = open(all);
  for (let second = 0; second < 60; second += 1) {
    await keeper.tick();
    pass(1_000);
  }
  expect([lost, askedCount()]).toEqual([[], 60_000 / renewEveryMs]);
});

test("leases that were not renewed for 10 s are lost, each told once", async () => {
  const { keeper, lost, pass } = open(() => Promise.reject(new Error("busy")));
  pass(lostAfterMs - 1);
  await keeper.tick();
  const before = [...lost];
  pass(1);
  await keeper.tick();
  await keeper.tick();
  expect([before, lost]).toEqual([[], [root, child]]);
});

test("a process that slept through its leases gives them up before it asks", async () => {
  const { keeper, lost, pass, askedCount } = open(all);
  pass(lostAfterMs * 6);
  await keeper.tick();
  expect([lost, askedCount()]).toEqual([[root, child], 0]);
});

test("a lease that another has taken is lost at the next renewal", async () => {
  const { keeper, lost } = open(() => Promise.resolve([{ run: root, epoch: 1 }]));
  await keeper.renewNow();
  expect(lost).toEqual([child]);
});

test("a lease that was released is not reported as lost", async () => {
  const { keeper, lost, pass } = open(all);
  keeper.drop(root);
  pass(lostAfterMs);
  await keeper.tick();
  expect(lost).toEqual([]);
});

test("a process that was stopped and wakes knows at once that it may hold the lease no more", () => {
  const { keeper, lost, pass } = open(all);
  const before = keeper.isHeld(root);
  pass(lostAfterMs);
  // No timer has fired and nobody has told it anything.
  expect([before, keeper.isHeld(root), lost]).toEqual([true, false, []]);
});
