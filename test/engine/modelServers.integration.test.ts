// One run over several model servers: who is asked what, with which key, and what becomes of a server that is not there.

import { afterEach, describe, expect, test } from "vitest";

import type { StartRun } from "../../src/shared/contract/commands.ts";
import type { CommandId, RunId } from "../../src/shared/contract/ids.ts";
import type { KeyPlace } from "../../src/shared/contract/settings.ts";
import { connectModel, openWorkbench, type Workbench } from "../../src/main/workbench.ts";
import { type ScriptedEntry, type ScriptedModelServer, startScriptedModel } from "../support/scriptedModel.ts";
import { committed, endsOf, gate } from "../support/storyProbes.ts";
import {
  calls,
  endStories,
  eventsOf,
  openStory,
  say,
  spawn,
  type Story,
  submit,
  wait,
} from "../support/workbenchStory.ts";

const opened: (Workbench | ScriptedModelServer)[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
  await endStories();
});

const env = { OPENAI_API_KEY: "key-of-the-run-0123456789", LAB: "words-of-the-lab-0123456789" };
const provider = (id: string, baseUrl: string, key: KeyPlace, ...models: readonly string[]) => ({
  id,
  name: id,
  baseUrl,
  key,
  models: models.map((name) => ({ name, price: { input: 1, output: 1 }, contextTokens: null })),
});

async function serve(entries: readonly ScriptedEntry[] = [{ match: /./, turns: [submit("seen")] }]) {
  const server = await startScriptedModel(entries);
  opened.push(server);
  return server;
}

/** A workbench on the story's data folder in which these are set up, `roleModels` by role as [provider, model]. */
async function open(
  story: Story,
  providers: readonly ReturnType<typeof provider>[],
  roleModels: Readonly<Record<string, readonly [provider: string, name: string]>>,
): Promise<Workbench> {
  const workbench = await openWorkbench({ home: story.home, env });
  if (!workbench.ok) throw new Error(workbench.error.message);
  opened.push(workbench.value);
  await workbench.value.settings.change({
    providers: [...providers],
    roleModels: Object.fromEntries(
      Object.entries(roleModels).map(([role, [id, name]]) => [role, { provider: id, name }]),
    ),
  });
  return workbench.value;
}

let commandCount = 0;
async function start({ source, runs }: Workbench, story: Story, more: Partial<StartRun> = {}): Promise<RunId> {
  commandCount += 1;
  const receipt = await source.execute({
    commandId: `servers-${commandCount}` as CommandId,
    command: {
      type: "startRun",
      folder: story.repository.folder,
      task: "Begin",
      model: "scripted",
      baseUrl: story.server.baseUrl,
      commands: "allow",
      ...more,
    },
  });
  if (!receipt.ok) throw new Error(`${receipt.error.code}: ${receipt.error.message}`);
  if (!("run" in receipt.value) || receipt.value.run === null) throw new Error("No run was started.");
  const { run } = receipt.value;
  await runs.untilLeft(run);
  return run;
}

/** What a server was asked: whose question, for which model, with which key. Each once. */
const askedOf = ({ requests }: ScriptedModelServer) => [
  ...new Set(
    requests.map(
      ({ firstUserMessage, body, headers }) =>
        `${/LOOK|CHECK|NAMED|PLAN|ALSO|Begin/.exec(firstUserMessage)?.[0]} ${String(body["model"])} ${headers.authorization ?? "no key"}`,
    ),
  ),
];

const team: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(
        spawn("LOOK at it.", { role: "explorer" }),
        spawn("CHECK it.", { role: "reviewer" }),
        spawn("NAMED by the lead.", { role: "explorer", model: "large" }),
        spawn("PLAN it.", { role: "planner" }),
        spawn("ALSO here.", { role: "planner", model: "priced" }),
      ),
      wait(["subagent-1", "subagent-2", "subagent-3", "subagent-4", "subagent-5"]),
      say("Done."),
    ],
  },
  { match: /^ALSO/, turns: [submit("seen")] },
];
const own = "Bearer key-of-the-run-0123456789";
const ofTheLab = "Bearer words-of-the-lab-0123456789";

describe("a run whose roles have models at other servers", { timeout: 60_000 }, () => {
  test("asks each server for its own alone, each with its own key; what one of them echoes of its key is not kept", async () => {
    const story = await openStory(team);
    const [lab, keyless] = [await serve([{ match: /./, turns: [submit(`seen with ${env.LAB}`)] }]), await serve()];
    const workbench = await open(
      story,
      [
        provider("lab", lab.baseUrl, { from: "environment", name: "LAB" }, "large"),
        provider("keyless", keyless.baseUrl, { from: "none" }, "small"),
        provider("own", story.server.baseUrl, { from: "environment", name: "OPENAI_API_KEY" }, "priced"),
        provider("gone", "http://127.0.0.1:1/v1", { from: "none" }, "lost"),
      ],
      { explorer: ["keyless", "small"], reviewer: ["lab", "large"], planner: ["gone", "lost"] },
    );
    const run = await start(workbench, story);
    expect([story.server, keyless, lab].map(askedOf)).toEqual([
      [`Begin scripted ${own}`, `ALSO priced ${own}`],
      ["LOOK small no key"],
      [`CHECK large ${ofTheLab}`, `NAMED large ${ofTheLab}`],
    ]);

    const state = await workbench.state(run);
    expect(state.stop).toMatchObject({ reason: "final_answer", answer: "Done." });
    // The server that is not there fails its own agent, by role, model and address, and nobody else.
    expect(state.nodes.map(({ role, status }) => `${role} ${status}`)).toEqual([
      "explorer completed",
      "reviewer completed",
      "explorer completed",
      "planner failed",
      "planner completed",
    ]);
    expect(state.nodes[3]?.sentence).toMatch(
      /planner: the model lost at http:\/\/127\.0\.0\.1:1\/v1: nothing is listening on 127\.0\.0\.1:1/,
    );
    const journal = await workbench.journal(run);
    const written = JSON.stringify(journal);
    expect([written.includes(env.LAB), written.includes(env.OPENAI_API_KEY)]).toEqual([false, false]);
    // By the prices of the settings, also of a model that only the lead names; the run's own is not known.
    expect(state.rolePrices).toMatchObject({ large: { input: 1, output: 1 }, priced: { input: 1, output: 1 } });
    const costs = journal.flatMap((event) =>
      event.type === "model.completed" ? [[event.agent, event.data.costMicros]] : [],
    );
    expect(costs).toEqual(
      expect.arrayContaining([
        ["lead", null],
        ["subagent-3", 1],
        ["subagent-5", 1],
      ]),
    );
  });

  test("keeps its routes in a fork, also once the settings say otherwise", async () => {
    const story = await openStory(
      team.map((entry) => ({
        ...entry,
        turns: [calls(spawn("CHECK it.", { role: "reviewer" })), wait(["subagent-1"]), say("Done.")],
      })),
    );
    const lab = await serve();
    const providers = [provider("lab", lab.baseUrl, { from: "environment", name: "LAB" }, "large")];
    const workbench = await open(story, providers, { reviewer: ["lab", "large"] });
    const origin = await start(workbench, story);
    const before = lab.requests.length;
    await workbench.settings.change({ roleModels: {} });

    const run = "forkforkab" as RunId;
    const forked = await workbench.runs.fork(origin, { run, at: 2, base: "line" });
    const resumed = forked.ok ? await workbench.runs.resume(run) : forked;
    if (!resumed.ok) throw new Error(resumed.error.message);
    await workbench.runs.untilLeft(run);
    expect((await workbench.state(run)).stop).toMatchObject({ reason: "final_answer" });
    expect([askedOf(story.server), askedOf(lab), lab.requests.length > before]).toEqual([
      [`Begin scripted ${own}`],
      [`CHECK large ${ofTheLab}`],
      true,
    ]);
    expect((await workbench.state(run)).options.modelServers).toEqual({ large: lab.baseUrl });
  });

  test("is not started where a role's server cannot be asked, and the refusal names role, model and server", async () => {
    const story = await openStory(team);
    const away = "https://models.example.invalid/v1";
    const workbench = await open(story, [provider("away", away, { from: "environment", name: "NOT_SET" }, "large")], {
      reviewer: ["away", "large"],
    });
    await expect(start(workbench, story)).rejects.toThrow(
      `NO_MODEL: reviewer: the model large at ${away} needs a key: set NOT_SET`,
    );
    const chosen = { roleModels: { reviewer: "large" }, modelServers: { large: "http://127.0.0.1:9/v1" } };
    await expect(start(workbench, story, chosen)).rejects.toThrow(
      "NO_MODEL: reviewer: the model large at http://127.0.0.1:9/v1 cannot be asked",
    );
    expect([await workbench.listRuns(), story.server.requests]).toEqual([[], []]);
    // One agent alone has no reviewer.
    await start(workbench, story, { workflow: "off" });
    expect(story.server.requests.length).toBeGreaterThan(0);
  });
});

describe("a place at a model", { timeout: 60_000 }, () => {
  test("is one at its server: who has it there, in another process, keeps nobody from a model of its name elsewhere", async () => {
    const looking = gate();
    const lead = (task: string): ScriptedEntry => ({
      match: new RegExp(`^${task}`),
      turns: [calls(spawn(`LOOKS for ${task}`)), wait(["subagent-1"]), say("Done.")],
    });
    const story = await openStory(["First", "Same", "Other"].map(lead));
    const [lab, other] = [
      await serve([
        { match: /^LOOKS for First/, turns: [{ ...submit("looked"), gate: looking.passed }] },
        { match: /./, turns: [submit("looked")] },
      ]),
      await serve(),
    ];
    const begin = async (workbench: Workbench, task: string, server: ScriptedModelServer) => {
      const options = { roleModels: { explorer: "large" }, modelServers: { large: server.baseUrl } };
      const limits = { maxPerModel: 1 };
      const port = (baseUrl: string) => connectModel({ baseUrl, apiKey: "test-key" });
      const model = {
        complete: (...[request, watch]: Parameters<ReturnType<typeof port>["complete"]>) =>
          port(request.model === "large" ? server.baseUrl : story.server.baseUrl).complete(request, watch),
      };
      const begun = await workbench.startRun(story.assign(task, { options, limits }), model);
      if (!begun.ok) throw new Error(begun.error.message);
      return { live: begun.value, done: begun.value.drive(true) };
    };
    const first = await begin(story.workbench, "First", lab);
    await committed(first.live, "model.requested", (event) => event.agent === "subagent-1");

    const elsewhere = await story.reopen();
    const free = await begin(elsewhere, "Other", other);
    await free.done;
    expect([endsOf(free.live), eventsOf(free.live, "subagent.queued").map(({ data }) => data.code)]).toEqual([
      { "subagent-1": "completed" },
      ["READY"],
    ]);
    const same = await begin(elsewhere, "Same", lab);
    await committed(same.live, "subagent.queued", (event) => event.data.code === "MODEL");
    looking.open();
    await Promise.all([first.done, same.done]);
    expect(endsOf(same.live)).toEqual({ "subagent-1": "completed" });
    for (const { live } of [first, free, same]) await live.release();
  });
});
