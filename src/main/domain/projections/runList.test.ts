// What a line of the run list says of a run that nobody folds, and how a list of any length fits.

import { expect, test } from "vitest";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { RunStatus } from "../../../shared/contract/snapshots.ts";
import { fitRunList, runListItemOf } from "./runList.ts";

const line = { run: "r1" as RunId, title: "Pay", stopReason: null, repo: "/repo", createdAt: 5, updatedAt: 9 };
const row = { ...line, agents: "", landed: null, pinned: false };
const command = { kind: "command", since: 7 };

test.each([
  ["running", 0, true, "running"],
  ["running", 0, false, "interrupted"],
  ["created", 0, false, "interrupted"],
  ["waiting", 2, false, "waiting"],
  ["waiting", 0, false, "ready"],
  ["waiting", 0, true, "waiting"],
  ["paused", 0, false, "paused"],
  ["stopped", 0, false, "stopped"],
  ["from a later version", 0, true, "quarantined"],
])("a run that is %s, with %i approvals, driven: %s, shows as %s", (status, approvals, isDriven, shown) => {
  const open = Array.from({ length: approvals }, () => command);
  expect(runListItemOf({ ...row, status }, open, isDriven)).toEqual({
    ...line,
    status: shown,
    needsYouCount: approvals,
    reviewCount: 0,
    ...(approvals === 0 ? {} : { asks: open.map(({ kind }) => kind), askedAt: 7 }),
  });
});

test("a line says what is asked and since when, who is at work, what landed, and that it is pinned", () => {
  const busy = { ...row, status: "running", agents: "dwq", landed: "a91c03e0b1d2", pinned: true };
  expect(runListItemOf(busy, [{ kind: "changeset", since: 6 }, command], true)).toEqual({
    ...line,
    status: "running",
    needsYouCount: 2,
    reviewCount: 1,
    asks: ["changeset", "command"],
    askedAt: 6,
    agents: "dwq",
    landed: "a91c03e",
    isPinned: true,
  });
});

test("a list that is too long leaves out finished runs, the oldest first, and says how many", () => {
  const statuses: readonly RunStatus[] = ["stopped", "running", "stopped", "stopped", "waiting"];
  const items = statuses.map((status, index) => ({
    ...runListItemOf({ ...row, status }, [], true),
    run: `run-${index}` as RunId,
  }));
  const bytes = JSON.stringify(items[0]).length + 1;
  const { runs, olderCount } = fitRunList(items, 4 * bytes - 1);
  expect([runs.map(({ run }) => run), olderCount, fitRunList(items, 5 * bytes)]).toEqual([
    ["run-0", "run-1", "run-4"],
    2,
    { runs: items },
  ]);
});
