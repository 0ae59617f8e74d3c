// The template of a run: one of the built-in ones, else a file of the repository as it is at the base commit.

import { z } from "zod";

import type { Oid } from "../../shared/contract/ids.ts";
import { templateName } from "../../shared/contract/policy.ts";
import { maxRounds, type Template, type TemplateChoice, type TemplateFigures } from "../../shared/contract/template.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { compileSchema } from "../agents/outputSchema.ts";
import { builtInRoles } from "../agents/roles.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import { type OwnRole, rolesOf, type RoleTable } from "../domain/roles.ts";
import { figuresOf, inFull, problemOf } from "../domain/policy/template.ts";
import { builtInTemplates } from "../domain/policy/templates.ts";
import { type Priced, withCosts } from "../domain/policy/worstCost.ts";
import type { GitPort } from "../engine/ports/git.ts";

/** Templates of a repository that are offered. */
const maxOwn = 50;
const maxFileBytes = 256 * 1024;
const word = z.string().min(1).max(60);
const text = z.string().min(1).max(20_000);

/** What a file in `.coppice/templates` holds; its name is the template's. */
export const templateFileSchema = z.strictObject({
  about: z.string().min(1).max(200),
  nodes: z
    .array(
      z.strictObject({
        id: word,
        role: word,
        task: text,
        dependsOn: z.exactOptional(
          z.array(z.union([word, z.strictObject({ id: word, until: z.enum(["completed", "proposed"]) })])).max(50),
        ),
        paths: z.exactOptional(z.array(z.string().min(1).max(1_000)).max(100)),
        constraints: z.exactOptional(z.array(text).max(20)),
        criteria: z.exactOptional(z.array(text).max(20)),
        outputSchema: z.exactOptional(
          z.record(z.string(), z.json()).refine((schema) => compileSchema(schema) !== null, "is not a JSON Schema"),
        ),
        gate: z.exactOptional(
          z.strictObject({
            rounds: z.int().min(1).max(maxRounds),
            freshFrom: z.exactOptional(z.int().min(1).max(maxRounds)),
          }),
        ),
        confirms: z.exactOptional(z.array(word).max(50)),
      }),
    )
    .min(1)
    .max(50),
}) satisfies z.ZodType<Omit<Template, "name">>;

/** The template that the options name, with what is known of it before the start; `null` under another policy. Codes `TEMPLATE_UNKNOWN`, `TEMPLATE_INVALID`. */
export async function templateFor(
  git: GitPort,
  repo: RepositoryFacts,
  commit: Oid,
  run: Priced,
  maxSubagents: number,
): Promise<Result<(Template & TemplateFigures) | null>> {
  const { policy } = run.options;
  if (policy?.kind !== "template") return succeed(null);
  const { name } = policy;
  const roles = withCosts(rolesOf(run.roles, builtInRoles), run);
  const builtIn = builtInTemplates.find((template) => template.name === name);
  const found = builtIn === undefined ? await readTemplate(git, repo, commit, name) : succeed(builtIn);
  if (!found.ok) return found;
  const template = inFull(found.value, roles);
  const problem = problemOf(template, roles);
  if (problem !== null) return invalid(name, problem);
  const figures = figuresOf(template, roles);
  if (figures.count > maxSubagents)
    return invalid(name, `It comes to ${figures.count} subagents, and this run may create ${maxSubagents} subagents.`);
  return succeed({ ...template, ...figures });
}

/** The templates that come with the product, by the built-in roles and `own`. */
export function builtInChoices(own: readonly OwnRole[] = []): readonly TemplateChoice[] {
  const roles = rolesOf(own, builtInRoles);
  return builtInTemplates.map((template) => choiceOf(template, roles));
}

/** Where a repository keeps the template of this name, from its top. */
export function templateFile(name: string): string {
  return `.coppice/templates/${name}.json`;
}

/** Every template that a run in this repository can name. `tracked`: paths of the commit. */
export async function templateChoices(
  git: GitPort,
  repo: RepositoryFacts,
  commit: Oid,
  tracked: readonly string[],
  own: readonly OwnRole[] = [],
): Promise<readonly TemplateChoice[]> {
  const roles = rolesOf(own, builtInRoles);
  const names = tracked
    .flatMap((path) => /^\.coppice\/templates\/([^/]+)\.json$/.exec(path)?.[1] ?? [])
    .filter((name) => templateName.test(name) && !builtInTemplates.some((template) => template.name === name))
    .slice(0, maxOwn);
  const read = await Promise.all(names.map((name) => readTemplate(git, repo, commit, name)));
  return [
    ...builtInChoices(own),
    ...read.map((found, index) =>
      found.ok
        ? choiceOf(found.value, roles)
        : { name: names[index] ?? "", about: "", figures: null, problem: found.error.message },
    ),
  ];
}

function choiceOf(found: Template, roles: RoleTable): TemplateChoice {
  const template = inFull(found, roles);
  const { name, about } = template;
  const problem = problemOf(template, roles);
  return { name, about, problem, figures: problem === null ? figuresOf(template, roles) : null };
}

async function readTemplate(git: GitPort, repo: RepositoryFacts, commit: Oid, name: string): Promise<Result<Template>> {
  const path = templateFile(name);
  const file = await git.readFileAt(repo, commit, path, maxFileBytes);
  if (file === null) {
    const names = builtInTemplates.map((template) => template.name).join(", ");
    return fail({
      code: "TEMPLATE_UNKNOWN",
      message: `There is no template ${name}: the built-in ones are ${names}, and ${path} is not in the commit that the run starts from.`,
    });
  }
  let data: unknown;
  try {
    data = JSON.parse(file);
  } catch (error) {
    return invalid(name, `${path} is not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
  const parsed = templateFileSchema.safeParse(data);
  if (parsed.success) return succeed({ name, ...parsed.data });
  const [issue] = parsed.error.issues;
  return invalid(name, `${path}, ${issue?.path.join(".") || "at its top"}: ${issue?.message ?? "not a template"}.`);
}

function invalid(name: string, why: string): Result<never> {
  return fail({ code: "TEMPLATE_INVALID", message: `The template ${name} cannot be run. ${why}` });
}
