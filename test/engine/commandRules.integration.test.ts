import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import { connectModel } from "../../src/main/workbench.ts";
import { decide } from "../support/storyProbes.ts";
import {
  call,
  calls,
  endStories,
  eventsOf,
  openStory,
  say,
  spawn,
  submit,
  type Story,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const asked = { options: { commands: "ask", isAttended: true, verify: [] } } as const;
const command = (line: string) => call("runCommand", { command: line });

/** A lead with one executor that runs these lines, one a turn. */
function storyOf(...lines: readonly string[]): Promise<Story> {
  return openStory([
    {
      match: /^Begin/,
      turns: [calls(spawn("RUN", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Done.")],
    },
    { match: /^RUN/, turns: [...lines.map(command), submit("ran")] },
  ]);
}

/** Drives a run to its end, allowing whatever asks with this scope. Returns the lines that asked. */
async function allowAll(run: LiveRun, scope: "once" | "run" | "project"): Promise<readonly string[]> {
  while ((await run.drive(true)).kind === "waiting") await decide(run, "approved", { scope });
  await run.release();
  return eventsOf(run, "approval.requested").flatMap(({ data }) => data.command ?? []);
}

const ranIn = (run: LiveRun) => eventsOf(run, "tool.settled").map(({ data }) => data.output.split("\n").at(-2));

describe("a command under ask", () => {
  test("asks again each time when it was allowed once", async () => {
    const story = await storyOf("echo one", "echo one");
    const run = await story.begin("Begin", asked);
    expect(await allowAll(run, "once")).toEqual(["echo one", "echo one"]);
    expect(ranIn(run)).toEqual(["one", "one"]);
  });

  test("that was allowed for the run runs again unasked, and another one asks", async () => {
    const story = await storyOf("echo one", "echo  'one'", "echo one two", "echo one");
    const run = await story.begin("Begin", asked);
    expect(await allowAll(run, "run")).toEqual(["echo one", "echo one two"]);
    expect(ranIn(run)).toEqual(["one", "one", "one two", "one"]);
  });

  test("that needs a shell runs unasked only as exactly the line that was allowed", async () => {
    const story = await storyOf("echo one && echo two", "echo one && echo two", "echo one  && echo two", "echo one");
    const run = await story.begin("Begin", asked);
    expect(await allowAll(run, "run")).toEqual(["echo one && echo two", "echo one  && echo two", "echo one"]);
  });

  test("that was refused for the run asks again", async () => {
    const story = await storyOf("echo one", "echo one");
    const run = await story.begin("Begin", asked);
    await run.drive(true);
    await decide(run, "rejected", { scope: "run" });
    expect(await allowAll(run, "once")).toEqual(["echo one", "echo one"]);
    expect(ranIn(run)).toEqual(["one"]);
  });

  test("that was allowed for the run asks in the next one", { timeout: 60_000 }, async () => {
    const story = await storyOf("echo one");
    const first = await story.begin("Begin", asked);
    await allowAll(first, "run");
    expect(await allowAll(await story.begin("Begin once more", asked), "once")).toEqual(["echo one"]);
  });

  test(
    "that was allowed for the project runs unasked in the next run, on this repository only",
    { timeout: 60_000 },
    async () => {
      const story = await storyOf("echo one");
      expect(await allowAll(await story.begin("Begin", asked), "project")).toEqual(["echo one"]);
      const second = await story.begin("Begin once more", asked);
      expect([await allowAll(second, "once"), ranIn(second)]).toEqual([[], ["one"]]);

      const copy = realpathSync(mkdtempSync(join(tmpdir(), "coppice-copy-")));
      try {
        cpSync(story.repository.folder, copy, { recursive: true });
        const model = connectModel({ baseUrl: story.server.baseUrl, apiKey: "test-key" });
        const started = await story.workbench.startRun(
          { ...story.assign("Begin elsewhere", asked), folder: copy },
          model,
        );
        if (!started.ok) throw new Error(started.error.message);
        expect(await allowAll(started.value, "once")).toEqual(["echo one"]);
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    },
  );

  test("[F08] [F14] beside another: each keeps its question, and answers go by id in whichever order they come", async () => {
    const executor = (task: string, path: string) => spawn(task, { role: "executor", paths: [path] });
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(executor("LEFT", "a.txt"), executor("RIGHT", "b.txt")),
          wait(["subagent-1", "subagent-2"]),
          say("Both."),
        ],
      },
      { match: /^LEFT/, turns: [command("echo left"), submit("left")] },
      { match: /^RIGHT/, turns: [command("echo right"), submit("right")] },
    ]);
    const run = await story.begin("Begin", asked);
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const ask = (agent: string) => run.state().approvals.find((one) => one.agent === agent && one.status === "open");
    const [left, right] = [ask("subagent-1"), ask("subagent-2")];
    if (!left || !right) throw new Error("Both should ask");
    await decide(run, "rejected", { approval: right.id });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect([ask("subagent-1"), ask("subagent-2")]).toEqual([left, undefined]);
    await decide(run, "approved", { approval: left.id });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(ranIn(run)).toEqual(["left"]);
    expect(eventsOf(run, "tool.refused").map(({ agent, data }) => [agent, data.code])).toEqual([
      ["subagent-2", "COMMAND_REJECTED"],
    ]);
  });
});
