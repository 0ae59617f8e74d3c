// The roles that a repository brings: read from one commit, never from the checkout. Files that other tools read are read
// too; of two with one name the first folder's holds.

import type { Oid } from "../../shared/contract/ids.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { isForeignRole, maxRoleFileBytes, readRoleFile, type RoleFile, type RoleTerms } from "../agents/roleFile.ts";
import { findProvider } from "./providers.ts";
import { type ServerOptions, serverOf } from "../domain/modelServers.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { OwnRole } from "../domain/roles.ts";
import type { GitPort } from "../engine/ports/git.ts";

/** Where roles are looked for, the own folder first. */
const folders = [".coppice/roles", ".claude/agents", ".agents/agents", ".goose/agents"] as const;
/** Files of all folders that are read. */
const maxFiles = 40;

/** Every role file of the commit, the own folder first, with what came of it. */
export async function readRoles(
  git: Pick<GitPort, "listFilesAt" | "readFileAt">,
  repo: RepositoryFacts,
  commit: Oid,
  terms: RoleTerms,
): Promise<readonly RoleFile[]> {
  const listed = await git.listFilesAt(repo, commit, folders, 1_000);
  const paths = folders
    .flatMap((folder) => listed.filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".md")))
    .slice(0, maxFiles);
  const read = await Promise.all(
    paths.map(async (path) => {
      const text = (await git.readFileAt(repo, commit, path, maxRoleFileBytes + 1)) ?? "";
      return readRoleFile(path, text, terms);
    }),
  );
  return read.map((file, index) => {
    const twin = read.slice(0, index).find(({ role }) => role !== null && role.name === file.role?.name);
    return twin === undefined
      ? file
      : { ...file, role: null, problem: `${twin.path} has a role of this name already.` };
  });
}

/** The roles that a run at this commit starts with. Code `ROLE_INVALID`: a file in `.coppice/roles` cannot be used; what other tools' folders hold is left out where it cannot. */
export async function rolesFor(
  git: Pick<GitPort, "listFilesAt" | "readFileAt">,
  repo: RepositoryFacts,
  commit: Oid,
  terms: RoleTerms,
): Promise<Result<readonly OwnRole[]>> {
  const files = await readRoles(git, repo, commit, terms);
  const broken = files.find(({ path, problem }) => problem !== null && !isForeignRole(path));
  if (broken !== undefined)
    return fail({
      code: "ROLE_INVALID",
      message: `${broken.path} at ${commit.slice(0, 7)} is no role. ${broken.problem ?? ""} Mend it and commit: it is read from the commit.`,
    });
  return succeed(files.flatMap(({ role }) => role ?? []));
}

/** What a person allows to the files of repositories in a run: of models those at the run's own server, so that no file sends anything to another. */
export function roleTermsOf(settings: Settings, options: ServerOptions): RoleTerms {
  const models = findProvider(settings, options.baseUrl)?.models.map(({ name }) => name) ?? [];
  return {
    ceiling: settings.roles.repositoryCeiling,
    models: models.filter((name) => serverOf(options, name) === options.baseUrl),
  };
}
