import { expect, test } from "vitest";

import type { ApprovalId, RunId } from "../../../shared/contract/ids.ts";
import type { ApprovalSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import { approving, isYesOrNo, sortAsks, wordsOf } from "./ask.ts";

const run = { run: "abcdefghjk" as RunId, subagents: [] as RunSnapshot["subagents"] } as RunSnapshot;
function approvalOf(kind: string, since = 0): ApprovalSnapshot {
  return { id: `abcdefghjk-a${since}` as ApprovalId, kind, agent: "subagent-1", summary: "npm test", since };
}

test("a change set is reviewed and a question answered, everything else is yes or no", () => {
  expect(
    ["changeset", "question", "command", "budget", "unheard-of"].map((kind) => isYesOrNo(approvalOf(kind))),
  ).toEqual([false, false, true, true, true]);
  expect(wordsOf(approvalOf("unheard-of")).kind).toBe("unheard-of");
});

test("only the approval of a command reaches further than once", () => {
  expect([
    approving({ approval: approvalOf("command"), run }, "run"),
    approving({ approval: approvalOf("plan"), run }, "run"),
  ]).toEqual([
    { type: "approve", approval: "abcdefghjk-a0", resumes: true, scope: "run" },
    { type: "approve", approval: "abcdefghjk-a0", resumes: true },
  ]);
});

test("who has waited longest comes first", () => {
  const asks = [30, 10, 20].map((since) => ({ approval: approvalOf("command", since), run }));
  expect(sortAsks(asks).map(({ approval }) => approval.since)).toEqual([10, 20, 30]);
});
