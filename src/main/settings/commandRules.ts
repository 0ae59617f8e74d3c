// Owns the commands that people have allowed for good, by repository: one small file in the data folder, read anew each
// time, since other processes write it too. It must never lose a rule silently, nor allow what it cannot read.

import { readFileSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Oid } from "../../shared/contract/ids.ts";
import { WorkbenchError } from "../../shared/contract/errors.ts";
import { type CommandRule, isMatched, ruleFor } from "../domain/commandRule.ts";
import type { RepositoryKey, RulePort } from "../engine/ports/rules.ts";
import { replaceFile, withFileLock } from "./settingsFile.ts";

export interface CommandRules extends RulePort {
  /** Every repository that has rules, with them. */
  all(): readonly { readonly repository: RepositoryKey; readonly rules: readonly CommandRule[] }[];
  /** The rules of a repository, oldest first. */
  list(repo: RepositoryKey): readonly CommandRule[];
  /** Takes the rule for this line back, if there is one. On disk when it resolves. */
  forget(repo: RepositoryKey, line: string): Promise<void>;
}

const version = 1;

const ruleSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("argv"), argv: z.tuple([z.string()], z.string()) }),
  z.strictObject({ kind: z.literal("shell"), line: z.string() }),
]);

const contentSchema = z.strictObject({
  version: z.literal(version),
  repositories: z.array(z.strictObject({ commonDir: z.string(), rootCommit: z.string(), rules: z.array(ruleSchema) })),
});

type Content = z.infer<typeof contentSchema>;

const nothing: Content = { version, repositories: [] };

/**
 * Opens `settings/command-rules.json` of the data folder. A damaged file is set aside under another name and reported;
 * opening again begins without rules. One of a newer version is left alone. Rejects with `BAD_CONFIGURATION`.
 */
export async function openCommandRules(folder: string): Promise<CommandRules> {
  const settings = join(folder, "settings");
  const file = join(settings, "command-rules.json");
  await mkdir(settings, { recursive: true, mode: 0o700 });
  await readOrSetAside(file);

  const change = (
    repo: RepositoryKey,
    adapt: (rules: readonly CommandRule[]) => readonly CommandRule[],
  ): Promise<void> =>
    withFileLock(`${file}.lock`, async () => {
      const content = await readOrSetAside(file);
      const before = rulesOf(content, repo);
      const after = adapt(before);
      if (after.length !== before.length)
        await replaceFile(file, `${JSON.stringify(withRules(content, repo, after), null, 2)}\n`);
    });

  return {
    matches: (repo, line) => {
      const read = readContent(file);
      return read.kind === "content" && rulesOf(read.content, repo).some((rule) => isMatched(rule, line));
    },
    all: () =>
      requireContent(file).repositories.map(({ commonDir, rootCommit, rules }) => ({
        repository: { commonDir, rootCommit: rootCommit as Oid },
        rules,
      })),
    list: (repo) => rulesOf(requireContent(file), repo),
    allow: (repo, line) =>
      change(repo, (rules) => (rules.some((rule) => isMatched(rule, line)) ? rules : [...rules, ruleFor(line)])),
    forget: (repo, line) => change(repo, (rules) => rules.filter((rule) => !isMatched(rule, line))),
  };
}

type Read =
  | { readonly kind: "content"; readonly content: Content }
  | { readonly kind: "damaged" | "newer" | "unreadable"; readonly why: string };

function readContent(file: string): Read {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      return { kind: "content", content: nothing };
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
  return parseContent(text);
}

function requireContent(file: string): Content {
  const read = readContent(file);
  if (read.kind === "content") return read.content;
  throw refusal(`The command rules in ${file} cannot be used: ${read.why}. Start Coppice anew.`);
}

function parseContent(text: string): Read {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { kind: "damaged", why: error instanceof Error ? error.message : String(error) };
  }
  const parsed = contentSchema.safeParse(json);
  if (parsed.success) return { kind: "content", content: parsed.data };
  const newer = z.object({ version: z.int().min(version + 1) }).safeParse(json);
  if (newer.success)
    return { kind: "newer", why: `it has version ${newer.data.version}, and this Coppice knows ${version}` };
  return { kind: "damaged", why: z.prettifyError(parsed.error).split("\n").join("; ") };
}

/** The content; a damaged file stays readable for people under another name. */
async function readOrSetAside(file: string): Promise<Content> {
  const read = readContent(file);
  switch (read.kind) {
    case "content":
      return read.content;
    case "newer":
      throw refusal(`The command rules in ${file} were written by a newer Coppice: ${read.why}. Use that one.`);
    case "unreadable":
      throw refusal(`The command rules in ${file} cannot be read (${read.why}). Check its permissions.`);
    case "damaged": {
      const aside = `${file}.damaged-${Date.now()}`;
      await rename(file, aside);
      throw refusal(
        `The command rules in ${file} are damaged (${read.why}). They were set aside as ${aside}; mend them and put them back, or try again to go on without.`,
      );
    }
  }
}

function refusal(message: string): WorkbenchError {
  return new WorkbenchError("BAD_CONFIGURATION", message);
}

function rulesOf(content: Content, repo: RepositoryKey): readonly CommandRule[] {
  return content.repositories.find((entry) => isSame(entry, repo))?.rules ?? [];
}

function withRules(content: Content, repo: RepositoryKey, rules: readonly CommandRule[]): unknown {
  const others = content.repositories.filter((entry) => !isSame(entry, repo));
  const { commonDir, rootCommit } = repo;
  return { version, repositories: rules.length === 0 ? others : [...others, { commonDir, rootCommit, rules }] };
}

/** A folder that was emptied and filled with another repository is another one; so is a copy elsewhere. */
function isSame(left: { readonly commonDir: string; readonly rootCommit: string }, right: RepositoryKey): boolean {
  return left.commonDir === right.commonDir && left.rootCommit === right.rootCommit;
}
