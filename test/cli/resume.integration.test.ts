import { beforeAll, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { openDesk } from "../support/commandLine.ts";
import { ofType } from "../support/commandStories.ts";
import { call, say } from "../support/workbenchStory.ts";

beforeAll(buildCommandLine, buildLimitMs);

test(
  "resume takes options that hold from there on, and show and log say so",
  { timeout: 90_000 },
  async ({ expect }) => {
    await using desk = await openDesk([
      { match: /./, turns: [call("askPerson", { question: "Which?" }), say("This one.")] },
    ]);
    const ran = await desk.coppice(desk.runArgs("Ask.", "--approve", "each"));
    const { run, waiting } = ran.summary();
    const answered = await desk.coppice(["answer", String(waiting[0]?.id), "this", "--json"]);
    const resumed = await desk.coppice([
      "resume",
      run,
      "--model",
      "other",
      "--network",
      "on",
      "--max-steps",
      "7",
      "--json",
    ]);
    const shown = await desk.coppice(["show", run, "--json"]);

    expect([ran.code, answered.code, resumed.code]).toEqual([3, 0, 0]);
    expect(desk.server.requests.map(({ body }) => body.model)).toEqual(["scripted", "other"]);
    expect(ofType(await desk.journal(run), "options.set").map(({ data }) => data)).toEqual([
      {
        options: { model: "other", network: "on" },
        limits: { maxSteps: 7, leadSteps: 7 },
        by: "a person",
      },
    ]);
    expect(shown.lines()[0]).toMatchObject({
      options: { model: "other", network: "on", approve: "each" },
      limits: { leadSteps: 7 },
      lead: { model: "other" },
    });
    expect(await desk.faults()).toEqual([]);
  },
);
