import { expect, test } from "vitest";

import { defaultLimits } from "../../../shared/contract/options.ts";
import type { RepositoryPage } from "../../../shared/contract/care.ts";
import { emptyDraft, missingIn, orderOf, recall, rememberable, untrustedIn } from "./order.ts";
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
    policy: { kind: "llm" },
    folder: "/src/shop",
    task: "Fix it.",
    model: "glm-4.6",
    approve: "auto",
    commands: "ask",
    landOn: { kind: "branch", name: "fix" },
    verify: ["npm test", "npm run lint"],
  });
  expect(orderOf({ ...draft, baseUrl: "http://127.0.0.1:1/v1", landOn: "current", verify: "" })).toMatchObject({
    baseUrl: "http://127.0.0.1:1/v1",
    landOn: { kind: "current" },
  });
});

test("a policy goes along as it is named, and one that is none is not recalled", () => {
  expect(orderOf({ ...draft, policy: "template:fan-out" }).policy).toEqual({ kind: "template", name: "fan-out" });
  expect(orderOf({ ...draft, policy: "rules:default" }).policy).toEqual({ kind: "rules", preset: "default" });
  expect(recall('{"policy":"rules:superpowers"}').policy).toBe("rules:superpowers");
  expect(recall('{"policy":"rules:mine"}').policy).toBe("llm");
});

test("a lead that edits, or works alone, is said; one that works alone is held to no policy", () => {
  const orders = (["team", "leadEdits", "alone"] as const).map((workers) => {
    const { leadEdits, workflow, policy } = orderOf({ ...draft, workers, policy: "rules:default" });
    return [leadEdits, workflow, policy?.kind];
  });
  expect(orders).toEqual([
    [undefined, undefined, "rules"],
    [true, undefined, "rules"],
    [undefined, "off", undefined],
  ]);
  expect([recall('{"workers":"alone"}').workers, recall('{"workers":"nobody"}').workers]).toEqual(["alone", "team"]);
});

test("a team and a plan to approve go along, except for one agent alone, and choices that clash are said", () => {
  const team = { ...draft, topology: "coordinator", approvePlan: true } as const;
  expect(orderOf(team)).toMatchObject({ topology: "coordinator", approvePlan: true });
  expect(orderOf({ ...team, workers: "alone" })).not.toHaveProperty("topology");
  expect([team, { ...team, workers: "direct" as const }].map((one) => missingIn(one))).toEqual([
    null,
    "A coordinator has no working tools, so it cannot edit: choose subagents, or another team.",
  ]);
  expect(missingIn({ ...draft, topology: "groups", policy: "template:fan-out" })).toContain("A template fixes who");
  const groups = { ...draft, topology: "groups", mayMessage: "web > api\n\napi -> web" } as const;
  expect(orderOf(groups)).toMatchObject({
    mayMessage: [
      { from: "web", to: "api" },
      { from: "api", to: "web" },
    ],
  });
  expect(orderOf({ ...groups, topology: "supervisor" })).not.toHaveProperty("mayMessage");
  expect(missingIn({ ...groups, mayMessage: "web, api" })).toBe("“web, api” is not two groups, such as web > api.");
  expect(missingIn({ ...groups, mayMessage: "web, api", workers: "alone" })).toBeNull();
  expect([recall('{"topology":"groups"}').topology, recall('{"topology":"mine"}').topology]).toEqual([
    "groups",
    "supervisor",
  ]);
});

test("limits that were typed go over those of a run that is repeated", () => {
  const budget = { steps: 10, toolCalls: 5, inputTokens: null, outputTokens: null, costMicros: null };
  const rest = { network: "off", worktrees: "on", limits: defaultLimits, budget, wallMs: 60_000 } as const;
  expect(orderOf({ ...draft, money: "2.5", minutes: "30", includesDirty: true, rest })).toMatchObject({
    includesDirty: true,
    network: "off",
    budget: { ...budget, costMicros: 2_500_000 },
    wallMs: 1_800_000,
  });
});

test("commands that a repository brings wait for a word, unless they are trusted, left out or replaced", () => {
  const configuration = {
    commands: { setup: ["npm ci"], verify: ["npm test"] },
    hash: "a",
    isTrusted: false,
    confinement: "",
    ceilings: {},
    problem: null,
  };
  const page = { configuration } as unknown as RepositoryPage;
  const trusted = { configuration: { ...configuration, isTrusted: true } } as unknown as RepositoryPage;
  const waits = "The repository brings commands: trust them, or leave them out.";
  expect([
    untrustedIn(emptyDraft, page),
    untrustedIn({ ...emptyDraft, verify: "make check" }, page),
    untrustedIn({ ...emptyDraft, verify: "make check", setup: "make deps" }, page),
    untrustedIn({ ...emptyDraft, skipsCommands: true }, page),
    untrustedIn(emptyDraft, trusted),
    untrustedIn(emptyDraft, null),
  ]).toEqual([waits, waits, null, null, null, null]);
  expect(orderOf({ ...draft, verify: "", setup: "npm ci", skipsCommands: true })).toMatchObject({
    setup: ["npm ci"],
    repositoryCommands: "skip",
  });
});

test("what is missing is named, one thing at a time", () => {
  expect([
    missingIn(emptyDraft),
    missingIn({ ...draft, task: " " }),
    missingIn({ ...draft, model: "" }),
    missingIn({ ...draft, branch: "" }),
    missingIn({ ...draft, approve: "final", landOn: "run-branch" }),
    missingIn({ ...draft, money: "much" }),
    missingIn({ ...draft, steps: "0" }),
    missingIn(draft),
  ]).toEqual([
    "Name the repository's folder.",
    "Say what is to be done.",
    "Name a model.",
    "Name the branch to land on.",
    "One review at the end needs a branch to land on other than the run's own.",
    "The money is no amount, such as 2.50.",
    "Turns and minutes are whole numbers from 1.",
    null,
  ]);
});

test("the next form in a repository begins with what was chosen there last, and with nothing that nobody could have chosen", () => {
  const usual: Draft = { ...emptyDraft, folder: "/src/shop", commands: "allow" };
  expect(recall(rememberable({ ...draft, money: "3" }), usual)).toEqual({
    ...usual,
    model: "glm-4.6",
    approve: "auto",
    commands: "ask",
    landOn: "branch",
    branch: "fix",
    verify: draft.verify,
    money: "3",
  });
  expect([recall(null), recall("{"), recall("[]"), recall('{"approve":"moon","landOn":7,"task":"x","y":"z"}')]).toEqual(
    Array.from({ length: 4 }, () => emptyDraft),
  );
});
