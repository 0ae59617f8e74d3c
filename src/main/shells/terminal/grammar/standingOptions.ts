// Options that a run is started with and that `resume` may change, and those that it knows only to say why it may not.

import { type Command, Option } from "commander";
import { fixedOptions } from "../fixedOptions.ts";
import { collect, withModel } from "./grammar.ts";

/** Adds the numbers that bound a run. */
export function withLimits(command: Command): Command {
  return command
    .option("--max-concurrent <n>", "subagents at a time")
    .option("--max-executors <n>", "executors at a time")
    .option("--max-subagents <n>", "subagents in all")
    .option("--max-chain <n>", "nodes on a chain of dependencies")
    .option("--max-steps <n>", "turns of each agent")
    .option("--budget <list>", "steps=…,toolCalls=…,inputTokens=…,outputTokens=…,costUsd=…,wallMs=…")
    .option("--check-interval-ms <n>", "between checks of a running subagent")
    .option("--max-subagent-ms <n>", "a subagent's running time")
    .option("--model-idle-ms <n>", "between a model's data events");
}

/** Adds what may hold of a standing run from here on, to what the command takes by itself. No option has a default: what is not given stays. */
export function withOverrides(command: Command): Command {
  withModel(command)
    .option("--record <file>", "record the model's answers to a cassette")
    .option("--model <name>", "another model; subagents that were given one by name keep it")
    .option("--approve <mode>", "each, auto, none, for changes that are still to be proposed")
    .option("--commands <mode>", "ask, allow, deny")
    .option("--network <mode>", "for commands: on, off")
    .option("--land-on <target>", "run-branch, current, branch:NAME, while nothing has been proposed")
    .option("--verify <command>", "the checks that the system runs, in place of those before; repeatable", collect);
  withLimits(command);
  const known = new Set(command.options.map(({ long }) => long));
  for (const option of fixedOptions.map(({ flags }) => new Option(flags).hideHelp()))
    if (!known.has(option.long)) command.addOption(option);
  return command;
}
