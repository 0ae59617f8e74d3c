// The policies that a run can go by: the presets of rules with their conditions, the built-in templates, and those that the
// files of a repository bring, as a run there would find them now. Reads only.

import type { CareBodies } from "../../shared/contract/care.ts";
import { rulePresets } from "../../shared/contract/policy.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import { ruleSets } from "../domain/policy/conditions.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { builtInChoices, templateFile } from "../runs/templates.ts";
import { expandHome, readTemplates } from "./repositoryPages.ts";

/** `folder`: anywhere in a repository; `null`: what comes with Coppice alone. Codes: those of `GitPort.openRepository`. */
export async function policiesPage(git: GitPort, folder: string | null): Promise<Result<CareBodies["policies"]>> {
  const presets = rulePresets.map((name) => ({ name, ...ruleSets[name] }));
  const builtIn = builtInChoices();
  if (folder === null) return succeed({ presets, templates: builtIn, files: [] });
  const opened = await git.openRepository(expandHome(folder));
  if (!opened.ok) return opened;
  const all = await readTemplates(git, opened.value);
  const own = all.filter(({ name }) => !builtIn.some((template) => template.name === name));
  return succeed({ presets, templates: builtIn, files: own.map((one) => ({ ...one, path: templateFile(one.name) })) });
}
