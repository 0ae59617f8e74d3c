// Options on `resume`: which are taken, as what, and why the others are not.

import { describe, expect, test } from "vitest";

import { readOverrides, type ResumeFlags } from "./overrideFlags.ts";

const surroundings = { env: {}, folder: "/home/ada", isAttended: true };
const read = (flags: ResumeFlags) => readOverrides(flags, surroundings);

test("what is not given is not asked for", () => {
  expect(read({ json: true, workflow: true })).toEqual({ options: {}, limits: {}, budget: {}, by: "a person" });
});

test("each option is read as run reads it", () => {
  const order = read({
    model: "other",
    baseUrl: "http://127.0.0.1:11434/v1",
    approve: "auto",
    commands: "deny",
    network: "on",
    landOn: "branch:next",
    verify: ["npm test"],
    maxConcurrent: "3",
    maxSteps: "12",
    modelIdleMs: "9000",
    budget: "steps=50,costUsd=1.5,wallMs=60000",
  });
  expect(order).toEqual({
    options: {
      model: "other",
      baseUrl: "http://127.0.0.1:11434/v1",
      cassette: null,
      approve: "auto",
      isAttended: true,
      commands: "deny",
      network: "on",
      landOn: { kind: "branch", name: "next" },
      verify: ["npm test"],
    },
    limits: { maxConcurrent: 3, maxSteps: 12, leadSteps: 12, modelIdleMs: 9_000 },
    budget: { steps: 50, costMicros: 1_500_000 },
    wallMs: 60_000,
    by: "a person",
  });
});

describe("where answers come from", () => {
  test.each([
    [{ cassette: "run.cassette" }, { cassette: "/home/ada/run.cassette", record: null }],
    [{ record: "run.cassette" }, { cassette: null, record: "/home/ada/run.cassette" }],
    [{ baseUrl: "https://models.example/v1" }, { baseUrl: "https://models.example/v1", cassette: null }],
  ] as const)("%o takes the place of what contradicts it", (flags, options) => {
    expect(read(flags).options).toEqual(options);
  });

  test("is not two places at once", () => {
    expect(() => read({ record: "a", cassette: "b" })).toThrow(/^Give either --record or --cassette/);
  });
});

test.each([
  [{ repo: "/elsewhere" }, "--repo"],
  [{ task: "Another." }, "--task"],
  [{ taskFile: "task.md" }, "--task-file"],
  [{ includeDirty: true }, "--include-dirty"],
  [{ setup: ["npm ci"] }, "--setup"],
  [{ setupNetwork: "on" }, "--setup-network"],
  [{ repositoryCommands: "skip" }, "--repository-commands"],
  [{ worktrees: "off" }, "--worktrees"],
  [{ policy: "rules" }, "--policy"],
  [{ topology: "groups" }, "--topology"],
  [{ mayMessage: ["web:api"] }, "--may-message"],
  [{ delegation: "off" }, "--delegation"],
  [{ approvePlan: true }, "--approve-plan"],
  [{ leadEdits: true }, "--lead-edits"],
  [{ workflow: false }, "--no-workflow"],
] as const)("what a run was built from stays, and why is said: %o", (flags, option) => {
  expect(() => read(flags)).toThrow(new RegExp(`^${option} cannot change on a standing run: [a-z].+\\.$`));
});

test.each([
  [{ model: " " }, /^--model/],
  [{ baseUrl: "no address" }, /^--base-url/],
  [{ approve: "never" }, /^--approve/],
  [{ maxChain: "0" }, /^--max-chain/],
  [{ budget: "steps=many" }, /^--budget/],
] as const)("a mistake is named with its option: %o", (flags, says) => {
  expect(() => read(flags)).toThrow(says);
});
