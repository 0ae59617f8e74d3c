// What a line of the run list says of a run that nobody folds.

import { expect, test } from "vitest";

import type { RunId } from "../../../shared/contract/ids.ts";
import { runListItemOf } from "./runList.ts";

const row = { run: "r1" as RunId, title: "Pay", stopReason: null, repo: "/repo", createdAt: 5 };

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
  expect(runListItemOf({ ...row, status }, { needsYouCount: approvals, reviewCount: 1 }, isDriven)).toEqual({
    ...row,
    status: shown,
    needsYouCount: approvals,
    reviewCount: 1,
  });
});
