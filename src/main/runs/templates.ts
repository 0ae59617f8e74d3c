// The template of a run: one of the built-in ones, else a file of the repository as it is at the base commit.

import { z } from "zod";

import type { Oid } from "../../shared/contract/ids.ts";
import type { RunOptions } from "../../shared/contract/options.ts";
import { templateName } from "../../shared/contract/policy.ts";
import type { Template, TemplateChoice, TemplateFigures } from "../../shared/contract/template.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import { builtInRoles } from "../agents/roles.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import { figuresOf, problemOf } from "../domain/policy/template.ts";
import { builtInTemplates } from "../domain/policy/templates.ts";
import type { GitPort } from "../engine/ports/git.ts";

/** Templates of a repository that are offered. */
const maxOwn = 50;
const maxFileBytes = 256 * 1024;
const word = z.string().min(1).max(60);
const text = z.string().min(1).max(20_000);

const fileSchema = z.strictObject({
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
  { policy }: RunOptions,
  maxSubagents: number,
): Promise<Result<(Template & TemplateFigures) | null>> {
  if (policy?.kind !== "template") return succeed(null);
  const { name } = policy;
  const builtIn = builtInTemplates.find((template) => template.name === name);
  const found = builtIn === undefined ? await readTemplate(git, repo, commit, name) : succeed(builtIn);
  if (!found.ok) return found;
  const problem = problemOf(found.value, builtInRoles);
  if (problem !== null) return invalid(name, problem);
  const figures = figuresOf(found.value, builtInRoles);
  if (figures.count > maxSubagents)
    return invalid(name, `It has ${figures.count} nodes, and this run may create ${maxSubagents} subagents.`);
  return succeed({ ...found.value, ...figures });
}

/** Every template that a run in this repository can name. `tracked`: paths of the commit. */
export async function templateChoices(
  git: GitPort,
  repo: RepositoryFacts,
  commit: Oid,
  tracked: readonly string[],
): Promise<readonly TemplateChoice[]> {
  const own = tracked
    .flatMap((path) => /^\.coppice\/templates\/([^/]+)\.json$/.exec(path)?.[1] ?? [])
    .filter((name) => templateName.test(name) && !builtInTemplates.some((template) => template.name === name))
    .slice(0, maxOwn);
  const read = await Promise.all(own.map((name) => readTemplate(git, repo, commit, name)));
  return [
    ...builtInTemplates.map(choiceOf),
    ...read.map((found, index) =>
      found.ok
        ? choiceOf(found.value)
        : { name: own[index] ?? "", about: "", figures: null, problem: found.error.message },
    ),
  ];
}

function choiceOf(template: Template): TemplateChoice {
  const { name, about } = template;
  const problem = problemOf(template, builtInRoles);
  return { name, about, problem, figures: problem === null ? figuresOf(template, builtInRoles) : null };
}

async function readTemplate(git: GitPort, repo: RepositoryFacts, commit: Oid, name: string): Promise<Result<Template>> {
  const path = `.coppice/templates/${name}.json`;
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
  const parsed = fileSchema.safeParse(data);
  if (parsed.success) return succeed({ name, ...parsed.data });
  const [issue] = parsed.error.issues;
  return invalid(name, `${path}, ${issue?.path.join(".") || "at its top"}: ${issue?.message ?? "not a template"}.`);
}

function invalid(name: string, why: string): Result<never> {
  return fail({ code: "TEMPLATE_INVALID", message: `The template ${name} cannot be run. ${why}` });
}
