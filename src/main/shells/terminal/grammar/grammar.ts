// What every group of commands is defined with: the program, and the way from flags to an exit code.

import type { Command } from "commander";
import type { Output } from "../output.ts";
import type { Invocation, Surroundings } from "../invocation.ts";

/** Flags that every command has. */
export interface CommonFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export type Act = (invocation: Invocation) => Promise<number>;

export interface Grammar {
  /** Defines a command with the flags that all have. */
  command(usage: string, description: string): Command;
  /** Opens the workbench, carries the command out and closes it again. */
  carryOut(flags: CommonFlags, act: Act): Promise<void>;
  /** Carries out what needs the data folder and must not open it. */
  carryOutClosed(flags: CommonFlags, act: (output: Output, home: string) => number): Promise<void>;
  /** The same for a command whose options `check` reads first: a mistake in them opens and leaves nothing. */
  carryOutChecked(flags: CommonFlags, check: (surroundings: Surroundings) => Act): Promise<void>;
}

/** For an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds the options that say which model server to go on with. */
export function withModel(command: Command): Command {
  return command
    .option("--base-url <url>", "another server than the run was started with")
    .option("--api-key-file <file>", "a file with the key (else OPENAI_API_KEY)")
    .option("--cassette <file>", "answers recorded with --record, in place of a server");
}
