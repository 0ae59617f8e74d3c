// What one agent was told, said and did, row by row.

import { describe, expect, test } from "vitest";

import { oid, Story, toolCall } from "../../../../test/support/runStory.ts";
import type { AgentId } from "../../../shared/contract/ids.ts";
import { timelinePage } from "./timeline.ts";
import { transcriptPage } from "./transcript.ts";

function rows(story: Story, agent: AgentId): readonly unknown[] {
  return transcriptPage(story.events, agent, 0, 1_000).items.map(({ kind, title, text, state }) => [
    kind,
    title,
    text,
    ...(state === undefined ? [] : [state]),
  ]);
}

describe("a subagent's transcript", () => {
  test("begins with its packet, the objective verbatim", () => {
    const story = new Story().start();
    const id = story.spawn({
      task: "Look at *pay.js*\nand say why.",
      constraints: ["Read only."],
      context: "Charges are in cents.",
    });
    expect(rows(story, id)[0]).toEqual([
      "packet",
      "Packet",
      "Look at *pay.js*\nand say why.\n\nConstraints: Read only.\n\nPaths: none claimed\n\nTools: listFiles, readFile, searchText, submitResult\n\nSteps: 25\n\nContext: Charges are in cents.",
    ]);
  });

  test("has what its worktree's set-up said, before its first turn", () => {
    const story = new Story({ options: { setup: ["npm ci"] } }).start();
    const id = story.spawn({ role: "executor", paths: ["pay.js"] });
    const path = "/places/1";
    story.must({ type: "place.create", agent: id, path, root: oid(2), durationMs: 1 });
    const ended = { path, command: "npm ci", durationMs: 5, outcome: "exited" } as const;
    story.must({ type: "place.provision", agent: id, run: { ...ended, exitCode: 1, output: "no lock file" } });
    expect(rows(story, id).slice(1)).toEqual([["note", "Set-up: npm ci", "no lock file", "failed"]]);
    expect(timelinePage(story.events, 0, 100).items.at(-1)).toMatchObject({
      agent: id,
      label: "Set-up: npm ci",
      isFailure: true,
      outcome: "exit 1",
    });
  });

  test("has each call with what became of it, its answer, and the result", () => {
    const story = new Story().start();
    const id = story.spawn();
    story.turn(id, { text: "I read it.", calls: [toolCall("c", "readFile", { path: "pay.js" })] });
    story.must({
      type: "agent.dispatch",
      agent: id,
      call: "c",
      effect: "read",
      class: "pure",
      input: { path: "pay.js" },
    });
    story.must({
      type: "agent.settle",
      agent: id,
      call: "c",
      outcome: "executed",
      durationMs: 1,
      output: "1 const cents",
      resultHash: "h",
    });
    story.submit(id, "done", "Line 1.");
    expect(rows(story, id).slice(1)).toEqual([
      ["text", "", "I read it."],
      ["call", "readFile", '{"path":"pay.js"}', "executed"],
      ["answer", "readFile", "1 const cents", "executed"],
      ["call", "submitResult", "{}", "executed"],
      ["answer", "submitResult", '{"accepted":true}', "executed"],
      ["result", "done", "Line 1.", "ok"],
      ["note", "Ended", "completed", "completed"],
    ]);
  });

  test("says refused of a call that was answered with what went wrong", () => {
    const story = new Story().start();
    const before = rows(story, "lead").length;
    story.control({ tool: "cancelSubagent", input: { subagentId: "subagent-7" } });
    const error = { code: "UNKNOWN_SUBAGENT", message: "There is no subagent-7." };
    expect(rows(story, "lead").slice(before)).toEqual([
      ["call", "cancelSubagent", '{"subagentId":"subagent-7"}', "refused"],
      ["answer", "cancelSubagent", JSON.stringify({ error }), "refused"],
    ]);
  });

  test("has what the lead, a person and the system said to it", () => {
    const story = new Story().start();
    const id = story.spawn();
    story.control({ tool: "messageSubagent", input: { subagentId: id, text: "Mind the cents." } });
    story.must({ type: "run.input", text: "And refunds.", from: "a person", to: id });
    story.request(id, { prompt: { kind: "submit", text: "Call submitResult." } });
    expect(rows(story, id).slice(1)).toEqual([
      ["system", "Message", "Mind the cents."],
      ["person", "a person", "And refunds."],
      ["system", "Asked to submit", "Call submitResult."],
    ]);
  });

  test("keeps calls of two turns apart when the model uses an id again", () => {
    const story = new Story().start();
    const id = story.spawn();
    story.turn(id, { calls: [toolCall("c", "readFile")] });
    story.must({ type: "agent.refuse", agent: id, call: "c", code: "POLICY_DENIED", message: "Not yours." });
    story.turn(id, { calls: [toolCall("c", "readFile")] });
    const calls = rows(story, id).filter((row) => (row as readonly unknown[])[0] === "call");
    expect(calls).toEqual([
      ["call", "readFile", "{}", "refused"],
      ["call", "readFile", "{}", "open"],
    ]);
  });
});

test("the lead's transcript begins with the task and holds nothing of its subagents", () => {
  const story = new Story().start();
  const id = story.spawn();
  story.turn(id, { text: "I look." });
  story.speak("That is all.");
  expect(rows(story, "lead")).toEqual([
    ["packet", "Task", "Find out why payments are charged twice."],
    ["call", "spawnSubagent", '{"task":"Look at pay.js."}', "executed"],
    ["answer", "spawnSubagent", '{"subagentId":"subagent-1","status":"running"}', "executed"],
    ["text", "", "That is all."],
  ]);
});

test("a long text is cut and says how much is left in the journal", () => {
  const story = new Story().start();
  story.speak("x".repeat(16_010));
  expect(transcriptPage(story.events, "lead", 0, 10).items.at(-1)?.text).toBe(
    `${"x".repeat(16_000)}… (10 more characters in the journal)`,
  );
});

describe("pages", () => {
  const story = new Story().start();
  for (let turn = 0; turn < 3; turn++)
    story.turn("lead", { text: "…", calls: [toolCall(`a${turn}`, "readFile"), toolCall(`b${turn}`, "readFile")] });

  test("follow each other without gap, repetition or a split event", () => {
    const sizes: number[] = [];
    const all: unknown[] = [];
    let cursor: number | null = 0;
    while (cursor !== null && sizes.length < 10) {
      const page = transcriptPage(story.events, "lead", cursor, 4);
      sizes.push(page.items.length);
      all.push(...page.items);
      cursor = page.next;
    }
    expect([sizes, all]).toEqual([[4, 3, 3], transcriptPage(story.events, "lead", 0, 100).items]);
  });

  test("hold one event even when it has more rows than asked for", () => {
    expect(transcriptPage(story.events, "lead", 1, 1).items.length).toBe(3);
  });
});
