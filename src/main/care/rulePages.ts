// What people have allowed for good, and what would happen to a command or a path: the engine's own rules, asked without
// anything being run.

import { basename, dirname } from "node:path";
import type { CareBodies, CareQueries, RuleTest } from "../../shared/contract/care.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import { type CommandRule, judgeCommand, lineOf, ruleFor } from "../domain/commandRule.ts";
import { isProtectedPath, protectedPatterns } from "../domain/protectedPaths.ts";
import type { CommandEnvironment, SandboxReport } from "../engine/ports/command.ts";
import type { RepositoryKey } from "../engine/ports/rules.ts";
import { pathFolders } from "../sandbox/environment.ts";
import type { CommandRules } from "../settings/commandRules.ts";

/** Names a repository in a page and in the command that answers it. */
export function nameOf({ commonDir, rootCommit }: RepositoryKey): string {
  return `${rootCommit} ${commonDir}`;
}

export function rulesPage(rules: CommandRules): Omit<CareBodies["rules"], "trusted"> {
  return {
    repositories: rules.all().map(({ repository, rules: own }) => ({
      repository: nameOf(repository),
      folder: folderOf(repository.commonDir),
      lines: own.map(lineOf),
    })),
    protectedPaths: protectedPatterns,
  };
}

/** The repository that `rulesPage` named so; `undefined` when no rule is kept for it any more. */
export function findRepository(rules: CommandRules, name: string): RepositoryKey | undefined {
  return rules.all().find(({ repository }) => nameOf(repository) === name)?.repository;
}

/** What would happen if an agent of a new run asked to run this line. */
export function testCommand(
  { line, repository }: CareQueries["commandTest"],
  settings: Settings,
  sandbox: SandboxReport,
  rules: CommandRules,
): RuleTest {
  const named = repository === null ? undefined : findRepository(rules, repository);
  const rule = named === undefined ? undefined : rules.list(named).find((one) => isSame(one, ruleFor(line)));
  const mode = settings.run.commands;
  const verdict = judgeCommand({ mode, isConfined: sandbox.isWhole, isAllowedBefore: rule !== undefined });
  const kept = rule === undefined ? "" : ` You allowed exactly this in ${folderOf(named?.commonDir ?? "")}.`;
  const sentences = {
    refused: "It does not run: new runs allow no commands.",
    runs: `It runs without asking.${kept} ${confinement(sandbox)}`,
    asks: `An agent that wants it waits, and you are asked: once, for the run, or for the repository. ${reading(line)} ${confinement(sandbox)}`,
  };
  return { verdict, sentence: sentences[verdict] };
}

/** Where commands look for their programs, folder by folder. */
export function commandPathPage({ variables, from, problem }: CommandEnvironment): CareBodies["commandPath"] {
  return { folders: pathFolders(variables["PATH"]), from, problem };
}

/** What would happen to a change of this path. */
export function testPath(path: string, settings: Settings): RuleTest {
  if (isProtectedPath(path))
    return {
      verdict: "reviewed",
      sentence: "It is a protected path: it never lands unasked, whatever a run may land by itself.",
    };
  if (settings.run.approve === "auto" || settings.run.approve === "final")
    return {
      verdict: "lands",
      sentence:
        settings.run.approve === "auto"
          ? "It lands unasked when its checks pass and it lies within what the executor was sent to change."
          : "It lands on the run's own branch unasked when its checks pass; one review at the end decides about yours.",
    };
  return { verdict: "reviewed", sentence: "You review the change set before it lands." };
}

function isSame(left: CommandRule, right: CommandRule): boolean {
  return lineOf(left) === lineOf(right);
}

function reading(line: string): string {
  const rule = ruleFor(line);
  return rule.kind === "argv"
    ? `Allowing it allows the program ${rule.argv[0]} with just these words, and nothing that only begins so.`
    : "It needs a shell, so allowing it allows exactly this line.";
}

function confinement({ isWhole, missing }: SandboxReport): string {
  return isWhole
    ? "It sees its own worktree and, unless the run says otherwise, no network, so nothing outside can be reached from it."
    : `Commands cannot be confined here (${missing.join(" ")}), so each asks.`;
}

/** The folder that a person knows the repository by. */
export function folderOf(commonDir: string): string {
  return basename(commonDir) === ".git" ? dirname(commonDir) : commonDir;
}
