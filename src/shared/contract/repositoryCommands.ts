// Commands that a repository brings along in `.coppice/config.json`: shown to a person, and run once they are trusted.

export interface RepositoryCommands {
  /** Run in each new worktree before its agent's first turn. */
  readonly setup: readonly string[];
  /** The checks, where a run names none of its own. */
  readonly verify: readonly string[];
}
