// Budgets of a whole run whose server counts wrongly: whatever it says, the run ends, and by that account it is beyond a limit
// by no more than what its requests in flight came to above their estimates.

import { afterEach, expect, test } from "vitest";

import { costOf } from "../../src/main/domain/prices.ts";
import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import type { AgentId } from "../../src/shared/contract/ids.ts";
import type { Balances } from "../../src/shared/contract/options.ts";
import type { RequestBody, ScriptedEntry, ScriptedTurn } from "../support/scriptedModel.ts";
import { isThorough } from "../support/thorough.ts";
import { call, calls, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

/** Micros a million tokens. */
const price = { input: 1_000_000, output: 4_000_000 };
/** How many are sent at once, and so how many requests are in flight beside the lead's. */
const width = 3;
const maxTurns = 80;
/** Every answer comes to what is reserved for one. */
const outputTokens = 8_192;

/** A turn whose usage is reported `factor` times what it was. */
function counted(turn: ScriptedTurn, factor: number) {
  return ({ messages, tools }: RequestBody): ScriptedTurn => ({
    ...turn,
    usage: {
      prompt_tokens: Math.round((JSON.stringify([messages, tools]).length / 4) * factor),
      completion_tokens: Math.round(outputTokens * factor),
    },
  });
}

/** Nobody ends by themselves: the lead sends three, waits for them and sends three more; whoever is sent reads on and on. */
function restless(factor: number): readonly ScriptedEntry[] {
  const numbers = Array.from({ length: width }, (_, index) => index + 1);
  const send = calls(...numbers.map((number) => spawn(`DIG ${number}`)));
  const waitAfter = (turn: number) => wait(numbers.map((number) => `subagent-${((turn - 1) / 2) * width + number}`));
  const turns = Array.from({ length: maxTurns }, (_, turn) => turn);
  return [
    { match: /^Dig/, turns: turns.map((turn) => counted(turn % 2 === 0 ? send : waitAfter(turn), factor)) },
    { match: /^DIG/, turns: turns.map((turn) => counted(call("searchText", { query: `word${turn}` }), factor)) },
  ];
}

/** By how much the requests that can be in flight together came to more than their estimates, at most. */
function overEstimates(run: LiveRun, balance: "inputTokens" | "outputTokens" | "costMicros"): number {
  const estimates = new Map(eventsOf(run, "model.requested").map(({ data }) => [data.request, data.estimate]));
  const worst = new Map<AgentId, number>();
  for (const { agent, data } of eventsOf(run, "model.completed")) {
    const usage = data.usage ?? { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };
    const came: Partial<Balances<number>> = { ...usage, costMicros: costOf(usage, price) };
    const over = (came[balance] ?? 0) - (estimates.get(data.request)?.[balance] ?? 0);
    worst.set(agent, Math.max(worst.get(agent) ?? 0, over));
  }
  const inFlight = [...worst.values()].toSorted((left, right) => right - left).slice(0, width + 1);
  return inFlight.reduce((sum, one) => sum + one, 0);
}

const tooMuch = ["three times", 3] as const;
const tooLittle = ["a third of", 1 / 3] as const;

test.each([
  ["inputTokens", 40_000, ...tooMuch],
  ["outputTokens", 70_000, ...tooMuch],
  ["costMicros", 320_000, ...tooMuch],
  ["costMicros", 320_000, ...tooLittle],
  // Too little takes the longest, and money is counted from both kinds of tokens.
  ...(isThorough
    ? ([
        ["inputTokens", 40_000, ...tooLittle],
        ["outputTokens", 70_000, ...tooLittle],
      ] as const)
    : []),
] as const)(
  "a run limited to so much %s (%d) ends within it, though its server reports %s what it used",
  async (...row) => {
    const [balance, limit, , factor] = row;
    const story = await openStory(restless(factor));
    const budget = { steps: null, [balance]: limit };
    const run = await story.run("Dig", { budget, price, limits: { maxConcurrent: width, leadSteps: maxTurns } });
    const { stop, nodes, budget: spent } = run.state();
    expect([stop?.reason, stop?.partial, spent.reserved[balance], nodes.filter(({ isSettled }) => !isSettled)]).toEqual(
      ["budget_exhausted", true, 0, []],
    );
    expect(spent.used[balance]).toBeLessThanOrEqual(limit + overEstimates(run, balance));
    expect(nodes.length).toBeGreaterThanOrEqual(width);
  },
);

test("a run with less output than a request usually reserves tells its server how much is left, and goes on", async () => {
  const story = await openStory([
    { match: /^Begin/, turns: [calls(spawn("LOOK")), wait(["subagent-1"]), say("Seen.")] },
    { match: /^LOOK/, turns: [call("listFiles", {}), submit("There is one file.")] },
  ]);
  const run = await story.run("Begin", { budget: { outputTokens: 4_000 } });
  const [first] = story.server.requests;
  const { stop, nodes, budget } = run.state();
  expect([stop?.reason, nodes.map(({ status }) => status)]).toEqual(["final_answer", ["completed"]]);
  // A tenth is kept for the last turn, and of the rest half for a second turn.
  expect([first?.body.max_tokens, eventsOf(run, "model.requested")[0]?.data.estimate.outputTokens]).toEqual([
    1800, 1800,
  ]);
  expect(budget.used.outputTokens).toBeLessThan(4_000);
});

test("a run with too little output for a turn has its last one of what there is", async () => {
  const story = await openStory([{ match: /^Begin/, turns: [say("Nothing was looked at.")] }]);
  const run = await story.run("Begin", { options: { approve: "auto" }, budget: { outputTokens: 200 } });
  const { stop } = run.state();
  expect([stop?.reason, stop?.partial, stop?.answer]).toEqual(["budget_exhausted", true, "Nothing was looked at."]);
  expect(story.server.requests.map(({ body }) => [body.max_tokens, body.tools ?? []])).toEqual([[200, []]]);
});
