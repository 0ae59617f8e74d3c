import { expect, test } from "vitest";

import type { RunSnapshot, SubagentSnapshot } from "../../../shared/contract/snapshots.ts";
import { addresseeOf } from "./addressee.ts";

function runOf(status: RunSnapshot["status"], subagent: Partial<SubagentSnapshot> = {}): RunSnapshot {
  return {
    status,
    approvals: [] as RunSnapshot["approvals"],
    subagents: [{ id: "subagent-1", status: "running", ...subagent }],
  } as unknown as RunSnapshot;
}
const brief = (run: RunSnapshot, agent: "lead" | "subagent-1" | "subagent-2") => {
  const addressee = addresseeOf(run, agent);
  return addressee.kind === "open"
    ? `${addressee.verb}: ${addressee.hint}`
    : `${addressee.instead}: ${addressee.sentence}`;
};

test("the lead is written to at any time, and a stopped run goes on with it", () => {
  expect(
    (["running", "paused", "interrupted", "stopped", "imported", "quarantined"] as const).map((status) =>
      brief(runOf(status), "lead"),
    ),
  ).toEqual([
    "Send: Read at its next turn.",
    "Send: Noted at once, and read when the run goes on.",
    "Send: Noted at once, and read when the run goes on.",
    "Continue: The run goes on, on what is left of its budget.",
    "null: This run came from elsewhere: it can be looked at, not continued.",
    "null: This run is set aside, because its journal is damaged.",
  ]);
});

test("a subagent is written to while it is at work, and else it is said what to do instead", () => {
  const waiting = { status: "waiting", waitingFor: { code: "CONTEXT", sentence: "Asks: Which currency?" } } as const;
  expect([
    brief(runOf("running"), "subagent-1"),
    brief(runOf("waiting", waiting), "subagent-1"),
    brief(runOf("running", { status: "completed" }), "subagent-1"),
    brief(runOf("stopped", { status: "running" }), "subagent-1"),
    brief(runOf("waiting", { status: "awaiting_review" }), "subagent-1"),
    brief(runOf("running", { status: "landing" }), "subagent-1"),
    brief(runOf("running"), "subagent-2"),
  ]).toEqual([
    "Send: Read at its next turn.",
    "Answer: It goes on with your answer.",
    "lead: subagent-1 has ended.",
    "lead: subagent-1 has ended.",
    "review: subagent-1 waits for your review; send it back to have it changed.",
    "null: What subagent-1 wrote is landing.",
    "null: It does not exist yet.",
  ]);
});
