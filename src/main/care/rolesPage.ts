// The roles that runs can have: the built-in ones, and those that the files of a repository bring, as a run there would
// find them now. Reads only.

import type { CareBodies, RoleLine } from "../../shared/contract/care.ts";
import type { Settings } from "../../shared/contract/settings.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import type { RoleFile } from "../agents/roleFile.ts";
import { builtInRoles } from "../agents/roles.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { readRoles } from "../runs/roleFiles.ts";
import { expandHome } from "./repositoryPages.ts";

/** `folder`: anywhere in a repository; `null`: the built-in roles alone. Codes: those of `GitPort.openRepository`. */
export async function rolesPage(
  git: GitPort,
  settings: Settings,
  folder: string | null,
): Promise<Result<CareBodies["roles"]>> {
  const roles = Object.values(builtInRoles).map(({ name, tools, ceiling, steps }) => ({ name, tools, ceiling, steps }));
  if (folder === null) return succeed({ roles, files: [] });
  const opened = await git.openRepository(expandHome(folder));
  if (!opened.ok) return opened;
  const { facts, head } = opened.value;
  // Which server a run will use is not known here, so any model that is set up counts.
  const models = settings.providers.flatMap((provider) => provider.models.map(({ name }) => name));
  const files = await readRoles(git, facts, head, { ceiling: settings.roles.repositoryCeiling, models });
  return succeed({ roles, files: files.map(lineOf) });
}

function lineOf({ path, name, role, problem, remarks }: RoleFile): RoleLine {
  return {
    path,
    name,
    about: role?.about ?? "",
    tools: role?.tools ?? [],
    steps: role?.steps ?? 0,
    model: role?.model ?? null,
    problem,
    remarks,
  };
}
