// What a repository sets of its own, for a person to look at: its commands, whether they are trusted, and what is wrong with
// the file. Trust is given to what was shown, and taken back here.

import type { CareBodies, CareCommand, RepositoryConfiguration } from "../../shared/contract/care.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { CommandPort } from "../engine/ports/command.ts";
import type { GitPort, OpenedRepository } from "../engine/ports/git.ts";
import { noConfig, readRepositoryConfig } from "../runs/repositoryConfig.ts";
import { sayConfinement } from "../runs/terms.ts";
import { hashOfCommands, type TrustedCommands } from "../settings/trustedCommands.ts";
import { folderOf, nameOf } from "./rulePages.ts";

export interface ConfigurationParts {
  readonly git: GitPort;
  readonly commands: CommandPort;
  readonly trusted: TrustedCommands;
}

/** As the commit that is checked out has it; a file that cannot be used sets nothing and says why. */
export async function configurationOf(
  { git, commands: sandbox, trusted }: ConfigurationParts,
  { facts, head }: Pick<OpenedRepository, "facts" | "head">,
): Promise<RepositoryConfiguration> {
  const read = await readRepositoryConfig(git, facts, head);
  const { commands, ceilings } = read.ok ? read.value : noConfig;
  const { steps, costMicros, wallMs } = ceilings;
  return {
    commands,
    hash: hashOfCommands(commands),
    isTrusted: trusted.isTrusted(facts, commands),
    confinement: sayConfinement(await sandbox.report()),
    ceilings: {
      ...(steps === undefined ? {} : { steps }),
      ...(costMicros === undefined ? {} : { costMicros }),
      ...(wallMs === undefined ? {} : { wallMs }),
    },
    problem: read.ok ? null : read.error.message,
  };
}

/** Every repository with commands that a person has trusted, oldest trust first. Throws `BAD_CONFIGURATION`. */
export function trustedPage(trusted: TrustedCommands): CareBodies["rules"]["trusted"] {
  return trusted.all().map(({ repository, trusted: entries }) => ({
    repository: nameOf(repository),
    folder: folderOf(repository.commonDir),
    entries,
  }));
}

/** Trusts the commands that were shown under this hash. Codes: those of `openRepository`, `BAD_CONFIGURATION`, `COMMANDS_UNTRUSTED` where they are others by now. */
export async function trustShown(
  { git, trusted }: ConfigurationParts,
  { folder, hash }: Extract<CareCommand, { type: "trustCommands" }>,
  now: number,
): Promise<Result<null>> {
  const opened = await git.openRepository(folder);
  if (!opened.ok) return opened;
  const { facts, head } = opened.value;
  const read = await readRepositoryConfig(git, facts, head);
  if (!read.ok) return read;
  if (hashOfCommands(read.value.commands) !== hash)
    return fail({
      code: "COMMANDS_UNTRUSTED",
      message: `The commands of ${facts.topLevel} are others than those that were shown. Look at them again.`,
    });
  await trusted.trust(facts, read.value.commands, now);
  return succeed(null);
}

/** Takes back the trust in commands of a repository that `trustedPage` has named. Done already, it changes nothing. */
export async function forgetTrust(
  trusted: TrustedCommands,
  { repository, hash }: Extract<CareCommand, { type: "forgetTrust" }>,
): Promise<void> {
  const found = trusted.all().find((one) => nameOf(one.repository) === repository);
  if (found !== undefined) await trusted.forget(found.repository, hash);
}
