// Owns the commands that people have allowed for good, by repository: `settings/command-rules.json` of the data folder.
// It must never allow what it cannot read.

import { z } from "zod";
import type { Oid } from "../../shared/contract/ids.ts";
import { type CommandRule, isMatched, ruleFor } from "../domain/commandRule.ts";
import type { RepositoryKey, RulePort } from "../engine/ports/rules.ts";
import { entryOf, withEntry } from "./keptRepositories.ts";
import { type KeptShape, openKeptFile } from "./keptFile.ts";

export interface CommandRules extends RulePort {
  /** Every repository that has rules, with them. */
  all(): readonly { readonly repository: RepositoryKey; readonly rules: readonly CommandRule[] }[];
  /** The rules of a repository, oldest first. */
  list(repo: RepositoryKey): readonly CommandRule[];
  /** Takes the rule for this line back, if there is one. On disk when it resolves. */
  forget(repo: RepositoryKey, line: string): Promise<void>;
}

const ruleSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("argv"), argv: z.tuple([z.string()], z.string()).readonly() }),
  z.strictObject({ kind: z.literal("shell"), line: z.string() }),
]);

const contentSchema = z.strictObject({
  version: z.literal(1),
  repositories: z
    .array(z.strictObject({ commonDir: z.string(), rootCommit: z.string(), rules: z.array(ruleSchema).readonly() }))
    .readonly(),
});

type Content = z.infer<typeof contentSchema>;

const shape: KeptShape<Content> = {
  name: "command-rules.json",
  what: "command rules",
  schema: contentSchema,
  empty: { version: 1, repositories: [] },
};

/** Opens the rules of a data folder. A damaged file is set aside and reported. Rejects with `BAD_CONFIGURATION`. */
export async function openCommandRules(folder: string): Promise<CommandRules> {
  const file = await openKeptFile(folder, shape);

  const change = (
    repo: RepositoryKey,
    adapt: (rules: readonly CommandRule[]) => readonly CommandRule[],
  ): Promise<void> =>
    file.change((content) => {
      const before = rulesOf(content, repo);
      const after = adapt(before);
      return after.length === before.length ? content : withRules(content, repo, after);
    });

  return {
    matches: (repo, line) => {
      const content = file.find();
      return content !== null && rulesOf(content, repo).some((rule) => isMatched(rule, line));
    },
    all: () =>
      file.require().repositories.map(({ commonDir, rootCommit, rules }) => ({
        repository: { commonDir, rootCommit: rootCommit as Oid },
        rules,
      })),
    list: (repo) => rulesOf(file.require(), repo),
    allow: (repo, line) =>
      change(repo, (rules) => (rules.some((rule) => isMatched(rule, line)) ? rules : [...rules, ruleFor(line)])),
    forget: (repo, line) => change(repo, (rules) => rules.filter((rule) => !isMatched(rule, line))),
  };
}

function rulesOf(content: Content, repo: RepositoryKey): readonly CommandRule[] {
  return entryOf(content.repositories, repo)?.rules ?? [];
}

function withRules(content: Content, repo: RepositoryKey, rules: readonly CommandRule[]): Content {
  return { ...content, repositories: withEntry(content.repositories, repo, rules.length === 0 ? null : { rules }) };
}
