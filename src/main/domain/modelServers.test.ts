import { expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { modelsElsewhere, sayElsewhere, serverOf } from "./modelServers.ts";
import { snapshotOf } from "./projections/snapshot.ts";
import { optionWords } from "./projections/optionWords.ts";

const lab = "http://127.0.0.1:2/v1";
const away = {
  roleModels: { explorer: "small", reviewer: "large", planner: "large" },
  modelServers: { large: lab, m: lab },
};
const runAway = () => new Story({ options: away }).start();

test("a model is asked where it is said to be; the run's own model, and one of which nothing is said, at the run's server", () => {
  const { options } = runAway().state;
  expect(["large", "small", "m", "toString"].map((model) => serverOf(options, model))).toEqual([
    lab,
    options.baseUrl,
    options.baseUrl,
    options.baseUrl,
  ]);
  expect(modelsElsewhere(options).map(sayElsewhere)).toEqual([`reviewer and planner: the model large at ${lab}`]);
});

test("at another server roles keep the models that they have beside it", () => {
  const story = runAway();
  story.isDriving = false;
  story.must({
    type: "run.override",
    overrides: { options: { baseUrl: "http://127.0.0.1:3/v1" }, limits: {}, by: "a person" },
  });
  const { options } = story.state;
  expect([options.roleModels, serverOf(options, "large"), serverOf(options, "small")]).toEqual([
    { reviewer: "large", planner: "large" },
    lab,
    "http://127.0.0.1:3/v1",
  ]);
});

test("a run that is given the model of a role goes on with it at the run's own server, and so does the role", () => {
  const story = runAway();
  story.isDriving = false;
  story.must({ type: "run.override", overrides: { options: { model: "large" }, limits: {}, by: "a person" } });
  const { options } = story.state;
  expect([serverOf(options, "large"), modelsElsewhere(options).map(({ model }) => model)]).toEqual([
    options.baseUrl,
    ["m"],
  ]);
});

test("whoever is shown a subagent sees its model's server where that is not the run's, and the options name it", () => {
  const story = runAway();
  story.spawn({ task: "Look.", role: "explorer" });
  story.spawn({ task: "Judge.", role: "reviewer" });
  story.spawn({ task: "As the lead says.", role: "explorer", model: "large" });
  expect(snapshotOf(story.state).subagents.map(({ model, server }) => [model, server])).toEqual([
    ["small", undefined],
    ["large", lab],
    ["large", lab],
  ]);
  expect(optionWords({ options: story.state.options })).toEqual(
    expect.arrayContaining(["explorer model small", `reviewer model large at ${lab}`, `planner model large at ${lab}`]),
  );
});
