import { expect, test } from "vitest";
import { fileChange, oid, Story } from "../../../../test/support/runStory.ts";
import type { Command } from "../commands.ts";
import type { AgentId } from "../../../shared/contract/ids.ts";

const place = (agent: AgentId): Command => ({
  type: "place.create",
  agent,
  path: `/places/${agent}`,
  root: oid(2),
  durationMs: 1,
});
const setUp = (agent: AgentId, exitCode: number): Command => ({
  type: "place.provision",
  agent,
  run: {
    path: `/places/${agent}`,
    durationMs: 5,
    command: "npm ci",
    exitCode,
    outcome: "exited",
    output: "added 3 packages",
  },
});

test("set-up is counted by what ended well in a worktree as it stands, and anew where it is laid out anew", () => {
  const story = new Story({ options: { leadEdits: true, setup: ["npm ci", "npm run build"] } }).start();
  const id = story.spawn({ role: "executor", paths: ["pay.js"] });
  expect(story.apply(setUp(id, 0))).toMatchObject({ rejection: { code: "NOT_ALLOWED_NOW" } });
  story.must(place(id));
  story.must(setUp(id, 1));
  expect(story.node(id)).toMatchObject({ setupCount: 0, activity: "Set-up 1 of 2: npm ci" });
  story.must(setUp(id, 0));
  expect(story.node(id)).toMatchObject({ setupCount: 1, activity: "Set-up 2 of 2: npm run build" });
  story.must(place("lead"));
  story.must(setUp("lead", 0));
  expect(story.state.lead.work?.setupCount).toBe(1);
  story.must(place("lead"));
  expect(story.state.lead.work?.setupCount).toBe(0);
  expect(story.review(id, [fileChange("pay.js")])).toBe(`${id}.1`);
});

test("a check is told by its place among them, and set-up of what is checked only where it fails", () => {
  const story = new Story({ options: { verify: ["npm test", "npm run lint"], setup: ["npm ci"] } }).start();
  const id = story.spawn({ role: "executor", paths: ["pay.js"] });
  story.must(place(id));
  story.must(setUp(id, 0));
  story.submit(id);
  story.propose(id);
  const told = (["npm test", "npm run lint", "npm ci"] as const).map((command, at) => {
    story.verify(id, at, command);
    return story.node(id).activity;
  });
  expect(told).toEqual(["Check 1 of 2 passed: npm test", "Check 2 of 2 failed: npm run lint", "Set-up failed: npm ci"]);
});
