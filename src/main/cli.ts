#!/usr/bin/env node
// The command line's entry: which commands there are and what they take. Each is carried out in shells/terminal.

import { join, resolve } from "node:path";
import { Command, CommanderError } from "commander";
import { WorkbenchError } from "../shared/contract/errors.ts";
import type { ApprovalId } from "../shared/contract/ids.ts";
import { serve } from "./serve.ts";
import { dataFolder } from "./shells/dataFolder.ts";
import { decide, type DecideFlags } from "./shells/terminal/decideCommands.ts";
import { runDemo } from "./shells/terminal/demoCommand.ts";
import { createOutput, failureOf } from "./shells/terminal/output.ts";
import { examine, listApprovals, listRuns, showDiff, showLog, showRun, watchRun } from "./shells/terminal/queryCommands.ts";
import { cancelRun, type Invocation, readOrder, resumeRun, type ResumeFlags, startRun, type Surroundings } from "./shells/terminal/runCommands.ts";
import { count, readHunks, type RunFlags } from "./shells/terminal/usage.ts";
import { openWorkbench } from "./workbench.ts";

interface CommonFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

type Act = (invocation: Invocation) => Promise<number>;

/** Opens the workbench, carries out one command, closes it, and answers with the exit code. */
function withWorkbench(flags: CommonFlags, act: Act): Promise<number> {
  return withChecked(flags, () => act);
}

/** The same for a command whose options `check` reads first: a mistake in them opens and leaves nothing. */
async function withChecked(flags: CommonFlags, check: (surroundings: Surroundings) => Act): Promise<number> {
  const output = createOutput(flags);
  const surroundings = { env: process.env, folder: folderOfPerson(), isAttended: output.isInteractive };
  try {
    const act = check(surroundings);
    const opened = await openWorkbench({ home: dataFolder(process.env) });
    if (!opened.ok) return output.fail(opened.error);
    try {
      return await act({ workbench: opened.value, output, ...surroundings });
    } finally {
      await opened.value.close();
    }
  } catch (error) {
    return output.fail(failureOf(error));
  }
}

/** Where the person stands: `npm run` goes to the folder of the package first, and notes where it was called from. */
function folderOfPerson(): string {
  const ownFolder = resolve(import.meta.dirname, "../..");
  return process.cwd() === ownFolder ? (process.env["INIT_CWD"] ?? ownFolder) : process.cwd();
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

function createProgram(finish: (code: Promise<number>) => Promise<void>): Command {
  const program = new Command("coppice")
    .description("Runs a team of coding agents on a git repository, and lands what you approve.")
    .helpOption("-h, --help", "show help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  const command = (usage: string, description: string) => program.command(usage).description(description).option("--json", "one JSON object a line");

  command("run", "start a run and follow it to its stop")
    .option("--repo <folder>", "the repository (default: the working folder)")
    .option("--task <text>", "what is to be done")
    .option("--task-file <file>", "the same from a file; - is standard input")
    .option("--model <name>", "the model's name at the server")
    .option("--base-url <url>", "an OpenAI-compatible server (else OPENAI_BASE_URL)")
    .option("--api-key-file <file>", "a file with the key (else OPENAI_API_KEY)")
    .option("--approve <mode>", "each: you decide; final: once, at the end; auto: verified changes land; none: all stay open", "each")
    .option("--commands <mode>", "ask, allow, deny", "ask")
    .option("--network <mode>", "for commands: on, off", "off")
    .option("--land-on <target>", "run-branch, current, branch:NAME", "run-branch")
    .option("--worktrees <mode>", "on; off: executors one at a time", "on")
    .option("--include-dirty", "start from your uncommitted changes too")
    .option("--verify <command>", "a check that the system runs; repeatable", collect, [])
    .option("--max-concurrent <n>", "subagents at a time")
    .option("--max-executors <n>", "executors at a time")
    .option("--max-subagents <n>", "subagents in all")
    .option("--max-chain <n>", "nodes on a chain of dependencies")
    .option("--max-steps <n>", "turns of each agent")
    .option("--budget <list>", "steps=…,toolCalls=…,inputTokens=…,outputTokens=…,costUsd=…,wallMs=…")
    .option("--check-interval-ms <n>", "between checks of a running subagent")
    .option("--max-subagent-ms <n>", "a subagent's running time")
    .option("--model-idle-ms <n>", "between a model's data events")
    .option("--quiet", "only the answer")
    .action((flags: RunFlags) =>
      finish(
        withChecked(flags, (surroundings) => {
          const order = readOrder(flags, surroundings);
          return (invocation) => startRun(invocation, order);
        }),
      ),
    );

  command("runs", "list runs, newest first").action((flags: CommonFlags) => finish(withWorkbench(flags, listRuns)));
  command("show <run>", "one run as it stands, or stood")
    .option("--at <n>", "as of this ordinal of its journal")
    .action((run: string, flags: CommonFlags & { readonly at?: string }) => finish(withWorkbench(flags, (invocation) => showRun(invocation, run, flags.at))));
  command("log <run>", "its merged journal")
    .option("--from <n>", "from this ordinal")
    .action((run: string, flags: CommonFlags & { readonly from?: string }) => finish(withWorkbench(flags, (invocation) => showLog(invocation, run, flags.from))));
  command("watch <run>", "follow a run that another process drives").action((run: string, flags: CommonFlags) => finish(withWorkbench(flags, (invocation) => watchRun(invocation, run))));
  command("cancel <run>", "cancel a run").action((run: string, flags: CommonFlags) => finish(withWorkbench(flags, (invocation) => cancelRun(invocation, run))));
  withModel(command("resume <run>", "go on with a run that nobody drives"))
    .option("--quiet", "only the answer")
    .action((run: string, flags: CommonFlags & ResumeFlags) => finish(withWorkbench(flags, (invocation) => resumeRun(invocation, run, flags))));
  command("approvals [run]", "what waits for you, oldest first").action((run: string | undefined, flags: CommonFlags) =>
    finish(withWorkbench(flags, (invocation) => listApprovals(invocation, run))),
  );
  withModel(command("approve <id>", "approve what an agent asks for, or its change"))
    .option("--hunks <file:numbers>", "only these hunks, such as src/a.js:1,3; repeatable", collect, [])
    .option("--message <text>", "the commit's message")
    .option("--resume", "then drive the run on")
    .action((id: string, flags: CommonFlags & DecideFlags & { readonly hunks: readonly string[]; readonly message?: string }) =>
      finish(
        withChecked(flags, () => {
          const hunks = readHunks(flags.hunks);
          const decision = { approval: id as ApprovalId, decision: "approved", ...(hunks === undefined ? {} : { hunks }), ...(flags.message === undefined ? {} : { message: flags.message }) } as const;
          return (invocation) => decide(invocation, decision, flags);
        }),
      ),
    );
  withModel(command("reject <id>", "reject it"))
    .option("--comment <text>", "why")
    .option("--resume", "then drive the run on")
    .action((id: string, flags: CommonFlags & DecideFlags & { readonly comment?: string }) =>
      finish(
        withWorkbench(flags, (invocation) =>
          decide(invocation, { approval: id as ApprovalId, decision: "rejected", ...(flags.comment === undefined ? {} : { comment: flags.comment }) }, flags),
        ),
      ),
    );
  command("diff <run> [subagent]", "a subagent's change, or all that the run has landed").action((run: string, subagent: string | undefined, flags: CommonFlags) =>
    finish(withWorkbench(flags, (invocation) => showDiff(invocation, run, subagent))),
  );
  command("demo", "a recorded run on a sample repository: no key, no network")
    .option("--quiet", "only the answer")
    .action((flags: CommonFlags) => finish(withWorkbench(flags, runDemo)));
  command("doctor", "check the journal and this machine, one line each").action((flags: CommonFlags) => finish(withWorkbench(flags, examine)));
  command("serve", "show runs in a browser; prints one URL with its token")
    .option("--port <n>", "default: any free one")
    .option("--host <name>", "default: this machine only")
    .option("--open", "open a window on it")
    .action((flags: CommonFlags & { readonly port?: string; readonly host?: string; readonly open?: boolean }) => finish(withWorkbench(flags, (invocation) => serveUntilSignal(invocation, flags))));
  return program;
}

function withModel(command: Command): Command {
  return command.option("--base-url <url>", "another server than the run was started with").option("--api-key-file <file>", "a file with the key (else OPENAI_API_KEY)");
}

async function serveUntilSignal({ workbench, output }: Invocation, flags: { readonly port?: string; readonly host?: string; readonly open?: boolean }): Promise<number> {
  // 0 asks for any free port, as leaving the option out does.
  const port = flags.port === "0" ? 0 : count("--port", flags.port);
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
  });
  const serving = await serve({
    ...(port === undefined ? {} : { port }),
    ...(flags.host === undefined ? {} : { host: flags.host }),
    open: flags.open === true,
    source: workbench.topics,
    rendererFolder: join(import.meta.dirname, "../renderer"),
    print: (line) => output.answer(line),
  });
  await stopped;
  await serving.close();
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
    const message = error.code === "commander.help" ? "Name a command; coppice --help lists them." : `${error.message.replace(/^error: /, "").replaceAll("\n", " ")}; coppice --help lists what there is.`;
    code = createOutput({ json: process.argv.includes("--json") }).fail(new WorkbenchError("BAD_USAGE", message));
  }
  process.exitCode = code;
}

await main();
