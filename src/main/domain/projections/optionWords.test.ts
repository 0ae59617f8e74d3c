import { expect, test } from "vitest";

import { Story } from "../../../../test/support/runStory.ts";
import { overriding, type Overrides } from "../overrides.ts";
import { optionWords } from "./optionWords.ts";

/** The words of what `resume` changes. */
function wordsAfter(story: Story, wish: Partial<Overrides>): readonly string[] {
  const events = overriding(story.state, { options: {}, limits: {}, by: "a person", ...wish });
  return events.flatMap((event) => (event.type === "options.set" ? optionWords(event.data) : []));
}

test("a landing that is named another way is told, also where its branch is the same", () => {
  const story = new Story({ options: { landOn: { kind: "current" } } }).start();
  const { target } = story.state;
  const landOn = { kind: "branch", name: target.branch } as const;
  expect(wordsAfter(story, { options: { landOn }, landsOn: target })).toEqual([`land-on branch:${target.branch}`]);
  const next = { branch: "next", ref: "refs/heads/next" };
  expect(wordsAfter(story, { options: { landOn: { kind: "branch", name: "next" } }, landsOn: next })).toEqual([
    "lands on next",
  ]);
});

test("whatever of a standing run is changed has words", () => {
  const story = new Story({ budget: { steps: 50 }, wallMs: 1_000 }).start();
  const wishes: readonly Partial<Overrides>[] = [
    { options: { model: "other" } },
    { options: { baseUrl: "http://127.0.0.1:2/v1" } },
    { options: { cassette: "/c.json" } },
    { options: { record: "/r.json" } },
    { options: { approve: "auto" } },
    { options: { commands: "deny" } },
    { options: { network: "on" } },
    { options: { landOn: { kind: "current" } } },
    { options: { verify: ["npm test"] } },
    { options: { isAttended: true } },
    { limits: { maxSteps: 3 } },
    { price: { input: 1, output: 2 } },
    { rolePrices: { small: null } },
    { budget: { steps: null } },
    { wallMs: null },
  ];
  expect(wishes.filter((wish) => wordsAfter(story, wish).length === 0)).toEqual([]);
});
