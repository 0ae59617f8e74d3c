// What a repository sets for the runs in it: `.coppice/config.json`, read from a commit and never from the checkout. Only what
// cannot harm whoever runs it there; what decides who sees the code, what it costs or what happens unasked is refused by name.

import { z } from "zod";
import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryCommands } from "../../shared/contract/repositoryCommands.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { pathOf, sayIssues } from "../settings/jsonIssues.ts";
import { locateInJson } from "../settings/jsonPlace.ts";
import type { Ceilings } from "./lowering.ts";

export interface RepositoryConfig {
  readonly commands: RepositoryCommands;
  /** Patterns of ignored files that each worktree gets, beside those of `.worktreeinclude`. */
  readonly worktreeInclude: readonly string[];
  /** Patterns of paths that never land unasked, beside the usual ones. */
  readonly protectedPaths: readonly string[];
  readonly ceilings: Ceilings;
}

const file = ".coppice/config.json";
const maxBytes = 64 * 1024;

/** What is shown for consent must be what is run, so it holds nothing that cannot be seen. */
const visible = /^(?=.*\S)[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u;
const line = z.string().max(1_000).regex(visible, "is not one line of visible characters");
const lines = z.array(line, `is not a list of shell lines, such as ["npm test"]`).max(20);
const pattern = z.string().max(200).regex(visible, "is not a pattern of visible characters");
const patterns = z.array(pattern, `is not a list of patterns, such as ["infra/**"]`).max(100);
const whole = z.exactOptional(z.int().min(1).max(1_000_000_000_000));

const limits = z.strictObject({
  maxConcurrent: whole,
  maxExecutors: whole,
  maxSubagents: whole,
  maxChain: whole,
  leadSteps: whole,
  maxSubagentMs: whole,
});

const budget = z.strictObject({
  steps: whole,
  toolCalls: whole,
  inputTokens: whole,
  outputTokens: whole,
  costUsd: z.exactOptional(z.number().min(0.01).max(1_000_000)),
  wallMs: whole,
});

export const repositoryConfigSchema = z.strictObject({
  $schema: z.exactOptional(z.string().max(2_000)),
  setup: z.exactOptional(
    lines.describe("Run in each new worktree before anybody works there, once a person trusts them."),
  ),
  setupNetwork: z.exactOptional(
    z.enum(["on", "off"]).describe("Whether set-up asks for the network: it has it once a person trusts that too."),
  ),
  verify: z.exactOptional(lines.describe("The checks of a run that names none, once a person trusts them.")),
  worktreeInclude: z.exactOptional(
    patterns.describe(
      "Ignored files of the checkout that each worktree gets: gitignore patterns, beside .worktreeinclude.",
    ),
  ),
  protectedPaths: z.exactOptional(
    patterns.describe("Globs of paths that never land unasked, beside those that never do."),
  ),
  limits: z.exactOptional(limits.describe("Hold where they are lower than what a person has set for all runs.")),
  budget: z.exactOptional(
    budget.describe("Of a run. Holds where it is lower than what a person has set for all runs."),
  ),
});

/** What somebody may look for here, and where it belongs instead. */
const elsewhere: Readonly<Record<string, string>> = {
  model: "name the model with --model, or in the settings",
  baseUrl: "name the server with --base-url, in OPENAI_BASE_URL or in the settings",
  roleModels: "a model for a role is set under Settings, Models",
  modelServers: "the server of a role's model is set under Settings, Models",
  keys: "a key comes from OPENAI_API_KEY, --api-key-file or the settings",
  key: "a key comes from OPENAI_API_KEY, --api-key-file or the settings",
  apiKey: "a key comes from OPENAI_API_KEY, --api-key-file or the settings",
  record: "pass --record",
  cassette: "pass --cassette",
  landOn: "pass --land-on",
  approve: "pass --approve, or set it in the settings",
  commands: "pass --commands, or set it in the settings",
  network: "pass --network; that of set-up alone can be asked for with setupNetwork",
  mcp: "tools of others are set up by whoever runs Coppice",
  mcpServers: "tools of others are set up by whoever runs Coppice",
  roles: "a role is a file of its own, .coppice/roles/NAME.md",
  templates: "a template is a file of its own, .coppice/templates/NAME.json",
  rules: "what a command may do is allowed by a person, where it asks",
};

/** What holds where a repository sets nothing. */
export const noConfig: RepositoryConfig = {
  commands: { setup: [], verify: [] },
  worktreeInclude: [],
  protectedPaths: [],
  ceilings: {},
};

/** What the repository sets at `commit`. Code `BAD_CONFIGURATION`. */
export async function readRepositoryConfig(
  git: Pick<GitPort, "readFileAt">,
  repo: RepositoryFacts,
  commit: Oid,
): Promise<Result<RepositoryConfig>> {
  const text = await git.readFileAt(repo, commit, file, maxBytes + 1);
  return text === null ? succeed(noConfig) : parseRepositoryConfig(text, commit);
}

/** Checks the text of the file as it is at `commit`. Code `BAD_CONFIGURATION`: where, what, and what to do. */
export function parseRepositoryConfig(text: string, commit: Oid): Result<RepositoryConfig> {
  const at = `${file} at ${commit.slice(0, 7)}`;
  const bad = (what: string) =>
    fail({ code: "BAD_CONFIGURATION", message: `${at}${what} Mend it and commit: it is read from the commit.` });
  if (text.length > maxBytes) return bad(` is larger than ${maxBytes / 1024} KiB.`);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return bad(` is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const parsed = repositoryConfigSchema.safeParse(json);
  if (!parsed.success) return bad(`, ${sayProblem(parsed.error, text)}`);
  const { setup = [], verify = [], worktreeInclude = [], protectedPaths = [], ...bounds } = parsed.data;
  const asksForNetwork = setup.length > 0 && parsed.data.setupNetwork === "on";
  return succeed({
    commands: { setup, ...(asksForNetwork ? { setupNetwork: "on" } : {}), verify },
    worktreeInclude,
    protectedPaths,
    ceilings: { ...bounds.limits, ...ceilingsOf(bounds.budget ?? {}) },
  });
}

function ceilingsOf({ costUsd, ...others }: z.infer<typeof budget>): Ceilings {
  return costUsd === undefined ? others : { ...others, costMicros: Math.round(costUsd * 1_000_000) };
}

/** A name that does not belong there is told apart: a person has a place for it, or it is nobody's. */
function sayProblem(error: z.ZodError, text: string): string {
  const [first] = error.issues;
  if (first?.code !== "unrecognized_keys") return sayIssues(error, text);
  const path = pathOf(first);
  const name = path.at(-1) ?? "";
  const where = `line ${locateInJson(text, path)}: \`${path.join(".")}\``;
  if (first.path.length === 0 && Object.hasOwn(elsewhere, name))
    return `${where} is never taken from a repository; ${elsewhere[name]}.`;
  const shape = { limits, budget }[first.path.join(".")] ?? repositoryConfigSchema;
  const known = Object.keys(shape.shape).filter((one) => one !== "$schema");
  return `${where} is nothing that can be set here; there are ${known.join(", ")}.`;
}
