// Commands that start, drive and steer a run, and what they take.

import type { AgentId } from "../../../../shared/contract/ids.ts";
import { isSubagentId } from "../../../../shared/contract/ids.ts";
import { runDemo } from "../demoCommand.ts";
import {
  cancelRun,
  pauseRun,
  readOrder,
  renameRun,
  resumeRun,
  type ResumeFlags,
  sendMessage,
  startRun,
} from "../runCommands.ts";
import { type RunFlags, usageError } from "../usage.ts";
import { collect, type CommonFlags, type Grammar, withModel } from "./grammar.ts";

export function defineRunCommands({ command, carryOut, carryOutChecked }: Grammar): void {
  command("run", "start a run and follow it to its stop")
    .option("--repo <folder>", "the repository (default: the working folder)")
    .option("--task <text>", "what is to be done")
    .option("--task-file <file>", "the same from a file; - is standard input")
    .option("--model <name>", "the model's name at the server")
    .option("--base-url <url>", "an OpenAI-compatible server (else OPENAI_BASE_URL)")
    .option("--api-key-file <file>", "a file with the key (else OPENAI_API_KEY)")
    .option(
      "--approve <mode>",
      "each: you decide; final: once, at the end; auto: verified changes land; none: all stay open",
      "each",
    )
    .option("--commands <mode>", "ask, allow, deny", "ask")
    .option("--network <mode>", "for commands: on, off", "off")
    .option("--land-on <target>", "run-branch, current, branch:NAME", "run-branch")
    .option(
      "--policy <name>",
      "what runs side by side: llm, as the lead sees fit; rules[:PRESET], once conditions are met; template:NAME, a fixed graph",
      "llm",
    )
    .option("--lead-edits", "the lead may edit and run commands itself, in a worktree of its own")
    .option("--no-workflow", "one agent alone: it edits, runs commands, and delegates to nobody")
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
    .option("--record <file>", "record the model's answers to a cassette")
    .option("--cassette <file>", "answers recorded with --record, in place of a server")
    .option("--quiet", "only the answer")
    .action((flags: RunFlags) =>
      carryOutChecked(flags, (surroundings) => {
        const order = readOrder(flags, surroundings);
        return (invocation) => startRun(invocation, order);
      }),
    );
  withModel(command("resume <run>", "go on with a run that nobody drives"))
    .option("--quiet", "only the answer")
    .action((run: string, flags: CommonFlags & ResumeFlags) =>
      carryOut(flags, (invocation) => resumeRun(invocation, run, flags)),
    );
  command("cancel <run>", "cancel a run").action((run: string, flags: CommonFlags) =>
    carryOut(flags, (invocation) => cancelRun(invocation, run)),
  );
  command("pause <run>", "start nothing new; what is in flight ends").action((run: string, flags: CommonFlags) =>
    carryOut(flags, (invocation) => pauseRun(invocation, run)),
  );
  command("rename <run> <title>", "give a run another title").action((run: string, title: string, flags: CommonFlags) =>
    carryOut(flags, (invocation) => renameRun(invocation, run, title)),
  );
  withModel(command("message <run> <text>", "write to the lead or a subagent; continues a stopped run"))
    .option("--to <agent>", "lead, or subagent-N", "lead")
    .option("--quiet", "of a run that it continues: only the answer")
    .action((run: string, text: string, flags: CommonFlags & ResumeFlags & { readonly to: string }) =>
      carryOutChecked(flags, () => {
        const to = readAgent(flags.to);
        return (invocation) => sendMessage(invocation, run, text, to, flags);
      }),
    );
  command("demo", "a recorded run on a sample repository: no key, no network")
    .option("--quiet", "only the answer")
    .action((flags: CommonFlags) => carryOut(flags, runDemo));
}

function readAgent(text: string): AgentId {
  if (text === "lead" || isSubagentId(text)) return text;
  throw usageError(`--to takes lead or subagent-N, not ${JSON.stringify(text)}.`);
}
