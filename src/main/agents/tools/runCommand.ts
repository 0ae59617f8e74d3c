// The tool that runs a shell line in the node's work place, through the sandbox port. It decides nothing about what may run.

import { z } from "zod";
import type { CommandOutcome, CommandSpec } from "../../engine/ports/command.ts";
import { answerRefusal, requireFolder } from "./paths.ts";
import { toolError, type Tool, type ToolAnswer, type ToolContext } from "./tool.ts";

const maxTimeoutMs = 600_000;
const maxQuotedCommand = 200;

const parameters = z.strictObject({
  command: z.string().min(1).describe("A shell line."),
  cwd: z.string().min(1).optional().describe("Folder to run in, relative to the root. Default: the root."),
  timeoutMs: z
    .int()
    .min(1)
    .max(maxTimeoutMs)
    .optional()
    .describe(`Milliseconds until it is stopped. Default and most: ${maxTimeoutMs}.`),
});
type Input = z.infer<typeof parameters>;

function specOf(input: Input, cwd: string, context: ToolContext): CommandSpec {
  const { place, repo } = context;
  return {
    command: input.command,
    root: place.path,
    cwd,
    privateHome: context.privateHome,
    ...(place.gitDir === null
      ? {}
      : { git: { commonDir: repo.commonDir, gitDir: place.gitDir, objectFolder: context.objectFolder } }),
    hidden: context.hidden,
    isRootReadOnly: place.kind === "checkout",
    network: context.network,
    timeoutMs: input.timeoutMs ?? maxTimeoutMs,
    tag: context.tag,
  };
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function withOutput(head: string, output: string): string {
  return output === "" ? `${head}\n(no output)` : `${head}\n${output}`;
}

/** The outcome as the model reads it. An exit code is data: a command that ran to its end is `executed`, whatever it says. */
function answerOutcome(input: Input, done: CommandOutcome): ToolAnswer {
  const { output, exitCode } = done;
  const changed = { exitCode, changedState: true, seen: {} };
  switch (done.outcome) {
    case "exited": {
      const end = done.signal === null ? `exit ${exitCode ?? "unknown"}` : `ended by ${done.signal}`;
      return { outcome: "executed", output: withOutput(`${end} in ${seconds(done.durationMs)}`, output), ...changed };
    }
    case "cancelled":
      return {
        outcome: "cancelled",
        output: withOutput(`cancelled after ${seconds(done.durationMs)}`, output),
        ...changed,
      };
    case "timeout": {
      const message = `Stopped after ${seconds(done.durationMs)} while running: ${input.command.slice(0, maxQuotedCommand)}`;
      const error = {
        code: "TIMEOUT",
        message,
        hint: "Nothing can answer a prompt here. Run a smaller part, or give it more time.",
      };
      return { outcome: "failed", code: "TIMEOUT", output: JSON.stringify({ error, output }), ...changed };
    }
    case "spawn_failed":
      return toolError("SPAWN_FAILED", done.message ?? "The command could not be started.");
  }
}

async function run(input: Input, context: ToolContext): Promise<ToolAnswer> {
  const cwd = await requireFolder(context.place.path, input.cwd ?? ".");
  if (!cwd.ok) return answerRefusal(cwd.error);
  const done = await context.commands.run(specOf(input, cwd.value.absolute, context), {
    signal: context.signal,
    onOutput: context.onOutput,
  });
  const answer = answerOutcome(input, done);
  if (context.place.gitDir === null || done.outcome === "spawn_failed") return answer;
  try {
    await context.git.adoptObjects(context.repo, context.objectFolder);
    return answer;
  } catch (error) {
    const message = `The command ended (exit ${done.exitCode ?? "none"}), but the git objects it made could not be taken over: ${error instanceof Error ? error.message : String(error)}`;
    return {
      ...answer,
      ...toolError(
        "OBJECTS_NOT_ADOPTED",
        message,
        "Files in the working folder are not affected; commits made by the command may be missing.",
      ),
    };
  }
}

export const runCommand: Tool<Input> = Object.freeze({
  name: "runCommand",
  description:
    'Runs a shell line in the working folder, confined to it. The answer begins with "exit N in S s", then standard output and errors, head and tail when long. No input can be given; background processes end with it.',
  effect: "execute",
  class: "rerunnable",
  isConcurrencySafe: false,
  parameters,
  run,
});
