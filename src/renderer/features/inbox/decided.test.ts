import { expect, test } from "vitest";

import type { DecidedLine } from "../../../shared/contract/care.ts";
import type { ApprovalId, RunId } from "../../../shared/contract/ids.ts";
import { midnightOf } from "../../ui/formats.ts";
import { outcomeOf } from "./decided.ts";

const line: DecidedLine = {
  approval: "run-a-a1" as ApprovalId,
  run: "run-a" as RunId,
  runTitle: "Count",
  kind: "command",
  agent: "lead",
  role: "lead",
  summary: "npm test",
  n: 7,
  at: 0,
  decision: "approved",
  by: "a person",
  scope: "once",
  changeset: null,
  landed: null,
};

const wordOf = (more: Partial<DecidedLine>) => outcomeOf({ ...line, ...more }).word;

test("a decision is told by what was asked, how far a yes reaches, and what became of it", () => {
  expect([
    wordOf({}),
    wordOf({ scope: "run" }),
    wordOf({ scope: "project" }),
    wordOf({ decision: "rejected" }),
    wordOf({ kind: "changeset" }),
    wordOf({ kind: "changeset", landed: "a91c03e" }),
    wordOf({ kind: "changeset", decision: "rejected" }),
    wordOf({ kind: "changeset", decision: "sent_back" }),
    wordOf({ kind: "budget" }),
    wordOf({ kind: "budget", scope: "run" }),
    wordOf({ kind: "plan" }),
    wordOf({ kind: "question", decision: "answered" }),
  ]).toEqual([
    "Allowed, once",
    "Allowed, this run",
    "Allowed, this repository",
    "Denied",
    "Approved",
    "Landed",
    "Rejected",
    "Sent back",
    "Budget given",
    "Limit taken off",
    "Plan started",
    "Answered",
  ]);
});

test("a day begins at local midnight", () => {
  const noon = new Date(2026, 4, 3, 12, 30).getTime();
  expect(new Date(midnightOf(noon))).toEqual(new Date(2026, 4, 3));
});
