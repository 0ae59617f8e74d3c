import { expect, test } from "vitest";
import { z } from "zod";
import type { Oid } from "../../shared/contract/ids.ts";
import { noConfig, parseRepositoryConfig, repositoryConfigSchema } from "./repositoryConfig.ts";
import { templateFileSchema } from "./templates.ts";

const commit = "0123456789".repeat(4) as Oid;

function refusalOf(text: string): string {
  const parsed = parseRepositoryConfig(text, commit);
  return parsed.ok ? "it was taken" : `${parsed.error.code} ${parsed.error.message}`;
}

test("what a repository may set is read, and what it leaves out is as without it", () => {
  const whole = {
    $schema: "https://example.test/config.schema.json",
    setup: ["npm ci"],
    setupNetwork: "on",
    verify: ["npm test", "npm run lint | tee lint.log"],
    worktreeInclude: [".env.test"],
    protectedPaths: ["infra/**"],
    limits: { maxExecutors: 2, maxSubagentMs: 60_000 },
    budget: { steps: 100, costUsd: 1.5, wallMs: 600_000 },
  };
  expect(parseRepositoryConfig(JSON.stringify(whole), commit)).toEqual({
    ok: true,
    value: {
      commands: { setup: whole.setup, setupNetwork: "on", verify: whole.verify },
      worktreeInclude: [".env.test"],
      protectedPaths: ["infra/**"],
      ceilings: { maxExecutors: 2, maxSubagentMs: 60_000, steps: 100, costMicros: 1_500_000, wallMs: 600_000 },
    },
  });
  // Nothing asks for the network where nothing is set up.
  for (const text of ["{}", `{ "setupNetwork": "on" }`, `{ "setupNetwork": "off" }`])
    expect(parseRepositoryConfig(text, commit)).toEqual({ ok: true, value: noConfig });
});

test.each([
  "model",
  "baseUrl",
  "roleModels",
  "modelServers",
  "keys",
  "record",
  "cassette",
  "landOn",
  "approve",
  "commands",
  "network",
  "mcp",
])("%s is never taken from a repository, and the refusal says where it belongs", (name) => {
  expect(refusalOf(`{\n  "verify": ["npm test"],\n  "${name}": "x"\n}`)).toMatch(
    new RegExp(
      `^BAD_CONFIGURATION \\.coppice/config\\.json at 0123456, line 3: \`${name}\` is never taken from a repository; .+\\. Mend it and commit`,
    ),
  );
});

test("what is wrong is named with its line, and what there is instead", () => {
  expect(refusalOf(`{ "verify": ["npm test" }`)).toContain("config.json at 0123456 is not JSON");
  expect(refusalOf(`{\n  "verfiy": []\n}`)).toContain(
    "line 2: `verfiy` is nothing that can be set here; there are setup, setupNetwork, verify, worktreeInclude, protectedPaths, limits, budget.",
  );
  expect(refusalOf(`{\n  "limits": {\n    "maxSteps": 3\n  }\n}`)).toContain(
    "line 3: `limits.maxSteps` is nothing that can be set here; there are maxConcurrent,",
  );
  expect(refusalOf(`{\n  "setup": "npm ci"\n}`)).toContain(
    `line 2: \`setup\` is not a list of shell lines, such as ["npm test"].`,
  );
  expect(refusalOf(`{ "limits": { "maxExecutors": 0 } }`)).toContain("`limits.maxExecutors`");
  expect(refusalOf(JSON.stringify({ verify: ["x".repeat(70_000)] }))).toContain("is larger than 64 KiB");
});

test("a command that is not wholly seen is refused: what a person trusts is what is run", () => {
  const hidden = ["npm test\nrm -rf .", "npm test\u001b[2K", "echo \u202E", "a\u200Bb", "a\u2028b", ""];
  expect(hidden.map((line) => refusalOf(JSON.stringify({ verify: [line] })))).toEqual(
    hidden.map(() => expect.stringContaining("`verify.0` is not one line of visible characters") as string),
  );
});

test.each([
  ["config", "Coppice: .coppice/config.json", repositoryConfigSchema],
  ["template", "Coppice: .coppice/templates/NAME.json", templateFileSchema],
])(
  "the shape of a %s is published as a JSON Schema; `npx vitest run FILE -u` writes it anew",
  async (name, title, schema) => {
    await expect(`${JSON.stringify({ title, ...z.toJSONSchema(schema) }, null, 2)}\n`).toMatchFileSnapshot(
      `../../../resources/schemas/${name}.schema.json`,
    );
  },
);
