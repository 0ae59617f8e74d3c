#!/usr/bin/env node
// The command line's entry: which commands there are and what they take. Each is carried out in shells/terminal.

import { resolve } from "node:path";
import { Command, CommanderError } from "commander";
import { WorkbenchError } from "../shared/contract/errors.ts";
import { readPort, serveUntilSignal } from "./serve.ts";
import { dataFolder } from "./shells/dataFolder.ts";
import { type ModelFlags, showModels } from "./shells/terminal/careCommands.ts";
import { createOutput, failureOf, type Output } from "./shells/terminal/output.ts";
import { defineCareCommands } from "./shells/terminal/grammar/careGrammar.ts";
import { defineDecideCommands } from "./shells/terminal/grammar/decideGrammar.ts";
import type { Act, CommonFlags, Grammar } from "./shells/terminal/grammar/grammar.ts";
import { defineHistoryCommands } from "./shells/terminal/grammar/historyGrammar.ts";
import { defineLookCommands } from "./shells/terminal/grammar/lookGrammar.ts";
import { defineRunCommands } from "./shells/terminal/grammar/runGrammar.ts";
import type { Invocation, Surroundings } from "./shells/terminal/invocation.ts";
import { isModelUnnamed } from "./shells/terminal/usage.ts";
import { appVersion } from "./version.ts";
import { openWorkbench } from "./workbench.ts";

/** Opens the workbench, carries out one command, closes it, and answers with the exit code. */
function withWorkbench(flags: CommonFlags, act: Act): Promise<number> {
  return withChecked(flags, () => act);
}

/** The same for a command whose options `check` reads first: a mistake in them opens and leaves nothing. */
async function withChecked(
  flags: CommonFlags & ModelFlags,
  check: (surroundings: Surroundings) => Act,
): Promise<number> {
  const output = createOutput(flags);
  const surroundings = { env: process.env, folder: folderOfPerson(), isAttended: output.isInteractive };
  try {
    const act = check(surroundings);
    const opened = await openWorkbench({ home: dataFolder(process.env) });
    if (!opened.ok) return output.fail(opened.error);
    try {
      const code = await act({ workbench: opened.value, output, ...surroundings });
      const { trouble } = opened.value;
      if (trouble === null) return code;
      // What could be read was shown; that the store is damaged is told all the same.
      output.remark(trouble.message);
      return code === 0 ? 5 : code;
    } finally {
      await opened.value.close();
    }
  } catch (error) {
    // Best effort: what is wrong is told in any case.
    if (isModelUnnamed(error)) await showModels({ output, ...surroundings }, flags).catch(() => null);
    return output.fail(failureOf(error));
  }
}

/** Carries out one command on the data folder itself, while nobody has it open. */
function withFolder(flags: CommonFlags, act: (output: Output, home: string) => number): Promise<number> {
  const output = createOutput(flags);
  try {
    return Promise.resolve(act(output, dataFolder(process.env)));
  } catch (error) {
    return Promise.resolve(output.fail(failureOf(error)));
  }
}

/** Where the person stands: `npm run` goes to the folder of the package first, and notes where it was called from. */
function folderOfPerson(): string {
  const ownFolder = resolve(import.meta.dirname, "../..");
  return process.cwd() === ownFolder ? (process.env["INIT_CWD"] ?? ownFolder) : process.cwd();
}

function createProgram(finish: (code: Promise<number>) => Promise<void>): Command {
  const program = new Command("coppice")
    .description("Runs a team of coding agents on a git repository, and lands what you approve.")
    .version(appVersion(), "-V, --version", "show the version")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  const grammar: Grammar = {
    command: (usage, description) =>
      program.command(usage).description(description).option("--json", "one JSON object a line"),
    carryOut: (flags, act) => finish(withWorkbench(flags, act)),
    carryOutClosed: (flags, act) => finish(withFolder(flags, act)),
    carryOutChecked: (flags, check) => finish(withChecked(flags, check)),
  };
  defineRunCommands(grammar);
  defineLookCommands(grammar);
  defineDecideCommands(grammar);
  defineHistoryCommands(grammar);
  defineCareCommands(grammar);
  grammar
    .command("serve", "show runs in a browser; prints one URL with its token")
    .option("--port <n>", "default: any free one")
    .option("--host <name>", "default: this machine only")
    .option("--open", "open a window on it")
    .action((flags: CommonFlags & ServeFlags) =>
      finish(withWorkbench(flags, (invocation) => serveHere(invocation, flags))),
    );
  return program;
}

interface ServeFlags {
  readonly port?: string;
  readonly host?: string;
  readonly open?: boolean;
}

async function serveHere({ workbench, output }: Invocation, { port, host, open }: ServeFlags): Promise<number> {
  await serveUntilSignal(workbench, {
    home: dataFolder(process.env),
    ...(port === undefined ? {} : { port: readPort(port) }),
    ...(host === undefined ? {} : { host }),
    open: open === true,
    print: (line) => output.answer(line),
    onServing: (url) => output.json({ url }),
  });
  return 0;
}

/** Whoever reads us may stop reading (`| head`): that is no error, and nothing is left to say. */
function leaveWhenUnread(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    throw error;
  });
}

async function main(): Promise<void> {
  let code = 0;
  leaveWhenUnread();
  const program = createProgram(async (outcome) => {
    code = await outcome;
  });
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version are no mistakes.
    if (error.exitCode === 0) return;
    const message =
      error.code === "commander.help"
        ? "Name a command; coppice --help lists them."
        : `${error.message.replace(/^error: /, "").replaceAll("\n", " ")}; coppice --help lists what there is.`;
    code = createOutput({ json: process.argv.includes("--json") }).fail(new WorkbenchError("BAD_USAGE", message));
  }
  process.exitCode = code;
}

await main();
