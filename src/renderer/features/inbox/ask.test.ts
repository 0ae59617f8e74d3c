import { expect, test } from "vitest";

import type { ApprovalId, RunId } from "../../../shared/contract/ids.ts";
import type { ApprovalPage } from "../../../shared/contract/runPages.ts";
import type { ApprovalSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { approving, countKinds, isEven, isYesOrNo, rejecting, scopesOf, sortAsks, usedOf, wordsOf } from "./ask.ts";

const run = { run: "abcdefghjk" as RunId, subagents: [] as RunSnapshot["subagents"] } as RunSnapshot;
function approvalOf(kind: string, since = 0): ApprovalSnapshot {
  return { id: `abcdefghjk-a${since}` as ApprovalId, kind, agent: "subagent-1", summary: "npm test", since };
}
const id = "abcdefghjk-a0";

test("a change set is reviewed and a question answered, everything else is yes or no", () => {
  expect(
    ["changeset", "question", "command", "budget", "unheard-of"].map((kind) => isYesOrNo(approvalOf(kind))),
  ).toEqual([false, false, true, true, true]);
  expect(wordsOf(approvalOf("unheard-of")).kind).toBe("unheard-of");
  expect(["command", "plan", "effect", "reconcile"].map((kind) => isEven(approvalOf(kind)))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test("a yes reaches further than once where that means something, and an effect or opposite verdicts are answered by what holds", () => {
  expect([
    approving(approvalOf("command"), "run"),
    approving(approvalOf("budget"), "run"),
    approving(approvalOf("plan"), "run"),
    approving(approvalOf("effect"), "once"),
    rejecting(approvalOf("effect")),
    approving(approvalOf("reconcile"), "once"),
    rejecting(approvalOf("reconcile")),
  ]).toEqual([
    { type: "approve", approval: id, resumes: true, scope: "run" },
    { type: "approve", approval: id, resumes: true, scope: "run" },
    { type: "approve", approval: id, resumes: true },
    { type: "answer", approval: id, value: "applied", resumes: true },
    { type: "answer", approval: id, value: "not_applied", resumes: true },
    { type: "answer", approval: id, value: "mine", resumes: true },
    { type: "answer", approval: id, value: "theirs", resumes: true },
  ]);
});

test("a no says what to do instead, when somebody wrote it", () => {
  expect([rejecting(approvalOf("command"), " Use make. "), rejecting(approvalOf("command"), " ")]).toEqual([
    { type: "reject", approval: id, resumes: true, comment: "Use make." },
    { type: "reject", approval: id, resumes: true },
  ]);
});

test("the choices say exactly what they allow", () => {
  const labels = (kind: string, page: Partial<ApprovalPage>) =>
    scopesOf(approvalOf(kind), page as ApprovalPage).map(([, label]) => label);
  expect([
    labels("command", { allows: "words" })[1],
    labels("command", { allows: "line" })[2],
    labels("budget", { raise: { balance: "costMicros", used: 0, limit: 4_000_000, by: 2_000_000 } })[0],
    labels("budget", { raise: { balance: "steps", used: 0, limit: 80, by: 40 } })[0],
    labels("budget", { raise: { balance: "steps", used: 0, limit: 2, by: 1 } })[0],
    labels("plan", {}),
  ]).toEqual([
    "These exact words, for this run",
    "This exact line, for this repository",
    "$2.00 more",
    "40 steps more",
    "1 step more",
    ["Once"],
  ]);
});

test("what is used is told in the units of its limit", () => {
  expect([
    usedOf({ balance: "steps", used: 12, limit: 40, by: 20 }),
    usedOf({ balance: "costMicros", used: 3_980_000, limit: 4_000_000, by: 2_000_000 }),
  ]).toEqual(["12 of 40 steps", "$3.98 of $4.00"]);
});

test("who has waited longest comes first, and kinds are counted", () => {
  const asks = [30, 10, 20].map((since) => ({ approval: approvalOf(since === 10 ? "plan" : "command", since), run }));
  expect([sortAsks(asks).map(({ approval }) => approval.since), countKinds(asks)]).toEqual([
    [10, 20, 30],
    [
      ["command", 2],
      ["plan", 1],
    ],
  ]);
});
