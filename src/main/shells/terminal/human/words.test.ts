import { describe, expect, it } from "vitest";

import { subagent } from "./story.ts";
import { decidingCommands, runStatusWords, statusWords } from "./words.ts";

describe("a subagent", () => {
  it.each([
    [
      "waits for others",
      { status: "pending", waitingFor: { code: "DEPENDENCY", sentence: "Waits for subagent-1." } },
      "◌ Waiting",
    ],
    ["is queued for a slot", { status: "pending", waitingFor: { code: "SLOT", sentence: "All taken." } }, "○ Queued"],
    ["is ready", { status: "ready" }, "○ Queued"],
    ["works", { status: "running" }, "● Working"],
    ["submits", { status: "submitting" }, "● Working"],
    ["asks the lead", { status: "waiting", waitingFor: { code: "CONTEXT", sentence: "Asks: which?" } }, "◌ Waiting"],
    ["asks a person", { status: "waiting", waitingFor: { code: "PERSON", sentence: "Asks: npm test" } }, "◆ Needs you"],
    ["is to be reviewed", { status: "awaiting_review" }, "◇ Ready to review"],
    ["is held", { status: "awaiting_review", held: { code: "BASE_MOVED", sentence: "main moved." } }, "◆ Needs you"],
    ["lands", { status: "landing" }, "→ Landing"],
    ["is done", { status: "completed" }, "◉ Done"],
    ["was rejected", { status: "failed", code: "REJECTED" }, "■ Rejected"],
    ["has failed", { status: "failed", code: "LOOPING" }, "■ Failed"],
    ["was stopped", { status: "cancelled" }, "□ Stopped"],
  ] as const)("that %s says so", (_what, changes, expected) => {
    const { glyph, word } = statusWords(subagent("subagent-1", changes));
    expect(`${glyph} ${word}`).toBe(expected);
  });

  it("has landed when its change set is on the branch", () => {
    expect(statusWords(subagent("subagent-1", { status: "completed" }), { hasLanded: true, unicode: false })).toEqual({
      glyph: "=",
      word: "Landed",
      tone: "green",
    });
  });
});

describe("a run", () => {
  it.each([
    ["running", null, 0, "● Working"],
    ["waiting", null, 1, "◆ Needs you"],
    ["waiting", null, 0, "◌ Waiting"],
    ["interrupted", null, 0, "◆ Interrupted"],
    ["stopped", "final_answer", 0, "◉ Done"],
    ["stopped", "cancelled", 0, "□ Stopped"],
    ["stopped", "budget_exhausted", 0, "■ Failed, budget exhausted"],
    ["stopped", "manual_reconciliation", 0, "■ Failed, unreconciled"],
    ["stopped", "of_tomorrow", 0, "□ Stopped, of_tomorrow"],
    ["toString", null, 0, "◌ toString"],
  ])("%s, %s, with %i questions reads %s", (status, stopReason, count, expected) => {
    const { glyph, word } = runStatusWords({ status, stopReason, approvals: Array.from({ length: count }) });
    expect(`${glyph} ${word}`).toBe(expected);
  });
});

it("each kind of approval is decided by its own commands", () => {
  const commands = (kind: string) => decidingCommands({ id: "a", kind });
  expect(decidingCommands({ id: "a", kind: "changeset", isLine: true })).toEqual([
    "coppice approve a",
    "coppice reject a",
  ]);
  expect(commands("reconcile")).toEqual([
    "coppice answer a mine",
    "coppice answer a theirs",
    "coppice answer a SUBAGENT",
    "coppice reject a",
  ]);
  expect(["changeset", "question", "effect"].map((kind) => commands(kind))).toEqual([
    ["coppice approve a", "coppice send-back a --comment TEXT", "coppice reject a"],
    ["coppice answer a TEXT"],
    ["coppice answer a applied", "coppice answer a not_applied", "coppice answer a unknown"],
  ]);
});
