// What a person has allowed to run without being asked again: exactly these words, or exactly this shell line. Pure.
// It must never match more than was shown to the person: no prefixes, no patterns.

import type { CommandMode } from "../../shared/contract/options.ts";
import { parseCommandLine, type ParsedCommand } from "./commandLine.ts";

/** Words as a program gets them, however they were quoted or spaced; a line that needs a shell is kept as it is. */
export type CommandRule = ParsedCommand;

/** The rule that allows `line`, and nothing else that does something else. */
export function ruleFor(line: string): CommandRule {
  return parseCommandLine(line);
}

/** Whether `rule` allows `line` to run. */
export function isMatched(rule: CommandRule, line: string): boolean {
  return isSameRule(rule, ruleFor(line));
}

function isSameRule(left: CommandRule, right: CommandRule): boolean {
  if (left.kind === "shell" || right.kind === "shell") {
    return left.kind === "shell" && right.kind === "shell" && left.line === right.line;
  }
  return left.argv.length === right.argv.length && left.argv.every((word, index) => word === right.argv[index]);
}

/** What becomes of a command before anybody is asked. */
export type CommandVerdict = "refused" | "runs" | "asks";

/** `isConfined`: the sandbox is whole, or the run trusts its commands. `isAllowedBefore`: a person has said so, for the run or for good. */
export function judgeCommand(facts: {
  readonly mode: CommandMode;
  readonly isConfined: boolean;
  readonly isAllowedBefore: boolean;
}): CommandVerdict {
  if (facts.mode === "deny") return "refused";
  return (facts.mode === "allow" && facts.isConfined) || facts.isAllowedBefore ? "runs" : "asks";
}

/** A shell line that the rule allows, for people to read and to name it by. */
export function lineOf(rule: CommandRule): string {
  return rule.kind === "shell" ? rule.line : rule.argv.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) && !word.startsWith("%") ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
