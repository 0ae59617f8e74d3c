// The command line without its process: the same grammar and the same acts, on a workbench that a test has open. For what
// is printed and decided, where a process of its own would only cost time.

import { Command } from "commander";

import type { DraftEvent, RunEvent } from "../../src/main/domain/events.ts";
import { findErrorCode } from "../../src/shared/contract/errors.ts";
import { defineDecideCommands } from "../../src/main/shells/terminal/grammar/decideGrammar.ts";
import type { Act, Grammar } from "../../src/main/shells/terminal/grammar/grammar.ts";
import { defineRunCommands } from "../../src/main/shells/terminal/grammar/runGrammar.ts";
import { failureOf, type Output } from "../../src/main/shells/terminal/output.ts";
import { plainStyle } from "../../src/main/shells/terminal/human/style.ts";
import type { Surroundings } from "../../src/main/shells/terminal/invocation.ts";
import type { Workbench } from "../../src/main/workbench.ts";

/** What a command with `--json` printed, and its exit code. */
export interface Told {
  readonly code: number;
  /** Journal events, in order. */
  readonly events: readonly PublicEvent[];
  /** The last line. */
  readonly last: Readonly<Record<string, unknown>>;
}

export type PublicEvent = DraftEvent & Pick<RunEvent, "n" | "run">;

export interface Seat {
  readonly workbench: Workbench;
  /** Its data folder. */
  readonly home: string;
  /** Where the person stands. */
  readonly folder: string;
}

/** Carries out `coppice ARGS --json`. Nobody sits at a terminal. */
export async function coppice({ workbench, home, folder }: Seat, args: readonly string[]): Promise<Told> {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const output = captureOutput(lines);
  const surroundings: Surroundings = { env: { COPPICE_HOME: home }, folder, isAttended: false };
  let code = 0;
  const carryOut = async (act: (surroundings: Surroundings) => Act): Promise<void> => {
    try {
      code = await act(surroundings)({ workbench, output, ...surroundings });
    } catch (error) {
      code = output.fail(failureOf(error));
    }
  };
  const program = new Command("coppice").exitOverride();
  const grammar: Grammar = {
    command: (usage, description) => program.command(usage).description(description).option("--json", "JSON lines"),
    carryOut: (_flags, act) => carryOut(() => act),
    carryOutChecked: (_flags, check) => carryOut(check),
    carryOutClosed: () => Promise.reject(new Error("This command needs a process of its own")),
  };
  defineRunCommands(grammar);
  defineDecideCommands(grammar);
  await program.parseAsync([...args, "--json"], { from: "user" });
  const events = lines.filter((line): line is Readonly<Record<string, unknown>> & PublicEvent => "seq" in line);
  return { code, events, last: lines.at(-1) ?? {} };
}

function captureOutput(lines: Readonly<Record<string, unknown>>[]): Output {
  return {
    isJson: true,
    isQuiet: false,
    isInteractive: false,
    style: plainStyle,
    columns: 100,
    unicode: true,
    json: (value) => void lines.push(value as Readonly<Record<string, unknown>>),
    line: () => undefined,
    answer: () => undefined,
    remark: () => undefined,
    progress: () => undefined,
    fail: ({ code, message }) => {
      lines.push({ error: { code, message } });
      return findErrorCode(code)?.exitCode ?? 1;
    },
  };
}
