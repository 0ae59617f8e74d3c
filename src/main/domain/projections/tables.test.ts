// What single events do to the rows; that rows and fold agree in general is shown by run.property.test.ts.

import { describe, expect, test } from "vitest";

import { oid, resultOf, Story, toolCall } from "../../../../test/support/runStory.ts";
import { applyRows, type ProjectedTable, type Row, rowChangesOf, tablesOf } from "./tables.ts";

function rows(story: Story, table: ProjectedTable): readonly Row[] {
  return tablesOf(story.events).get(table) ?? [];
}

/** A run with one executor whose change set has landed. */
function landed(): Story {
  const story = new Story({ budget: { steps: 100 } }).start();
  const id = story.spawn({ role: "executor", paths: ["pay.js"] });
  story.must({ type: "place.create", agent: id, path: "/places/1", root: oid(2), durationMs: 1 });
  const set = story.review(id);
  story.decide(id, "approved");
  story.land(set);
  story.must({
    type: "place.pin",
    agent: id,
    path: "/places/1",
    ref: "refs/coppice/r1/pins/1",
    commit: oid(9),
    reason: "ended",
  });
  story.must({ type: "place.remove", agent: id, path: "/places/1" });
  story.settle(id);
  return story;
}

test("a landed change set is in every table that concerns it", () => {
  const story = landed();
  const tables = Object.fromEntries(
    (["changesets", "landings", "approvals", "worktrees", "handoffs"] as const).map((table) => [
      table,
      rows(story, table),
    ]),
  );
  expect(tables).toEqual({
    changesets: [
      {
        id: "r1/subagent-1.1",
        run: "r1",
        agent: "subagent-1",
        base: oid(2),
        commit_oid: oid(101),
        tree: oid(201),
        ref: "refs/coppice/r1/subagent-1/1",
        status: "landed",
        hunks: 1,
      },
    ],
    landings: [
      {
        id: "r1-l1",
        run: "r1",
        changeset: "r1/subagent-1.1",
        target: "coppice/pay-r1",
        old_oid: oid(2),
        new_oid: oid(300),
        tree: oid(301),
        status: "landed",
      },
    ],
    approvals: [
      {
        id: "r1-a1",
        run: "r1",
        kind: "changeset",
        agent: "subagent-1",
        summary: "Look at pay.js: 1 hunk in 1 file",
        status: "decided",
        decision: "approved",
        requested_at: expect.any(Number),
        decided_at: expect.any(Number),
      },
    ],
    worktrees: [
      {
        path: "/places/1",
        run: "r1",
        agent: "subagent-1",
        root: oid(2),
        status: "removed",
        pin_ref: "refs/coppice/r1/pins/1",
      },
    ],
    handoffs: [
      {
        run: "r1",
        subagent: "subagent-1",
        child_run: "r1-1",
        role: "executor",
        key: "r1:lead-t1:call-1",
        contract_hash: expect.any(String),
        status: "completed",
        code: null,
        settled_status: "completed",
      },
    ],
  });
});

test("runs hold one row for the root and one for each child", () => {
  const story = landed();
  story.speak();
  story.must({ type: "run.stop" });
  expect(
    rows(story, "runs").map(({ run, root, agent, kind, status, stop_reason }) => [
      run,
      root,
      agent,
      kind,
      status,
      stop_reason,
    ]),
  ).toEqual([
    ["r1", "r1", "lead", "root", "stopped", "final_answer"],
    ["r1-1", "r1", "subagent-1", "child", "completed", null],
  ]);
});

test("the budget is held by a slice while its child works and used once it is settled", () => {
  const story = new Story({ budget: { steps: 100 } }).start();
  const id = story.spawn();
  const steps = () => rows(story, "budgets").find((row) => row["balance"] === "steps");
  const held = steps();
  story.complete(id);
  expect([held, steps()]).toEqual([
    { run: "r1", owner: "run", balance: "steps", limit_value: 100, used: 1, reserved: 23 },
    { run: "r1", owner: "run", balance: "steps", limit_value: 100, used: 2, reserved: 0 },
  ]);
});

describe("effects", () => {
  test("are rows from their dispatch on, apart where two agents use one call id", () => {
    const story = new Story().start();
    const id = story.spawn();
    for (const agent of ["lead", id] as const) {
      story.turn(agent, { calls: [toolCall("call", "readFile")] });
      story.must({ type: "agent.dispatch", agent, call: "call", effect: "read", class: "pure", input: {} });
    }
    story.must({
      type: "agent.settle",
      agent: id,
      call: "call",
      outcome: "failed",
      durationMs: 1,
      output: "",
      resultHash: "h",
    });
    const shared = { run: "r1", tool: "readFile", effect: "read", class: "pure" };
    expect(rows(story, "effects")).toEqual([
      { ...shared, call: "lead/call", agent: "lead", status: "dispatched", outcome: null },
      { ...shared, call: "subagent-1/call", agent: "subagent-1", status: "settled", outcome: "failed" },
    ]);
  });
});

test("evidence of a later, shorter result empties the rows of the earlier one", () => {
  const story = new Story().start();
  const id = story.spawn();
  const handIn = (call: string, status: "needs_context" | "done", sources: readonly string[]) => {
    story.turn(id, { calls: [toolCall(call, "submitResult")] });
    story.must({
      type: "agent.submit",
      agent: id,
      call,
      result: { ...resultOf(status), evidence: sources.map((source) => ({ source })) },
      schema: "ok",
      marks: sources.map(() => "found"),
    });
  };
  handIn("first", "needs_context", ["a.js:1", "b.js:2"]);
  story.must({ type: "run.input", text: "Euro.", from: "a person", to: id });
  handIn("second", "done", ["c.js:3"]);
  expect(applyRows(rowChangesOf(story.events)).get("evidence")).toEqual([
    { run: "r1", agent: "subagent-1", idx: 0, source: "c.js:3", mark: "found" },
    { run: "r1", agent: "subagent-1", idx: 1, source: null, mark: null },
  ]);
});

test("an empty journal has no rows", () => {
  expect([...tablesOf([])]).toEqual([]);
});

test("the rows agree with the fold after each event of a submission that goes back and forth", () => {
  const story = new Story({ options: { verify: ["npm test"] } }).start();
  const id = story.spawn({ role: "executor", paths: ["pay.js"] });
  story.submit(id);
  story.propose(id);
  story.verify(id, 1);
  story.close(id);
  story.review(id);
  story.decide(id, "sent_back", "Mind the cents.");
  const changeset = story.review(id);
  story.decide(id, "approved");
  story.must({ type: "landing.begin", changeset, old: null, new: oid(3), tree: oid(4) });
  story.must({ type: "landing.hold", changeset, code: "CONFLICT", sentence: "…" });
  story.must({ type: "run.cancel", by: "a person" });
  const prefixes = story.events.map((_, index) => story.events.slice(0, index + 1));
  const statuses = rows(story, "changesets").map((row) => row["status"]);
  expect([statuses, prefixes.map((events) => applyRows(rowChangesOf(events)).get("changesets"))]).toEqual([
    ["replaced", "replaced", "withdrawn"],
    prefixes.map((events) => tablesOf(events).get("changesets")),
  ]);
});
