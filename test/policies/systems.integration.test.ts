// The ways of working that other systems are known for, each as one run of ours that `coppice run` starts: what its journal
// says, what its server was asked, and that the same script under plain `llm` is another run.

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { coppice, type Seat, type Told } from "../support/inProcessCommands.ts";
import { call, calls, endStories, openStory, say, spawn, type Story, submit, wait } from "../support/workbenchStory.ts";
import { claudeCode } from "./claudeCode.ts";
import { deerFlow } from "./deerFlow.ts";
import { eino, einoGraph } from "./eino.ts";
import { goose } from "./goose.ts";
import { nanoClaw } from "./nanoClaw.ts";
import { ohMyOpenAgent } from "./ohMyOpenAgent.ts";
import { openClaw } from "./openClaw.ts";
import { paperclip } from "./paperclip.ts";
import { superpowers } from "./superpowers.ts";
import { dataOf, requestsOf, type Shown } from "./system.ts";

const systems = [deerFlow, eino, goose, superpowers, ohMyOpenAgent, nanoClaw, claudeCode, openClaw, paperclip];
const five = [1, 2, 3, 4, 5];
const more = calls(...five.map((n) => spawn(`Swarm ${n}`)));
/** As many as the run may have; the lead waits for them, since a lead that ends ends them. */
const swarm = ["subagent-1", "subagent-2", "subagent-3", "subagent-4"];

// One data folder, repository and server for all: a run costs what it does, and nothing else.
let story: Story;
let seat: Seat;

beforeAll(async () => {
  story = await openStory(
    [
      ...systems.flatMap(({ entries }) => entries),
      { match: /^Everybody spawns/, turns: [more, more, wait(swarm), say("That is all there is.")] },
      { match: /^Swarm/, turns: [more, submit("I could not pass it on.")] },
      {
        match: /^Plan first/,
        turns: [
          call("updatePlan", { steps: [{ id: "look", title: "Look", status: "pending", role: "explorer" }] }),
          calls(spawn("Planned look", { step: "look" }), spawn("Unplanned look")),
          call("waitForSubagents", { subagentIds: ["subagent-1"] }),
          say("As planned."),
        ],
      },
      { match: /^Planned/, turns: [submit("looked")] },
    ],
    { "a.txt": "one\n", ".coppice/templates/eino.json": JSON.stringify(einoGraph) },
  );
  seat = { workbench: story.workbench, home: story.home, folder: story.repository.folder };
});
afterAll(endStories);

/** Carries a command out, and keeps what the server was asked meanwhile. */
async function show(work: Promise<Told>): Promise<Shown> {
  const before = story.server.requests.length;
  const told = await work;
  return { ...told, requests: story.server.requests.slice(before) };
}

function run(task: string, ...options: readonly string[]): Promise<Shown> {
  const { baseUrl } = story.server;
  const server = ["--model", "scripted", "--base-url", baseUrl, "--approve", "auto", "--verify", "true"];
  return show(coppice(seat, ["run", "--task", task, ...server, "--commands", "allow", ...options]));
}

describe("the way of working of", () => {
  test.each(systems.map((system) => [system.title, system] as const))("%s", async (_title, system) => {
    const shown = await run(system.task, ...system.options);
    const plain = await run(system.task);
    expect([shown.code, plain.code]).toEqual([system.code ?? 0, 0]);
    system.check(shown, plain);
  });

  test("Eino goes on after a person's yes with the one child that is not done", async () => {
    const shown = await run("Eino composes again", "--policy", "template:eino", "--commands", "ask");
    expect(shown.code).toBe(3);
    const [asked] = dataOf(shown, "approval.requested");
    const resumed = await show(coppice(seat, ["approve", asked?.approval ?? "", "--resume"]));
    expect([resumed.code, dataOf(resumed, "subagent.started"), dataOf(resumed, "handoff.recorded")]).toEqual([
      0,
      [],
      [],
    ]);
    expect(["Eino left", "Eino middle", "Eino right"].map((start) => requestsOf(resumed, start).length)).toEqual([
      0, 1, 0,
    ]);
  });
});

test("a run whose every agent spawns five more stays within depth, count and budget, and is told why at each refusal", async () => {
  const shown = await run("Everybody spawns", "--max-subagents", String(swarm.length), "--budget", "steps=60");
  expect(shown.code).toBe(0);
  expect(dataOf(shown, "handoff.recorded")).toHaveLength(swarm.length);
  const codes = dataOf(shown, "handoff.refused").map(({ code }) => code);
  expect(codes.filter((code) => code === "TOO_MANY_SUBAGENTS")).toHaveLength(6);
  expect(codes.filter((code) => code === "DEPTH_EXHAUSTED")).toHaveLength(20);
  expect(dataOf(shown, "handoff.refused").every(({ sentence }) => sentence.length > 20)).toBe(true);
  expect(dataOf(shown, "subagent.settled").reduce((sum, { used }) => sum + used.steps, 0)).toBeLessThan(60);
});

test("a plan is approved before anything starts, and what was not approved is refused", async () => {
  const shown = await run("Plan first", "--approve-plan");
  expect([shown.code, requestsOf(shown, "Planned")]).toEqual([3, []]);
  const [asked] = dataOf(shown, "approval.requested");
  expect(asked).toMatchObject({ kind: "plan", plan: { count: 1, width: 1, budget: { steps: 25 } } });
  const resumed = await show(coppice(seat, ["approve", asked?.approval ?? "", "--resume"]));
  expect([resumed.code, dataOf(resumed, "handoff.refused").map(({ code }) => code)]).toEqual([0, ["PLAN_EXCEEDED"]]);
  expect(requestsOf(resumed, "Planned look")).toHaveLength(1);
});

test("a plan that is rejected ends the run, and nobody was sent", async () => {
  const shown = await run("Plan first, in vain", "--approve-plan");
  const [asked] = dataOf(shown, "approval.requested");
  const ended = await show(coppice(seat, ["reject", asked?.approval ?? "", "--resume"]));
  expect([ended.code, ended.last["stopReason"], ended.requests]).toEqual([4, "cancelled", []]);
});
