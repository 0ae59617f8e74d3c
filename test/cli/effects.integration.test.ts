import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";

import { beforeAll, expect, test } from "vitest";

import { type Desk, openDesk } from "../support/commandLine.ts";
import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { commandStory, ofType } from "../support/commandStories.ts";
import { call, say } from "../support/workbenchStory.ts";

beforeAll(buildCommandLine, buildLimitMs);

/** Until what the run's command has printed is noted beside the run. */
async function untilPrinted(desk: Desk, run: string): Promise<void> {
  const folder = join(desk.home, "runs", run, "outputs");
  const isNoted = () =>
    existsSync(folder) && readdirSync(folder).some((name) => readFileSync(join(folder, name)).length > 0);
  while (!isNoted()) await setImmediate();
}

test("[F13] a command that had the network and was cut off is asked about, and goes on with what a person says of it", async () => {
  await using desk = await openDesk(commandStory("echo begun; sleep 60"));
  const killed = await desk.start(desk.runArgs("Ask for it.", "--network", "on"), {
    onEvent: ({ type, root }, child) => {
      if (type === "tool.dispatched") void untilPrinted(desk, root).then(() => child.kill("SIGKILL"));
    },
  }).ended;
  const run = killed.stdout.split('"root":"')[1]?.split('"')[0] ?? "";
  const waits = await desk.coppice(["resume", run, "--json"]);
  const [asked] = waits.summary().waiting;
  expect([waits.code, asked?.kind, asked?.agent]).toEqual([3, "effect", "subagent-1"]);
  const effects = ofType(await desk.journal(run), "approval.requested").map(({ data }) => data["effect"]);
  expect(effects).toMatchObject([{ tool: "runCommand", output: "begun\n" }]);

  const wrong = await desk.coppice(["answer", asked?.id ?? "", "perhaps", "--json"]);
  const answered = await desk.coppice(["answer", asked?.id ?? "", "applied", "--resume", "--json"]);
  const log = await desk.journal(run);
  expect([
    wrong.code,
    answered.code,
    ofType(log, "tool.dispatched").filter(({ data }) => data["tool"] === "runCommand").length,
    ofType(log, "tool.settled").map(({ data }) => data["outcome"]),
  ]).toEqual([2, 0, 1, ["reconciled"]]);
  expect(await desk.faults()).toEqual([]);
});

test("[F07] a run at the limit of its budget asks for more, and goes on with what a person gives it", async () => {
  await using desk = await openDesk([
    { match: /^Look/, turns: [call("peekSubagents", {}), call("listFiles", {}), say("Looked.")] },
  ]);
  const waits = await desk.coppice(desk.runArgs("Look.", "--approve", "each", "--budget", "steps=4"));
  const { run, waiting } = waits.summary();
  const given = await desk.coppice(["answer", waiting[0]?.id ?? "", "20", "--resume", "--json"]);
  expect([waits.code, waiting[0]?.kind, given.code, given.summary().answer, given.summary().partial]).toEqual([
    3,
    "budget",
    0,
    "Looked.",
    false,
  ]);
  expect(ofType(await desk.journal(run), "budget.set").map(({ data }) => data["limit"])).toEqual([
    expect.objectContaining({ steps: 24 }),
  ]);
});
