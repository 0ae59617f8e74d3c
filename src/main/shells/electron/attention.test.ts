import { describe, expect, it } from "vitest";

import type { ApprovalId, ChangeSetId, RunId } from "../../../shared/contract/ids.ts";
import type { RunListItem, RunListSnapshot } from "../../../shared/contract/snapshots.ts";
import { approvalNotice, gather, isQuiet, newsOf, stoppedNotice, waitingCount } from "./attention.ts";

function itemOf(run: string, changes: Partial<RunListItem> = {}): RunListItem {
  return {
    run,
    title: "Fix the parser",
    status: "running",
    stopReason: null,
    needsYouCount: 0,
    ...changes,
  } as RunListItem;
}

function listOf(...runs: readonly RunListItem[]): RunListSnapshot {
  return { version: 1, runs, olderCount: 0 };
}

describe("attention", () => {
  it("is asked for where more is asked than before, and where a run has stopped", () => {
    const before = listOf(itemOf("aaaa"), itemOf("bbbb", { needsYouCount: 2 }), itemOf("cccc"), itemOf("gone"));
    const after = listOf(
      itemOf("aaaa", { needsYouCount: 1 }),
      itemOf("bbbb", { needsYouCount: 1 }),
      itemOf("cccc", { status: "stopped", stopReason: "final_answer" }),
      itemOf("dddd", { needsYouCount: 1 }),
      itemOf("eeee", { status: "stopped" }),
    );
    const { asking, stopped } = newsOf(before, after);
    expect([asking.map(({ run }) => run), stopped.map(({ run }) => run)]).toEqual([["aaaa", "dddd"], ["cccc"]]);
    expect(waitingCount(after)).toBe(3);
    expect(newsOf(after, after)).toEqual({ asking: [], stopped: [] });
  });

  it("leads to the exact place: a change set to its review, anything else to the inbox", () => {
    const run = { run: "aaaa" as RunId, title: "Fix the parser" };
    const approval = { id: "aaaa-a1" as ApprovalId, agent: "subagent-1", since: 0 } as const;
    const changeset = "subagent-1.1" as ChangeSetId;
    expect(approvalNotice(run, { ...approval, kind: "changeset", summary: "3 files", changeset })).toEqual({
      key: "aaaa-a1",
      title: "Fix the parser",
      body: "Ready to review (subagent-1): 3 files",
      search: "?run=aaaa&review=subagent-1.1",
    });
    expect(approvalNotice(run, { ...approval, kind: "command", summary: "npm test" })).toMatchObject({
      body: "May it run this command? (subagent-1): npm test",
      search: "?view=inbox&run=aaaa&approval=aaaa-a1",
    });
    expect(stoppedNotice(itemOf("aaaa", { stopReason: "budget_exhausted" }))).toMatchObject({
      body: "Stopped before it was done (budget_exhausted).",
      search: "?run=aaaa",
    });
  });

  it("[G14] shows what an agent wrote as one line of plain text", () => {
    const run = { run: "aaaa" as RunId, title: "a\u001b[31mb\u202eexe.txt\nc" };
    const summary = `rm -rf\u0007 ${"x".repeat(1_000)}`;
    const { title, body } = approvalNotice(run, {
      id: "a" as ApprovalId,
      kind: "command",
      agent: "lead",
      summary,
      since: 0,
    });
    expect(title).toBe("a [31mb exe.txt c");
    expect([body.length, /[\p{Cc}\p{Cf}]/u.test(body)]).toEqual([180, false]);
  });

  it("tells many things at once as one", () => {
    const notices = ["1", "2", "3", "4"].map((key) => ({ key, title: "t", body: "b", search: "?run=aaaa" }));
    expect(gather(notices.slice(0, 3))).toHaveLength(3);
    expect(gather(notices)).toMatchObject([{ body: "4 things need you.", search: "?view=inbox" }]);
  });

  it("keeps quiet hours, also over midnight", () => {
    const night = { needsYou: true, finished: true, quietHours: { from: "22:00", to: "07:30" } };
    expect([21, 22, 0, 7].map((hour) => isQuiet(night, hour * 60))).toEqual([false, true, true, true]);
    expect(isQuiet(night, 7 * 60 + 30)).toBe(false);
    const noon = { ...night, quietHours: { from: "12:00", to: "13:00" } };
    expect([11, 12, 13].map((hour) => isQuiet(noon, hour * 60))).toEqual([false, true, false]);
    expect(isQuiet({ ...night, quietHours: null }, 0)).toBe(false);
  });
});
