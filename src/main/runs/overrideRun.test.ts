// Prices of a standing run that gets another model or another server: what is charged from then on, and when money can be
// limited.

import { tmpdir } from "node:os";
import { expect, test } from "vitest";

import { fileRole, Story } from "../../../test/support/runStory.ts";
import { priceFor } from "../domain/prices.ts";
import type { Overrides } from "../domain/overrides.ts";
import { createGit } from "../git/createGit.ts";
import { type OverrideOrder, overridesOf } from "./overrideRun.ts";

const known: Readonly<Record<string, { readonly input: number; readonly output: number }>> = {
  m: { input: 3, output: 9 },
  large: { input: 5, output: 20 },
  small: { input: 1, output: 2 },
};
const git = createGit({ dataFolder: tmpdir() });
/** A run on `m` in which explorers have these models and the role `sql` has `small`. */
function runWhere(roleModels: Readonly<Record<string, string>>): Story {
  return new Story({
    options: { roleModels },
    roles: [fileRole("sql", { model: "small" })],
    budget: { costMicros: 5_000_000 },
  }).start();
}

function wish(story: Story, order: Partial<OverrideOrder>) {
  const whole: OverrideOrder = { options: {}, limits: {}, budget: {}, by: "a person", ...order };
  return overridesOf(git, story.state, whole, (_baseUrl, model) => known[model] ?? null);
}

function askedFor(whole: Awaited<ReturnType<typeof wish>>): Overrides {
  if (!whole.ok) throw new Error(whole.error.message);
  return whole.value;
}

function hold(story: Story, overrides: Overrides): void {
  story.isDriving = false;
  story.must({ type: "run.override", overrides });
}

test("a role that has the model which was the run's until now goes on at that one's price, and so does one of a file", async () => {
  const story = runWhere({ explorer: "m" });
  const whole = await wish(story, { options: { model: "large" } });
  if (!whole.ok) throw new Error(whole.error.message);
  hold(story, whole.value);
  expect(["large", "m", "small"].map((model) => priceFor(story.state, model))).toEqual([
    known["large"],
    known["m"],
    known["small"],
  ]);
  expect(story.state.budget.limit.costMicros).toBe(5_000_000);
});

test("money is not limited beside a role's model whose price is not known, and the model is named", async () => {
  const story = runWhere({ explorer: "odd" });
  const lifted = await wish(story, { options: { model: "large" } });
  if (!lifted.ok) throw new Error(lifted.error.message);
  hold(story, lifted.value);
  expect(story.state.budget.limit.costMicros).toBeNull();
  expect(await wish(story, { budget: { costMicros: 1_000_000 } })).toMatchObject({
    ok: false,
    error: { code: "NO_PRICE", message: expect.stringMatching(/^The price of odd is not known/) as string },
  });
});

test("money is limited again once no model at work has an unknown price", async () => {
  const story = new Story({ price: known["m"] ?? null }).start();
  story.spawn({ model: "odd" });
  const order = { budget: { costMicros: 1_000_000 } };
  expect(await wish(story, order)).toMatchObject({ ok: false, error: { code: "NO_PRICE" } });
  story.complete("subagent-1");
  hold(story, askedFor(await wish(story, order)));
  const { budget, price } = story.state;
  expect([budget.limit.costMicros, price, story.refusedSpawn({ model: "odd" }).code]).toEqual([
    1_000_000,
    known["m"],
    "NO_PRICE",
  ]);
});

test("money is limited by prices that have become known since, and subagents at work are charged by them", async () => {
  const story = new Story().start();
  story.spawn();
  story.spawn({ model: "small" });
  expect(["m", "small"].map((model) => priceFor(story.state, model))).toEqual([null, null]);
  hold(story, askedFor(await wish(story, { budget: { costMicros: 1_000_000 } })));
  expect(["m", "small"].map((model) => priceFor(story.state, model))).toEqual([known["m"], known["small"]]);
});

test("a subagent on the run's model goes along to another and is charged by that one's price, one whose model was named keeps both", async () => {
  const story = new Story({ price: known["m"] ?? null }).start();
  story.prices = known;
  story.spawn();
  story.spawn({ model: "small" });
  hold(story, askedFor(await wish(story, { options: { model: "large" } })));
  expect(story.state.nodes.map(({ model }) => [model, priceFor(story.state, model)])).toEqual([
    ["large", known["large"]],
    ["small", known["small"]],
  ]);
});

test("at another server roles have no model of their own, of a file neither, so only the run's price counts", async () => {
  const story = runWhere({ explorer: "odd" });
  const order = { options: { baseUrl: "http://127.0.0.1:2/v1" }, budget: { costMicros: 1_000_000 } };
  const whole = await wish(story, order);
  if (!whole.ok) throw new Error(whole.error.message);
  hold(story, whole.value);
  const { options, roles, rolePrices, budget } = story.state;
  expect([options.roleModels, roles.map(({ model }) => model), rolePrices, budget.limit.costMicros]).toEqual([
    undefined,
    [undefined],
    {},
    1_000_000,
  ]);
});
