// What a run was built from: the options of `run` that no `resume` can change, and why each stays. Known to `resume` so that
// the reason can be told.

import type { RunFlags } from "./usage.ts";

/** `flags`: as the command line spells it, with what it takes. */
export interface FixedOption {
  readonly name: keyof RunFlags;
  readonly flags: string;
  readonly reason: string;
}

const task = "the task stands; coppice message RUN TEXT adds to it";

export const fixedOptions: readonly FixedOption[] = [
  {
    name: "repo",
    flags: "--repo <folder>",
    reason:
      "a run stays in the repository that it was started in; where that was moved, coppice resume RUN --repo FOLDER",
  },
  { name: "task", flags: "--task <text>", reason: task },
  { name: "taskFile", flags: "--task-file <file>", reason: task },
  {
    name: "includeDirty",
    flags: "--include-dirty",
    reason: "its base was fixed when it began, and all its work is a change to that",
  },
  {
    name: "setup",
    flags: "--setup <command>",
    reason: "its worktrees are set up by it, each once, some of them already",
  },
  {
    name: "setupNetwork",
    flags: "--setup-network <mode>",
    reason: "its worktrees are set up with it, or without it, some of them already",
  },
  {
    name: "repositoryCommands",
    flags: "--repository-commands <mode>",
    reason: "what the repository brings was trusted, or left out, when it began",
  },
  {
    name: "worktrees",
    flags: "--worktrees <mode>",
    reason: "its work places were made, and claimed, by the one that it began with",
  },
  {
    name: "policy",
    flags: "--policy <name>",
    reason: "a run has one policy, and its subagents were handed off under it",
  },
  {
    name: "topology",
    flags: "--topology <name>",
    reason: "its members were given their tools by the one that it began with",
  },
  {
    name: "mayMessage",
    flags: "--may-message <from:to>",
    reason: "its subagents have in their packets whom they may write to",
  },
  {
    name: "delegation",
    flags: "--delegation <mode>",
    reason: "its lead was given its tools, and its place to work, by the one that it began with",
  },
  { name: "approvePlan", flags: "--approve-plan", reason: "a plan is approved before anything starts" },
  {
    name: "leadEdits",
    flags: "--lead-edits",
    reason: "its lead was given its tools and its place to work when it began",
  },
  {
    name: "workflow",
    flags: "--no-workflow",
    reason: "it was set up for one agent, or for several, when it began",
  },
];
