// Commands that start, drive and steer a run, and what they take.

import { resolve } from "node:path";

import type { AgentId } from "../../../../shared/contract/ids.ts";
import { isSubagentId } from "../../../../shared/contract/ids.ts";
import { runDemo } from "../demoCommand.ts";
import { cancelRun, pauseRun, readOrder, renameRun, sendMessage, startRun } from "../runCommands.ts";
import { readOverrides, type ResumeFlags } from "../overrideFlags.ts";
import { resumeRun } from "../resumeCommand.ts";
import { type RunFlags, usageError } from "../usage.ts";
import { collect, type CommonFlags, type Grammar, withModel } from "./grammar.ts";
import { withLimits, withOverrides } from "./standingOptions.ts";
import { withTeam } from "./teamOptions.ts";

export function defineRunCommands({ command, carryOut, carryOutChecked }: Grammar): void {
  withTeam(withLimits(command("run", "start a run and follow it to its stop")))
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
    .option("--worktrees <mode>", "on; off: executors one at a time", "on")
    .option("--include-dirty", "start from your uncommitted changes too")
    .option("--verify <command>", "a check that the system runs; repeatable", collect, [])
    .option("--setup <command>", "run in each new worktree before its agent begins; repeatable", collect, [])
    .option("--setup-network <mode>", "for set-up alone: on, off; without it as --network")
    .option(
      "--repository-commands <mode>",
      "set-up and checks that the repository brings: ask, once for each; trust, from now on; skip",
      "ask",
    )
    .option("--record <file>", "record the model's answers to a cassette")
    .option("--cassette <file>", "answers recorded with --record, in place of a server")
    .option("--quiet", "only the answer")
    .action((flags: RunFlags) =>
      carryOutChecked(flags, (surroundings) => {
        const order = readOrder(flags, surroundings);
        return (invocation) => startRun(invocation, order);
      }),
    );
  withOverrides(
    command("resume <run>", "go on with a run that nobody drives; options given here hold from here on").option(
      "--repo <folder>",
      "where its repository was moved to",
    ),
  )
    .option("--quiet", "only the answer")
    .action((run: string, flags: CommonFlags & ResumeFlags) =>
      carryOutChecked(flags, (surroundings) => {
        const { repo, ...others } = flags;
        const moved = repo === undefined ? {} : { repo: resolve(surroundings.folder, repo) };
        const order = { ...others, ...moved, overrides: readOverrides(others, surroundings) };
        return (invocation) => resumeRun(invocation, run, order);
      }),
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
      carryOutChecked(flags, (surroundings) => {
        const to = readAgent(flags.to);
        const order = { ...flags, overrides: readOverrides(flags, surroundings) };
        return (invocation) => sendMessage(invocation, run, text, to, order);
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
