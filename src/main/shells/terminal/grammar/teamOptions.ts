// Options of `run` that say who works with whom, and on whose word. They are fixed at the start.

import type { Command } from "commander";
import { collect } from "./grammar.ts";

export function withTeam(command: Command): Command {
  return command
    .option(
      "--policy <name>",
      "what runs side by side: llm, as the lead sees fit; rules[:PRESET], once conditions are met; template:NAME, a fixed graph",
      "llm",
    )
    .option(
      "--topology <name>",
      "supervisor; coordinator: the lead has no working tools; dispatch: each item of the plan to one; groups: isolated, with an allow list",
    )
    .option(
      "--may-message <from:to>",
      "under groups: the one may write to the other; repeatable. Without it the lead says so",
      collect,
    )
    .option(
      "--delegation <mode>",
      "off: one agent alone; direct: the lead does it itself where it can; prefer: it sends subagents",
    )
    .option("--approve-plan", "you approve count, width and worst cost before anything starts")
    .option("--lead-edits", "the lead may edit and run commands itself, in a worktree of its own")
    .option("--no-workflow", "one agent alone: it edits, runs commands, and delegates to nobody");
}
