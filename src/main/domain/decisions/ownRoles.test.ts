// Roles that a run was started with: handed off like any other, by name, hash and limits, and never in a built-in one's place.

import { expect, test } from "vitest";

import { fileRole, oid, Story } from "../../../../test/support/runStory.ts";
import { findFaults } from "../invariants/faults.ts";

test("a subagent with one is held to its tools, its steps and its model, and the handoff names the file's hash", () => {
  const story = new Story({ roles: [fileRole("migrations", { model: "small" })] }).start();
  const id = story.spawn({ role: "migrations", maxSteps: 50 });
  expect(story.ofType("handoff.recorded")[0]?.data).toMatchObject({
    role: "migrations",
    roleHash: oid(7),
    writes: false,
  });
  expect(story.node(id).packet).toMatchObject({
    allowedTools: ["readFile", "submitResult"],
    maxSteps: 7,
    model: "small",
    remainingDepth: 0,
  });
  expect(story.node(story.spawn({ role: "migrations", model: "large" })).packet.model).toBe("large");
  expect(story.refusedSpawn({ role: "nobody" }).message).toContain("executor, migrations");
});

test("one that bears the name of a built-in role changes nothing of that", () => {
  const story = new Story({
    roles: [fileRole("explorer", { tools: ["runCommand"], ceiling: "execute", steps: 900 })],
  }).start();
  const id = story.spawn({ role: "explorer" });
  expect(story.node(id).packet).toMatchObject({
    allowedTools: ["listFiles", "readFile", "searchText", "submitResult"],
    maxSteps: 25,
  });
});

test("a tool above its ceiling is a fault of the journal", () => {
  const story = new Story({ roles: [fileRole("migrations", { tools: ["readFile", "runCommand"] })] }).start();
  const id = story.spawn({ role: "migrations" });
  story.turn(id, { calls: [{ id: "c1", name: "runCommand", arguments: "{}" }] });
  story.must({ type: "agent.dispatch", agent: id, call: "c1", effect: "execute", class: "opaque", input: {} });
  expect(findFaults(story.events, {}).map(({ id: invariant }) => invariant)).toEqual(["I11"]);
});
