// What a person has allowed to run without being asked again: exactly these words, or exactly this shell line. Pure.
// It must never match more than was shown to the person: no prefixes, no patterns.

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
