// The main job through the real composition: real git, real SQLite, real processes, a model server on loopback.

import { afterEach, describe, expect, test } from "vitest";

import {
  calls,
  edit,
  endStories,
  eventsOf,
  openStory,
  say,
  spawn,
  submit,
  toolAnswers,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const files = {
  "pay.js": "export function onCallback(order) {\n  charge(order)\n}\n",
  "check.js": "const s=require('fs').readFileSync('pay.js','utf8'); process.exit(s.includes('seen.has') ? 0 : 1)\n",
};
const mend = edit({
  kind: "replace",
  path: "pay.js",
  oldText: "  charge(order)",
  newText: "  if (seen.has(order.id)) return\n  charge(order)",
});

describe("the main job", () => {
  test("goes from two explorers to a landed, verified change that their answers led to", async () => {
    const story = await openStory(
      [
        {
          match: /charged twice/,
          turns: [
            calls(spawn("ALPHA find the entry"), spawn("BETA find the states")),
            wait(["subagent-1", "subagent-2"]),
            (body) =>
              calls(
                spawn(`GAMMA mend ${/FOUND-\w+/.exec(toolAnswers(body))?.[0] ?? "nothing"}`, {
                  role: "executor",
                  paths: ["pay.js"],
                }),
              ),
            wait(["subagent-3"]),
            say("Fixed."),
          ],
        },
        {
          match: /ALPHA/,
          turns: [
            { calls: [{ name: "readFile", args: { path: "pay.js" } }] },
            submit("FOUND-nocheck", { evidence: [{ source: "pay.js:2", quote: "charge(order)" }] }),
          ],
        },
        { match: /BETA/, turns: [submit("paid is final")] },
        {
          match: /GAMMA mend FOUND-nocheck/,
          turns: [{ calls: [{ name: "readFile", args: { path: "pay.js" } }] }, mend, submit("added the key")],
        },
      ],
      files,
    );
    const before = story.repository.git("rev-parse", "main");
    const run = await story.run("Payments are charged twice.", { options: { verify: ["node check.js"] } });
    expect({
      stop: run.state().stop,
      nodes: run.state().nodes.map((node) => [node.id, node.status, node.code]),
      marks: run.state().nodes[0]?.evidence.map((item) => item.mark),
      landed: eventsOf(run, "changeset.landed").map((event) => [event.data.target, event.data.files]),
      checks: eventsOf(run, "verification.ran").map((event) => [
        event.data.by,
        event.data.command,
        event.data.exitCode,
      ]),
      onBranch: story.repository.git("show", "landed:pay.js").includes("seen.has"),
      checkout: [
        story.repository.git("rev-parse", "main"),
        story.repository.git("status", "--porcelain"),
        story.repository.git("worktree", "list").split("\n").length,
      ],
    }).toEqual({
      stop: { reason: "final_answer", answer: "Fixed.", partial: false, code: null, sentence: null },
      nodes: [
        ["subagent-1", "completed", null],
        ["subagent-2", "completed", null],
        ["subagent-3", "completed", null],
      ],
      marks: ["found"],
      landed: [["landed", ["pay.js"]]],
      checks: [["system", "node check.js", 0]],
      onBranch: true,
      checkout: [before, "", 1],
    });
  });
});
