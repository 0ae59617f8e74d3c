// From a task to a run that can begin, on a real repository: what it starts from, and where it may land.

import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import { defaultLimits, type RunOptions } from "../../shared/contract/options.ts";
import { type Assignment, prepareRun } from "./assignment.ts";
import type { PrepareParts } from "./terms.ts";
import { createGit } from "../git/createGit.ts";
import { hashOfCommands } from "../settings/trustedCommands.ts";

describe("a run that is prepared", () => {
  let repository: TempRepository;
  beforeEach(() => {
    repository = createTempRepository();
    repository.git("branch", "--move", "trunk");
  });
  afterEach(() => {
    repository.cleanup();
    rmSync(repository.outside, { recursive: true, force: true });
  });

  const prepare = (
    options: Partial<RunOptions> = {},
    more: Partial<Assignment> = {},
    trustedHash = "",
  ): ReturnType<typeof prepareRun> => {
    const assignment: Assignment = {
      folder: repository.folder,
      task: "Mend the parser",
      options: {
        model: "scripted",
        baseUrl: "http://127.0.0.1:1/v1",
        approve: "each",
        commands: "ask",
        network: "off",
        isAttended: true,
        landOn: { kind: "run-branch" },
        worktrees: "on",
        verify: [],
        ...options,
      },
      limits: defaultLimits,
      budget: { steps: 10, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null },
      wallMs: null,
      price: null,
      includesDirty: false,
      ...more,
    };
    const trusted: PrepareParts["trusted"] = { isTrusted: (_, commands) => hashOfCommands(commands) === trustedHash };
    return prepareRun({ git: createGit({ dataFolder: repository.outside }), trusted }, assignment);
  };

  test("[A02] [A07] starts from the commit that is checked out, whatever its branch is called and whatever others hold", async () => {
    repository.git("checkout", "--quiet", "-b", "dev");
    repository.git("commit", "--quiet", "--allow-empty", "-m", "local only");
    expect(await prepare({ landOn: { kind: "current" } })).toMatchObject({
      ok: true,
      value: { data: { base: repository.git("rev-parse", "dev"), baseBranch: "dev", target: "dev" } },
    });
  });

  test("[A08] lands on a branch of its own from a detached HEAD, and is refused where that shall be the current one", async () => {
    repository.git("checkout", "--quiet", "--detach");
    const base = repository.git("rev-parse", "HEAD");
    expect([await prepare(), await prepare({ landOn: { kind: "current" } })]).toMatchObject([
      {
        ok: true,
        value: { data: { base, baseBranch: null, target: expect.stringMatching(/^coppice\/mend-the-parser-/) } },
      },
      { ok: false, error: { code: "BAD_USAGE", message: expect.stringContaining("detached") } },
    ]);
  });

  test("[A25] takes what the repository sets from the commit, its commands only once they are trusted, and a person's own before them", async () => {
    const commands = { setup: ["npm ci"], verify: ["npm test"] };
    const config = { ...commands, protectedPaths: ["infra/**"], limits: { maxExecutors: 2 }, budget: { steps: 5 } };
    repository.write({ ".coppice/config.json": JSON.stringify(config) });
    const head = repository.commitAll("configuration").slice(0, 7);
    // What is not committed counts for nothing, trusted or not.
    repository.write({ ".coppice/config.json": JSON.stringify({ verify: ["rm -rf /"] }) });
    const hash = hashOfCommands(commands);
    const untrusted = await prepare();
    expect(untrusted).toMatchObject({ ok: false, error: { code: "COMMANDS_UNTRUSTED" } });
    expect(untrusted.ok ? "" : untrusted.error.message).toMatch(
      new RegExp(`config\\.json at ${head} .* set-up \`npm ci\`, check \`npm test\``),
    );
    const own = { setup: ["make deps"], verify: ["make check"] };
    const taken = [
      await prepare({}, {}, hash),
      await prepare({}, { repositoryCommands: "skip", named: ["maxExecutors", "steps"] }),
      await prepare(own),
    ].map((prepared) => (prepared.ok ? prepared.value.data : null));
    expect(taken).toMatchObject([
      { options: commands, limits: { maxExecutors: 2 }, budget: { steps: 5 }, protectedPaths: ["infra/**"] },
      { options: { verify: [] }, limits: { maxExecutors: 4 }, budget: { steps: 10 }, protectedPaths: ["infra/**"] },
      { options: own, limits: { maxExecutors: 2 } },
    ]);
    expect(taken[1]?.options.setup).toBeUndefined();

    // The network that set-up asks for is trusted with it, and a person's word goes before it.
    repository.write({ ".coppice/config.json": JSON.stringify({ ...config, setupNetwork: "on" }) });
    repository.commitAll("set-up asks for the network");
    const asking = await prepare({}, {}, hash);
    expect(asking.ok ? "" : asking.error.message).toContain("set-up with the network `npm ci`");
    const trusted = hashOfCommands({ ...commands, setupNetwork: "on" });
    const networks = [
      await prepare({}, {}, trusted),
      await prepare({ setupNetwork: "off" }, {}, trusted),
      await prepare({ setup: own.setup }, {}, trusted),
      await prepare({ network: "on", setup: own.setup, setupNetwork: "off" }, {}, trusted),
    ].map((prepared) => (prepared.ok ? prepared.value.data.options.setupNetwork : prepared.error.code));
    expect(networks).toEqual(["on", "off", undefined, "off"]);
  });

  test("is refused where the commit's configuration cannot be used", async () => {
    repository.write({ ".coppice/config.json": `{ "approve": "none" }` });
    repository.commitAll("configuration");
    expect(await prepare()).toMatchObject({ ok: false, error: { code: "BAD_CONFIGURATION" } });
  });

  test("takes the roles that the commit brings, with the prices of their models, never those of the checkout, and refuses a broken one of its own folder", async () => {
    const role = (more: string) => `---\ndescription: Looks at SQL\n${more}---\nLook at it.\n`;
    repository.write({
      ".coppice/roles/sql.md": role("limits: { steps: 5 }\n"),
      ".coppice/roles/notes.txt": "no role",
      ".claude/agents/sql.md": role("name: sql\n"),
      ".claude/agents/broken.md": "no front matter",
      ".goose/agents/tests.md": role("tools: Bash\n"),
      ".agents/agents/docs.md": role(""),
    });
    repository.commitAll("roles");
    repository.write({ ".coppice/roles/sql.md": "broken since" });
    const read = await prepare({}, { roleTerms: { ceiling: "execute", models: [] } });
    const roles = read.ok ? read.value.data.roles : [];
    expect(roles?.map(({ name, path, steps, ceiling }) => [name, path, steps, ceiling])).toEqual([
      ["sql", ".coppice/roles/sql.md", 5, "read"],
      ["docs", ".agents/agents/docs.md", 25, "read"],
      ["tests", ".goose/agents/tests.md", 40, "execute"],
    ]);
    const node = (id: string) => ({ id, role: "sql", task: "{task}" });
    repository.write({
      ".coppice/roles/sql.md": role("model: small\nlimits: { inputTokens: 300000, outputTokens: 50000 }\n"),
      ".coppice/templates/pair.json": JSON.stringify({ about: "Two look.", nodes: [node("left"), node("right")] }),
    });
    repository.commitAll("a model of its own");
    const small = { input: 1, output: 2 };
    const terms: Partial<Assignment> = {
      roleTerms: { ceiling: "read", models: ["small", "unused"] },
      named: ["costMicros"],
    };
    const budget = { steps: 10, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: 5 };
    const priced = { ...terms, price: small, budget };
    expect([
      await prepare({}, { ...priced, rolePrices: { small, unused: null } }),
      await prepare({}, { ...priced, rolePrices: { small: null, unused: null } }),
      await prepare({}, { ...priced, rolePrices: { small: null, unused: null }, named: [] }),
    ]).toMatchObject([
      { ok: true, value: { data: { rolePrices: { small }, budget: { costMicros: 5 } } } },
      { ok: false, error: { code: "NO_PRICE", message: expect.stringMatching(/^The price of small/) as string } },
      { ok: true, value: { data: { rolePrices: { small: null }, budget: { costMicros: null } } } },
    ]);
    // What a template costs at most is known where its roles' tokens and prices are.
    const template = { policy: { kind: "template", name: "pair" } } as const;
    const prices = { input: 1_000_000, output: 10_000_000 };
    expect(await prepare(template, { ...terms, rolePrices: { small: prices }, price: small })).toMatchObject({
      ok: true,
      value: { data: { template: { count: 2, budget: { costMicros: 1_600_000 } } } },
    });
    repository.write({ ".coppice/roles/sql.md": "broken since" });
    repository.commitAll("a broken one");
    const refused = await prepare();
    expect(refused.ok ? "" : `${refused.error.code} ${refused.error.message}`).toMatch(
      /^ROLE_INVALID \.coppice\/roles\/sql\.md at [0-9a-f]{7} is no role\. It does not begin with front matter/,
    );
  });
});
