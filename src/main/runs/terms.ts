// The terms of a run once its repository has had its say: a person's options with what the commit's configuration adds and
// lowers. Commands that a repository brings along are taken only where a person has trusted just these.

import type { Oid } from "../../shared/contract/ids.ts";
import type { RunOptions } from "../../shared/contract/options.ts";
import type { RepositoryCommands } from "../../shared/contract/repositoryCommands.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { SandboxReport } from "../engine/ports/command.ts";
import type { GitPort, OpenedRepository } from "../engine/ports/git.ts";
import type { TrustedCommands } from "../settings/trustedCommands.ts";
import type { Assignment } from "./assignment.ts";
import { type Caps, lowered } from "./lowering.ts";
import { unpricedOf } from "./modelPrices.ts";
import { type RepositoryConfig, readRepositoryConfig } from "./repositoryConfig.ts";

/** What a run is prepared with. */
export interface PrepareParts {
  readonly git: GitPort;
  readonly trusted: Pick<TrustedCommands, "isTrusted">;
}

/** What the assignment leaves to the repository to say. */
type Asked = Pick<Assignment, "options" | "repositoryCommands">;

export interface Terms extends Caps, Pick<RepositoryConfig, "worktreeInclude" | "protectedPaths"> {
  readonly options: RunOptions;
}

/** The terms that the run would be started on. Codes `BAD_CONFIGURATION` (the file of the commit), `COMMANDS_UNTRUSTED`. */
export async function termsOf(
  { git, trusted }: PrepareParts,
  assignment: Assignment,
  { facts, head }: Pick<OpenedRepository, "facts" | "head">,
): Promise<Result<Terms>> {
  const config = await readRepositoryConfig(git, facts, head);
  if (!config.ok) return config;
  const { commands, ceilings, worktreeInclude, protectedPaths } = config.value;
  const used = usedOf(commands, assignment);
  if (isAny(used) && !trusted.isTrusted(facts, commands)) return fail(untrusted(used, head));
  const { options, named = [], price, rolePrices = {} } = assignment;
  const isPriced = unpricedOf(options.model, { price, rolePrices }) === null;
  const { setup = [], setupNetwork = used.setupNetwork, ...others } = options;
  const ready = setup.length > 0 ? setup : used.setup;
  return succeed({
    ...lowered(assignment, ceilings, { named, isPriced }),
    options: {
      ...others,
      verify: options.verify.length > 0 ? options.verify : used.verify,
      ...(ready.length === 0 ? {} : { setup: ready }),
      ...(setupNetwork === undefined ? {} : { setupNetwork }),
    },
    worktreeInclude,
    protectedPaths,
  });
}

/** Commands that a run in this repository would be started with and that no person has named. */
export interface BroughtCommands {
  readonly repository: RepositoryFacts;
  /** Where they stand. */
  readonly commit: Oid;
  /** All that the repository brings: what is trusted. */
  readonly commands: RepositoryCommands;
  /** Those of them that this run would use. */
  readonly used: RepositoryCommands;
  readonly isTrusted: boolean;
}

/** What the repository of an assignment would have run; `null`: nothing. Codes: those of `openRepository`, `BAD_CONFIGURATION`. */
export async function broughtBy(
  { git, trusted }: PrepareParts,
  assignment: Asked & Pick<Assignment, "folder">,
): Promise<Result<BroughtCommands | null>> {
  const opened = await git.openRepository(assignment.folder);
  if (!opened.ok) return opened;
  const { facts, head } = opened.value;
  const config = await readRepositoryConfig(git, facts, head);
  if (!config.ok) return config;
  const { commands } = config.value;
  const used = usedOf(commands, assignment);
  if (!isAny(used)) return succeed(null);
  return succeed({
    repository: facts,
    commit: head,
    commands,
    used,
    isTrusted: trusted.isTrusted(facts, commands),
  });
}

/** What keeps such commands from harm on this machine, in a sentence. */
export function sayConfinement({ isWhole, missing }: SandboxReport): string {
  return isWhole
    ? "They run confined: they see their worktree and, unless the run allows it or they ask for it here, no network."
    : `They cannot be confined on this machine and could touch what you can: ${missing.join(" ")}`;
}

/** Of what a repository brings, the commands that this run would use: a person's own go before them. */
function usedOf(commands: RepositoryCommands, { options, repositoryCommands }: Asked): RepositoryCommands {
  if (repositoryCommands === "skip") return { setup: [], verify: [] };
  const setup = (options.setup ?? []).length > 0 ? [] : commands.setup;
  const asksForNetwork = setup.length > 0 && commands.setupNetwork === "on" && options.setupNetwork === undefined;
  return {
    setup,
    ...(asksForNetwork ? { setupNetwork: "on" } : {}),
    verify: options.verify.length > 0 ? [] : commands.verify,
  };
}

function isAny({ setup, verify }: RepositoryCommands): boolean {
  return setup.length + verify.length > 0;
}

function untrusted({ setup, setupNetwork, verify }: RepositoryCommands, commit: Oid) {
  const kind = setupNetwork === "on" ? "set-up with the network" : "set-up";
  const named = [...setup.map((line) => `${kind} \`${line}\``), ...verify.map((line) => `check \`${line}\``)];
  return {
    code: "COMMANDS_UNTRUSTED",
    message: `.coppice/config.json at ${commit.slice(0, 7)} brings commands that nobody has trusted in this repository: ${named.join(", ")}. Look at them, then trust them (--repository-commands trust, or beside the repository in the window) or leave them out (--repository-commands skip).`,
  };
}
