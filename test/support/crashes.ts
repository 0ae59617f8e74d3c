// Lets a story's run die in a process of its own, at an exact commit.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import type { RunId } from "../../src/shared/contract/ids.ts";
import type { CrashOrder } from "./crashingRun.ts";
import type { Story, StoryOptions } from "./workbenchStory.ts";

/** Begins a run in a process that dies at the commit that `at` names. Throws when it ended otherwise. */
export async function beginAndDie(
  story: Story,
  task: string,
  at: CrashOrder["at"],
  options?: StoryOptions,
): Promise<RunId> {
  await die(story, { assignment: story.assign(task, options) }, at);
  const [row] = await story.workbench.listRuns();
  if (!row) throw new Error("The run was never stored");
  return row.run;
}

/** Takes the run over in such a process. */
export async function goOnAndDie(story: Story, run: RunId, at: CrashOrder["at"]): Promise<void> {
  await die(story, { run }, at);
}

async function die(story: Story, work: CrashOrder["work"], at: CrashOrder["at"]): Promise<void> {
  const order: CrashOrder = { home: story.home, baseUrl: story.server.baseUrl, work, at };
  const script = new URL("./crashingRun.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, JSON.stringify(order)], { stdio: ["ignore", "inherit", "pipe"] });
  const [said, [code, signal]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  if (signal !== "SIGKILL") throw new Error(`It did not die but ended with ${String(code ?? signal)}: ${said}`);
}
