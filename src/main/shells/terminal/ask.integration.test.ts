// A person at the terminal, asked while the run goes on: real questions over a real run, typed answers.

import { PassThrough } from "node:stream";
import { afterEach, expect, test } from "vitest";

import {
  edit,
  endStories,
  openStory,
  say,
  spawn,
  calls,
  submit,
  wait,
} from "../../../../test/support/workbenchStory.ts";
import { askInTerminal } from "./ask.ts";
import { plainStyle } from "./human/style.ts";
import type { Output } from "./output.ts";

afterEach(endStories);

const silent: Output = {
  isJson: false,
  isQuiet: false,
  isInteractive: true,
  style: plainStyle,
  columns: 100,
  unicode: true,
  json: () => undefined,
  line: () => undefined,
  answer: () => undefined,
  remark: () => undefined,
  progress: () => undefined,
  fail: () => 1,
};

/** Types each answer when its question stands there; what is shown and was not awaited is passed over. */
function terminalOf(answers: readonly (readonly [question: string, answer: string])[]) {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const left = [...answers];
  let shown = "";
  stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    const [next] = left;
    if (next === undefined || !shown.includes(next[0])) return;
    left.shift();
    shown = "";
    stdin.write(`${next[1]}\n`);
  });
  return { stdin, stdout, left };
}

test("under each, the change is shown, sent back with words, then approved by hunk, and lands while the run goes on", async () => {
  const story = await openStory([
    {
      match: /^Change/,
      turns: [
        calls(spawn("EDIT", { role: "executor", paths: ["a.txt"] })),
        wait(["subagent-1"], { until: "completed" }),
        say("Changed."),
      ],
    },
    {
      match: /^EDIT/,
      turns: [
        edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "deux" }),
        submit("It says deux."),
        edit({ kind: "replace", path: "a.txt", oldText: "deux", newText: "zwei" }),
        submit("It says zwei."),
      ],
    },
  ]);
  const live = await story.begin("Change it.", {
    options: { approve: "each", landOn: { kind: "branch", name: "landed" }, isAttended: true },
  });
  const review = "[d]iff, [a]pprove onto landed";
  const { left, ...streams } = terminalOf([
    [review, "d"],
    [review, "b"],
    ["What is to be changed:", "In German, please."],
    [review, "h"],
    ["Hunks, such as", "a.txt:1"],
  ]);
  const looked: string[] = [];
  const asking = askInTerminal(live, silent, async ({ changeset }) => void looked.push(changeset ?? ""), streams);
  const end = await live.drive(false);
  asking.close();
  await live.release();
  const decided = live
    .journal()
    .flatMap((event) =>
      event.type === "approval.decided"
        ? [[event.data.decision, event.data.comment, event.data.hunks, event.data.by]]
        : [],
    );
  expect([end.kind, left, looked, decided]).toEqual([
    "stopped",
    [],
    ["subagent-1.1"],
    [
      ["sent_back", "In German, please.", undefined, "a person"],
      ["approved", undefined, { "a.txt": [1] }, "a person"],
    ],
  ]);
  expect(story.repository.git("show", "landed:a.txt")).toBe("one\nzwei\nthree");
});

test("what is left open stays open, and the run is left waiting", async () => {
  const story = await openStory([
    {
      match: /^Ask/,
      turns: [calls({ name: "askPerson", args: { question: "Which?", choices: ["this", "that"] } }), say("So.")],
    },
  ]);
  const live = await story.begin("Ask.", { options: { approve: "each", isAttended: true } });
  const { left, ...streams } = terminalOf([["1) this  2) that", ""]]);
  const asking = askInTerminal(live, silent, () => Promise.resolve(), streams);
  const end = await live.drive(false);
  asking.close();
  await live.release();
  expect([end.kind, left, live.state().status, live.state().approvals.map(({ status }) => status)]).toEqual([
    "left",
    [],
    "waiting",
    ["open"],
  ]);
});

test("opposite verdicts are shown with their evidence and taken by number, and one that is not there asks again", async () => {
  const verdict = (said: string) => submit(said, { verdicts: [{ criterion: "spec", verdict: said, evidence: said }] });
  const story = await openStory([
    {
      match: /^Judge/,
      turns: [
        calls(spawn("FIRST", { role: "reviewer" }), spawn("SECOND", { role: "reviewer" })),
        wait(["subagent-1", "subagent-2"]),
        say("Judged."),
      ],
    },
    { match: /^FIRST/, turns: [verdict("passed")] },
    { match: /^SECOND/, turns: [verdict("failed")] },
  ]);
  const live = await story.begin("Judge it.", { options: { approve: "each", isAttended: true } });
  const question = "The number of the one that holds";
  const { left, ...streams } = terminalOf([
    [question, "7"],
    [question, "2"],
  ]);
  const lines: string[] = [];
  const output: Output = { ...silent, line: (line) => void lines.push(line) };
  const asking = askInTerminal(live, output, () => Promise.resolve(), streams);
  const end = await live.drive(false);
  asking.close();
  await live.release();
  const sides = lines.filter((line) => /^ {2}\d\)/.test(line));
  expect([end.kind, left, [...new Set(sides)], live.state().approvals.map(({ comment }) => comment)]).toEqual([
    "stopped",
    [],
    ["  1) passed, says subagent-1 (reviewer): passed", "  2) failed, says subagent-2 (reviewer): failed"],
    ["subagent-2"],
  ]);
});
