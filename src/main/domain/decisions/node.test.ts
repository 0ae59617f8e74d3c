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
  expect(story.node(id)).toMatchObject({ setupCount: 0, activity: "Its worktree is set up" });
  story.must(setUp(id, 0));
  expect(story.node(id).setupCount).toBe(1);
  story.must(place("lead"));
  story.must(setUp("lead", 0));
  expect(story.state.lead.work?.setupCount).toBe(1);
  story.must(place("lead"));
  expect(story.state.lead.work?.setupCount).toBe(0);
  expect(story.review(id, [fileChange("pay.js")])).toBe(`${id}.1`);
});
