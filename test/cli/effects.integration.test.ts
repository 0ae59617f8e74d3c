import { beforeAll, expect, test } from "vitest";

import { openDesk } from "../support/commandLine.ts";
import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { ofType, oneCommand } from "../support/commandStories.ts";
import { call, say } from "../support/workbenchStory.ts";

beforeAll(buildCommandLine, buildLimitMs);

test("[F13] a command that had the network and was cut off is asked about, and goes on with what a person says of it", async () => {
  await using desk = await openDesk(oneCommand);
  const killed = await desk.start(desk.runArgs("Ask for it.", "--network", "on"), {
    onEvent: ({ type }, child) => void (type === "tool.dispatched" && child.kill("SIGKILL")),
  }).ended;
  const run = killed.stdout.split('"root":"')[1]?.split('"')[0] ?? "";
  const waits = await desk.coppice(["resume", run, "--json"]);
  const [asked] = waits.summary().waiting;
  expect([waits.code, asked?.kind, asked?.agent]).toEqual([3, "effect", "subagent-1"]);

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
