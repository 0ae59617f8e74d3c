import { expect, test } from "vitest";

import { emptyDraft, missingIn, orderOf, recall, rememberable } from "./order.ts";
import type { Draft } from "./order.ts";

const draft: Draft = {
  ...emptyDraft,
  folder: " /src/shop ",
  task: "Fix it.",
  model: "glm-4.6",
  approve: "auto",
  landOn: "branch",
  branch: "fix",
  verify: "npm test\n\n npm run lint ",
};

test("a form becomes a command, and what was left empty is left out", () => {
  expect(orderOf(draft)).toEqual({
    type: "startRun",
    folder: "/src/shop",
    task: "Fix it.",
    model: "glm-4.6",
    approve: "auto",
    landOn: { kind: "branch", name: "fix" },
    verify: ["npm test", "npm run lint"],
  });
  expect(orderOf({ ...draft, baseUrl: "http://127.0.0.1:1/v1", landOn: "current", verify: "" })).toMatchObject({
    baseUrl: "http://127.0.0.1:1/v1",
    landOn: { kind: "current" },
  });
});

test("what is missing is named, one thing at a time", () => {
  expect([
    missingIn(emptyDraft),
    missingIn({ ...draft, task: " " }),
    missingIn({ ...draft, model: "" }),
    missingIn({ ...draft, branch: "" }),
    missingIn({ ...draft, approve: "final", landOn: "run-branch" }),
    missingIn(draft),
  ]).toEqual([
    "Name the repository's folder.",
    "Say what is to be done.",
    "Name a model.",
    "Name the branch to land on.",
    "One review at the end needs a branch to land on other than the run's own.",
    null,
  ]);
});

test("the next form begins with what was chosen last, and with nothing that nobody could have chosen", () => {
  expect(recall(rememberable(draft))).toEqual({ ...draft, task: "" });
  expect([recall(null), recall("{"), recall("[]"), recall('{"approve":"moon","landOn":7,"task":"x","y":"z"}')]).toEqual(
    Array.from({ length: 4 }, () => emptyDraft),
  );
});
