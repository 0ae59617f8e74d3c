// Commands that a repository brings along in `.coppice/config.json`: shown to a person, and run once they are trusted.

export interface RepositoryCommands {
  /** Run in each new worktree before its agent's first turn. */
  readonly setup: readonly string[];
  /** Set-up asks for the network, which the checks do not get by it. Absent: it does not. */
  readonly setupNetwork?: "on";
  /** The checks, where a run names none of its own. */
  readonly verify: readonly string[];
}
