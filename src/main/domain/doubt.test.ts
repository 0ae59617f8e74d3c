// What a server tells of its input: when it is not believed any more, and what is charged from then on.

import { expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { nothing } from "./budget.ts";
import { snapshotOf } from "./projections/snapshot.ts";
import type { Usage } from "./records.ts";

const price = { input: 1_000_000, output: 2_000_000 };

/** Answers of the lead's model, each estimated at so many input tokens and told as so many, and five of output. */
function answered(story: Story, ...answers: readonly (readonly [estimated: number, told: number | Partial<Usage>])[]) {
  for (const [inputTokens, told] of answers) {
    const request = story.request("lead", { estimate: { ...nothing, steps: 1, inputTokens, outputTokens: 10 } });
    const usage = {
      outputTokens: 5,
      cachedTokens: 0,
      inputTokens: 0,
      ...(typeof told === "number" ? { inputTokens: told } : told),
    };
    const said = { request, text: "So.", reasoning: "", toolCalls: [], finish: "stop", usage } as const;
    story.must({ type: "agent.complete", agent: "lead", ...said, costMicros: usage.inputTokens + 10 });
  }
  return story;
}

const doubtsOf = (story: Story) => story.ofType("usage.doubted").map(({ data }) => data);

test("a model whose server tells less than a third of a lot is doubted once, and charged at the estimate from then on", () => {
  const story = answered(new Story({ price }).start(), [60_000, 10_000], [60_000, 10_000]);
  expect(doubtsOf(story)).toEqual([{ model: "m", told: 20_000, estimated: 120_000 }]);
  const before = story.state.budget.used;
  answered(story, [60_000, 10_000], [100, 400]);
  const { used } = story.state.budget;
  expect([used.inputTokens - before.inputTokens, used.costMicros - before.costMicros]).toEqual([60_400, 60_420]);
  expect([doubtsOf(story).length, snapshotOf(story.state).doubted, snapshotOf(story.state).usage.inputTokens]).toEqual([
    1,
    ["m"],
    30_400,
  ]);
});

test.each<[string, Parameters<typeof answered>[1]]>([
  ["a third of it", [120_000, 40_000]],
  ["hardly any of a little", [99_999, 0]],
  ["without what was in the cache", [120_000, { inputTokens: 1_000, cachedTokens: 100_000 }]],
])("a server that tells %s is believed", (_what, answer) => {
  const story = answered(new Story({ price }).start(), answer);
  expect([doubtsOf(story), snapshotOf(story.state).doubted]).toEqual([[], undefined]);
});

test("another server begins anew", () => {
  const story = answered(new Story({ price }).start(), [120_000, 10]);
  story.isDriving = false;
  const overrides = { options: { baseUrl: "http://127.0.0.1:2/v1" }, limits: {}, by: "Ada" };
  story.must({ type: "run.override", overrides });
  expect(story.state.counted).toEqual({});
});
