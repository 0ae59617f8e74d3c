import { describe, expect, test } from "vitest";

import { defaultLimits } from "../../../shared/contract/options.ts";
import { defaultSettings } from "../../settings/defaultSettings.ts";
import {
  count,
  readBudget,
  readHunks,
  readKey,
  readLimits,
  readNamed,
  readOptions,
  readRepositoryCommands,
  readTask,
  type RunFlags,
} from "./usage.ts";

const flags: RunFlags = {
  model: "m",
  approve: "each",
  commands: "ask",
  network: "off",
  landOn: "run-branch",
  policy: "llm",
  worktrees: "on",
  verify: [],
  setup: [],
  repositoryCommands: "ask",
};
const options = (more: Partial<RunFlags>) => readOptions({ ...flags, ...more }, {}, true);

describe("a number", () => {
  test("is whole and from 1, in decimal digits", () => {
    expect(["1", "07", "9007199254740991"].map((text) => count("--n", text))).toEqual([1, 7, Number.MAX_SAFE_INTEGER]);
    expect(count("--n", undefined)).toBeUndefined();
    for (const text of ["", " ", "0", "-1", "1.5", "1e3", "0x3", "two", "Infinity", "NaN", "9007199254740992", " 3"])
      expect(() => count("--n", text)).toThrow(/^--n takes a whole number from 1, not "/);
  });

  test("of steps replaces every role's own and the lead's", () => {
    expect(readLimits({ ...flags, maxSteps: "7", maxChain: "2" })).toEqual({
      ...defaultLimits,
      maxSteps: 7,
      leadSteps: 7,
      maxChain: 2,
    });
    expect(readLimits(flags)).toEqual(defaultLimits);
  });
});

test("a check is a command: an empty one, which would pass whatever there is, and an option are none", () => {
  const told = (more: Partial<RunFlags>) => {
    try {
      return options(more).verify;
    } catch (error) {
      return String(error);
    }
  };
  expect([told({ verify: ["npm test"] }), told({ verify: ["npm test", " "] }), told({ setup: ["--json"] })]).toEqual([
    ["npm test"],
    expect.stringContaining("--verify takes a command; this one is empty."),
    expect.stringContaining('--setup takes a command, not "--json".'),
  ]);
});

describe("a budget", () => {
  test("names what it limits; the rest keeps its default", () => {
    expect(readBudget("steps=3, inputTokens=1000,costUsd=0.25,wallMs=5", null)).toEqual({
      balances: { steps: 3, toolCalls: null, inputTokens: 1000, outputTokens: null, costMicros: 250_000 },
      wallMs: 5,
    });
    expect(readBudget(undefined, null)).toEqual({
      balances: { steps: 400, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: 5_000_000 },
      wallMs: 7_200_000,
    });
    expect(readBudget(undefined, "m").balances.costMicros).toBeNull();
  });

  test.each([
    ["", /no ""/],
    ["hours=3", /no "hours"/],
    ["steps", /no "steps"/],
    ["=3", /no ""/],
    ["steps=1,", /no ""/],
    ["steps=1,steps=2", /steps is named twice/],
    ["steps=", /steps=: it takes a whole number/],
    ["steps=0", /steps=0/],
    ["steps=1.5", /steps=1\.5/],
    ["steps=1=2", /steps=1=2/],
    ["steps=1e3", /steps=1e3/],
    ["costUsd=0", /costUsd=0: it takes a positive amount/],
    ["costUsd=-1", /costUsd=-1/],
    ["costUsd=Infinity", /costUsd=Infinity/],
  ])("of %j is refused, by its part", (text, says) => {
    expect(() => readBudget(text, null)).toThrow(says);
  });

  test("of money needs a price", () => {
    expect(() => readBudget("costUsd=1", "m")).toThrow(expect.objectContaining({ code: "NO_PRICE" }));
  });
});

describe("hunks", () => {
  test("are numbers by file; a file named twice adds up, and may hold a colon", () => {
    expect(readHunks(["a.txt:1,3", "c:d.txt:2", "a.txt:3,4"])).toEqual({ "a.txt": [1, 3, 4], "c:d.txt": [2] });
    expect(readHunks([])).toBeUndefined();
  });

  test.each(["1,3", ":1", "a.txt", "a.txt:", "a.txt:0", "a.txt:1,", "a.txt:-1", "a.txt:one", "a.txt:1.5"])(
    "of %j are refused",
    (entry) => {
      expect(() => readHunks([entry])).toThrow(`--hunks ${entry}: it takes FILE:1,3`);
    },
  );
});

describe("modes", () => {
  test.each([
    [{ approve: "maybe" }, /^--approve .*"maybe"/],
    [{ commands: "perhaps" }, /^--commands .*"perhaps"/],
    [{ network: "yes" }, /^--network .*"yes"/],
    [{ worktrees: "no" }, /^--worktrees .*"no"/],
    [{ landOn: "main" }, /^--land-on .*"main"/],
    [{ landOn: "branch:" }, /^--land-on .*"branch:"/],
  ] as const)("%j is refused, with what the option takes", (more, says) => {
    expect(() => options(more)).toThrow(says);
  });

  test("that are allowed stand in the options", () => {
    expect(options({ landOn: "branch:fix/it", commands: "deny", verify: ["npm test"] })).toMatchObject({
      landOn: { kind: "branch", name: "fix/it" },
      commands: "deny",
      verify: ["npm test"],
    });
  });
});

describe("a model server", () => {
  test("comes from the flag before the environment", () => {
    expect([
      options({ baseUrl: "http://a/v1" }).baseUrl,
      readOptions(flags, { OPENAI_BASE_URL: "http://b/v1" }, true).baseUrl,
      options({}).baseUrl,
    ]).toEqual(["http://a/v1", "http://b/v1", "https://api.openai.com/v1"]);
  });

  test.each(["not a url", "file:///etc/passwd", "http://ada:s3cret@host/v1", "https://host/v1?key=s3cret"])(
    "at %j is refused, and no secret is repeated",
    (baseUrl) => {
      expect(() => options({ baseUrl })).toThrow(
        expect.objectContaining({ code: "ENDPOINT_INVALID", message: expect.not.stringContaining("s3cret") }),
      );
    },
  );

  test("without a model's name is no model", () => {
    expect(() => options({ model: " " })).toThrow(expect.objectContaining({ code: "NO_MODEL" }));
  });
});

describe("texts", () => {
  test("a task is taken as it stands, and is not empty", () => {
    expect(readTask({ task: " a\n" }, "/")).toBe(" a\n");
    expect(() => readTask({ task: " \n\t" }, "/")).toThrow(/empty/);
    expect(() => readTask({}, "/")).toThrow(/--task TEXT or --task-file FILE/);
    expect(() => readTask({ task: "a", taskFile: "-" }, "/")).toThrow(/not both/);
    expect(() => readTask({ taskFile: "gone.md" }, "/nowhere")).toThrow(/^--task-file gone\.md cannot be read/);
  });

  test("a key of blanks is none", () => {
    expect([
      readKey(undefined, { OPENAI_API_KEY: " k\n" }, "/"),
      readKey(undefined, { OPENAI_API_KEY: " " }, "/"),
      readKey(undefined, {}, "/"),
    ]).toEqual(["k", null, null]);
    expect(() => readKey("gone.key", { OPENAI_API_KEY: "k" }, "/nowhere")).toThrow(
      /^--api-key-file gone\.key cannot be read/,
    );
  });
});

describe("settings", () => {
  const settings = {
    ...defaultSettings,
    providers: [
      { id: "lab", name: "Lab", baseUrl: "https://lab.example/v1", key: { from: "none" as const }, models: [] },
    ],
    model: { provider: "lab", name: "large" },
    run: { ...defaultSettings.run, maxChain: 9, budget: { ...defaultSettings.run.budget, steps: 12 } },
  };
  const { model: _model, ...unnamed } = flags;

  test("give way to the environment, and both to a flag", () => {
    const read = (more: Partial<RunFlags>, env: NodeJS.ProcessEnv = {}) => {
      const { model, baseUrl } = readOptions({ ...unnamed, ...more }, env, true, settings);
      return [model, baseUrl];
    };
    const env = { OPENAI_BASE_URL: "https://env.example/v1" };
    expect([read({}), read({}, env), read({ baseUrl: "https://flag.example/v1" }, env), read({ model: "m" })]).toEqual([
      ["large", "https://lab.example/v1"],
      ["large", "https://env.example/v1"],
      ["large", "https://flag.example/v1"],
      ["m", "https://api.openai.com/v1"],
    ]);
    expect([readLimits(flags, settings).maxChain, readLimits({ ...flags, maxChain: "2" }, settings).maxChain]).toEqual([
      9, 2,
    ]);
    expect(readBudget("toolCalls=5", "m", settings).balances).toMatchObject({ steps: 12, toolCalls: 5 });
  });
});

test("what bounds a run by its own flags is known by name, so that a repository lowers none of it", () => {
  expect(readNamed(flags)).toEqual([]);
  expect(readNamed({ ...flags, maxSteps: "9", maxChain: "2", budget: "costUsd=1,wallMs=1000" })).toEqual([
    "maxChain",
    "maxSteps",
    "leadSteps",
    "costMicros",
    "wallMs",
  ]);
});

test("a set-up goes along where there is one, and what the repository brings is asked about unless said otherwise", () => {
  expect([options({}).setup, options({ setup: ["npm ci"] }).setup]).toEqual([undefined, ["npm ci"]]);
  expect(readRepositoryCommands(flags)).toBe("ask");
  expect(() => readRepositoryCommands({ ...flags, repositoryCommands: "yes" })).toThrow(
    /^--repository-commands takes ask, trust, skip/,
  );
});

test("one agent alone, or a lead that edits, is said only where it is asked for; alone there is no policy", () => {
  const { workflow, leadEdits } = options({ workflow: true });
  expect([workflow, leadEdits, options({ leadEdits: true }).leadEdits, options({ workflow: false }).workflow]).toEqual([
    undefined,
    undefined,
    true,
    "off",
  ]);
  expect(() => options({ workflow: false, policy: "rules" })).toThrow(/^--no-workflow is one agent alone/);
});

test("who works with whom is said only where it is asked for, and a word that is none names those there are", () => {
  const { topology, delegation, approvePlan } = options({});
  expect([topology, delegation, approvePlan]).toEqual([undefined, undefined, undefined]);
  expect(options({ topology: "groups", delegation: "direct", approvePlan: true })).toMatchObject({
    topology: "groups",
    delegation: "direct",
    approvePlan: true,
  });
  expect(options({ topology: "groups", mayMessage: ["web: api", "api:web"] }).mayMessage).toEqual([
    { from: "web", to: "api" },
    { from: "api", to: "web" },
  ]);
  expect(() => options({ topology: "groups", mayMessage: ["web"] })).toThrow(/^--may-message takes FROM:TO/);
  expect(() => options({ mayMessage: ["web:api"] })).toThrow(/goes with --topology groups alone/);
  expect(() => options({ topology: "mesh" })).toThrow(/^--topology takes supervisor, coordinator, dispatch, groups/);
  expect(() => options({ delegation: "always" })).toThrow(/^--delegation takes off, direct, prefer/);
  expect(() => options({ topology: "coordinator", leadEdits: true })).toThrow(/has no working tools/);
});
