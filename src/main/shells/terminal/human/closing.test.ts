import { describe, expect, it } from "vitest";

import type { RunSnapshot } from "../../../../shared/contract/snapshots.ts";
import type { RunEvent } from "../../../domain/events.ts";
import type { LookOptions } from "./look.ts";
import { createProgress } from "./progress.ts";
import { createJournal, landing, plain, question, run, snapshot, summary } from "./story.ts";

const spoken = { request: "r1", toolCalls: [], finish: "stop", usage: null, costMicros: null };

describe("the end", () => {
  function end(
    changes: Partial<RunSnapshot>,
    before: readonly RunEvent[] = [],
    options: LookOptions = plain,
  ): readonly string[] {
    const lines: string[] = [];
    const progress = createProgress({ ...options, write: (line) => lines.push(line) });
    for (const event of before) progress.event(event, snapshot(changes));
    lines.length = 0;
    progress.end(summary(changes), snapshot(changes));
    return lines;
  }

  it("says what came of the run", () => {
    expect(
      end({
        status: "stopped",
        stopReason: "final_answer",
        answer: "Callbacks enter twice.\n\nNow each is charged once.",
        landed: [landing],
        costUsd: 0.4213,
        usage: { inputTokens: 128_000, outputTokens: 9_400, cachedTokens: 64_000, requests: 14 },
      }),
    ).toEqual([
      "",
      "◉ lead  Done  Payments are sometimes charged twice",
      "              4 steps · qwen3-coder",
      "",
      "Answer",
      "  Callbacks enter twice.",
      "",
      "  Now each is charged once.",
      "",
      "Landed",
      "  ⇥ 9f8e7d6 on coppice/k3v9x2m7qa  1 file",
      "    src/charge.ts",
      "",
      "Used",
      "  128 k tokens in, 9.4 k out, 64 k from cache · 14 requests · $0.42 · 3 m 12 s",
    ]);
  });

  it("says of which models the input is charged as estimated", () => {
    expect(end({ status: "stopped", stopReason: "final_answer", doubted: ["qwen3-coder"] }).slice(-3)).toEqual([
      "Used",
      "  128 k tokens in, 9.4 k out · 14 requests · cost unknown",
      "  input of qwen3-coder charged as estimated · 3 m 12 s",
    ]);
  });

  it("says what waits and what to type", () => {
    expect(end({ status: "waiting", approvals: [question] }, [], { ...plain, columns: 60, unicode: false })).toEqual([
      "",
      "! lead  Needs you",
      "  Payments are sometimes charged twice",
      "  4 steps - qwen3-coder - Thinking",
      "",
      "Waits for you",
      "  ! Change set  subagent-3",
      "    Add an idempotency key to charge(): 2 hunks in 1 file",
      "      coppice diff k3v9x2m7qa subagent-3",
      "      coppice approve k3v9x2m7qa-a1",
      "      coppice send-back k3v9x2m7qa-a1 --comment TEXT",
      "      coppice reject k3v9x2m7qa-a1",
      "",
      "Used",
      "  128 k tokens in, 9.4 k out - 14 requests - cost unknown",
      "  3 m 12 s",
      "",
      "Next",
      `  coppice resume ${run}  goes on once you have decided`,
    ]);
  });

  it("points to the log of a run that failed and to resume of one that was interrupted", () => {
    const next = (changes: Partial<RunSnapshot>) => end(changes).slice(-2);
    expect([next({ status: "stopped", stopReason: "failed" }), next({ status: "interrupted" })]).toEqual([
      ["Next", "  coppice log k3v9x2m7qa  shows what led to this"],
      ["Next", "  coppice resume k3v9x2m7qa  goes on from here"],
    ]);
  });

  it("does not say a long answer twice", () => {
    const event = createJournal();
    const answer = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join("\n");
    const lines = end({ status: "stopped", stopReason: "final_answer", answer }, [
      event("lead", "model.completed", { ...spoken, text: answer }),
    ]);
    expect(lines.slice(4, 9)).toEqual(["Answer", "  line 1", "  line 2", "  line 3", "  … in full above, at 12:00:01"]);
  });
});
