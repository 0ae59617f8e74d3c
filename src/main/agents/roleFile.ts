// A role as a file of a repository: Markdown whose front matter says what it is for and narrows it, and whose text instructs
// whoever has it. Only reads and checks; nothing that such a file says can widen what its agents may do.

import { createHash } from "node:crypto";
import { posix } from "node:path";
import { parseDocument } from "yaml";
import { z } from "zod";
import { slugOf } from "../../shared/lib/slug.ts";
import type { EffectRank } from "../domain/records.ts";
import { isWithin, type OwnRole } from "../domain/roles.ts";
import { builtInRoles, readerTools, roleSpec } from "./roles.ts";
import { workTools } from "./tools/registry.ts";

/** What a person allows to files of repositories. */
export interface RoleTerms {
  /** The highest effect rank of their roles. */
  readonly ceiling: Exclude<EffectRank, "external">;
  /** Models that the person has set up at the run's server; a file may name one of these and no other. */
  readonly models: readonly string[];
}

/** What holds where a person has said nothing. */
export const usualTerms: RoleTerms = { ceiling: "read", models: [] };

/** What came of one file: the role, or why there is none. `remarks`: what of it does not hold, in sentences. */
export interface RoleFile {
  readonly path: string;
  readonly name: string;
  readonly role: OwnRole | null;
  readonly problem: string | null;
  readonly remarks: readonly string[];
}

export const maxRoleFileBytes = 64 * 1024;
const longest = { about: 400, instructions: 16_000 };
const roleName = /^[a-z0-9][a-z0-9-]{0,39}$/;
const count = z.exactOptional(z.int().min(1).max(1_000_000_000));

/** The front matter of a file in `.coppice/roles`. */
export const roleFrontSchema = z.strictObject({
  name: z.exactOptional(
    z
      .string()
      .regex(roleName, "is lower-case letters, digits and dashes, at most 40")
      .describe("What the lead calls it by; absent: the file's name."),
  ),
  description: z
    .string()
    .trim()
    .min(1)
    .max(longest.about)
    .describe("What it is for, in a line or two: the lead chooses by it."),
  tools: z.exactOptional(
    z
      .union([z.array(z.string().min(1).max(60)).min(1).max(20), z.string().min(1).max(400)])
      .describe("Names of tools, as a list or with commas; absent: those that read files."),
  ),
  model: z.exactOptional(
    z.string().min(1).max(200).describe("One of the models that the person has set up; another is ignored."),
  ),
  limits: z.exactOptional(
    z
      .strictObject({
        steps: count,
        toolCalls: count,
        inputTokens: count,
        outputTokens: count,
        costUsd: z.exactOptional(z.number().positive().max(1_000_000)),
      })
      .describe("Of one subagent with this role. They only lower what holds anyway."),
  ),
});
type Front = z.infer<typeof roleFrontSchema>;

/** What other tools call what Coppice's own do. */
const foreignTools: Readonly<Record<string, string>> = {
  read: "readFile",
  notebookread: "readFile",
  grep: "searchText",
  glob: "listFiles",
  ls: "listFiles",
  edit: "applyEdit",
  multiedit: "applyEdit",
  write: "applyEdit",
  notebookedit: "applyEdit",
  bash: "runCommand",
};

/** Files of these folders are written for other tools: what Coppice does not know of them is left out, not refused. */
export function isForeignRole(path: string): boolean {
  return !path.startsWith(".coppice/");
}

/** Reads one file, `text` whole. Never throws: what is wrong with it is its `problem`, with the place and what to do. */
export function readRoleFile(path: string, text: string, terms: RoleTerms): RoleFile {
  const isForeign = isForeignRole(path);
  const fileName = posix.basename(path, ".md");
  const bad = (problem: string): RoleFile => ({ path, name: fileName, role: null, problem, remarks: [] });
  if (text.length > maxRoleFileBytes) return bad(`It is larger than ${maxRoleFileBytes / 1024} KiB.`);
  const parts = /^---[ \t]*\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n([^]*))?$/.exec(text.replace(/^\uFEFF/, ""));
  if (!parts)
    return bad("It does not begin with front matter: a line `---`, fields such as `description: …`, a line `---`.");
  const [, head = "", body = ""] = parts;
  const front = isForeign ? readForeignFront(head) : readFront(head);
  if (typeof front === "string") return bad(front);
  const name = front.name ?? slugOf(fileName, Infinity);
  const instructions = body.trim();
  if (!roleName.test(name))
    return bad(`${JSON.stringify(name)} is no name for a role: lower-case letters, digits and dashes, at most 40.`);
  if (Object.hasOwn(builtInRoles, name)) return bad(`${name} is a built-in role; give this one another name.`);
  if (instructions === "") return bad("It has no instructions: write them below the front matter.");
  if (instructions.length > longest.instructions)
    return bad(
      `Its instructions have ${instructions.length} characters, at most ${longest.instructions} are given to a subagent.`,
    );
  const narrowed = narrow(front, terms, isForeign);
  if (typeof narrowed === "string") return { ...bad(narrowed), name };
  const { tools, model, remarks } = narrowed;
  const role: OwnRole = {
    ...limited(roleSpec(name, tools, ceilingOf(tools)), front.limits ?? {}),
    about: front.description,
    path,
    hash: createHash("sha256").update(text).digest("hex"),
    instructions,
    ...(model === null ? {} : { model }),
  };
  return { path, name, role, problem: null, remarks };
}

/** The fields as YAML, or what is wrong with them. */
function readFront(head: string): Front | string {
  const document = parseDocument(head);
  const [mistake] = document.errors;
  if (mistake) return `Its front matter is not YAML: ${mistake.message.split("\n")[0] ?? ""}`;
  let fields: unknown;
  try {
    fields = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    return `Its front matter cannot be used: ${error instanceof Error ? error.message : String(error)}`;
  }
  const parsed = roleFrontSchema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.code === "unrecognized_keys")
    return `${issue.keys.map((key) => `\`${[...issue.path, key].join(".")}\``).join(", ")} is nothing that a role can set; there are ${Object.keys(roleFrontSchema.shape).join(", ")}.`;
  const at = issue?.path.join(".") ?? "";
  return `${at === "" ? "Its front matter" : `\`${at}\``}: ${issue?.message ?? "not a role"}.`;
}

/** Fields of other tools, one a line: what they write is often no YAML. */
function readForeignFront(head: string): Front | string {
  const field = (name: string) =>
    new RegExp(`^${name}:[ \\t]*(.+)$`, "m")
      .exec(head)?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, "$2");
  const [name, about, tools, model] = ["name", "description", "tools", "model"].map(field);
  if (about === undefined) return "It has no `description`.";
  const slug = slugOf(name ?? "", 40);
  return {
    ...(slug === "" ? {} : { name: slug }),
    description: about.replaceAll("\\n", " ").slice(0, longest.about),
    ...(tools === undefined ? {} : { tools: tools.replace(/^\[|\]$/g, "") }),
    ...(model === undefined || model === "inherit" ? {} : { model }),
  };
}

interface Narrowed {
  readonly tools: readonly string[];
  readonly model: string | null;
  readonly remarks: readonly string[];
}

/** The tools and the model that the file may have, with what of it does not hold; a sentence where nothing is left. */
function narrow({ tools, model }: Front, { ceiling, models }: RoleTerms, isForeign: boolean): Narrowed | string {
  const named =
    tools === undefined ? readerTools : (typeof tools === "string" ? tools.split(",") : tools).map((one) => one.trim());
  const known = named.map((one) =>
    workTools.find((tool) => tool.name === (isForeign ? (foreignTools[one.toLowerCase()] ?? one) : one)),
  );
  const unknown = named.filter((_, index) => known[index] === undefined);
  if (unknown.length > 0 && !isForeign)
    return `There is no tool ${unknown.join(", ")}; there are ${workTools.map((tool) => tool.name).join(", ")}.`;
  const asked = workTools.filter((tool) => known.includes(tool));
  const kept = asked.filter((tool) => isWithin(tool.effect, ceiling));
  const above = asked.filter((tool) => !kept.includes(tool)).map((tool) => tool.name);
  if (kept.length === 0)
    return above.length === 0
      ? "None of its tools is one that Coppice has."
      : `${above.join(", ")} is more than files of repositories may have: they may ${ceiling}, as the settings say under Roles.`;
  const isModelKnown = model !== undefined && models.includes(model);
  return {
    tools: kept.map((tool) => tool.name),
    model: isModelKnown ? model : null,
    remarks: [
      ...(above.length === 0
        ? []
        : [`Without ${above.join(", ")}: files of repositories may ${ceiling}, as the settings say under Roles.`]),
      ...(unknown.length === 0 ? [] : [`Without ${unknown.join(", ")}: Coppice has no such tool.`]),
      ...(model === undefined || isModelKnown
        ? []
        : [`On the run's model: ${model} is none that is set up at its server.`]),
    ],
  };
}

/** The lowest rank that its tools need, so that it gets a worktree only where it needs one. */
function ceilingOf(names: readonly string[]): EffectRank {
  const ranks = workTools.filter(({ name }) => names.includes(name)).map(({ effect }) => effect);
  return ranks.includes("execute") ? "execute" : ranks.includes("write") ? "write" : "read";
}

function limited(
  spec: ReturnType<typeof roleSpec>,
  { costUsd, ...limits }: NonNullable<Front["limits"]>,
): ReturnType<typeof roleSpec> {
  const { budget } = spec;
  const steps = Math.min(spec.steps, limits.steps ?? Infinity);
  const lower = (one: number | null, other: number | undefined) =>
    other === undefined ? one : Math.min(one ?? Infinity, other);
  return {
    ...spec,
    steps,
    budget: {
      steps,
      toolCalls: lower(budget.toolCalls, limits.toolCalls),
      inputTokens: lower(budget.inputTokens, limits.inputTokens),
      outputTokens: lower(budget.outputTokens, limits.outputTokens),
      costMicros: lower(budget.costMicros, costUsd === undefined ? undefined : Math.round(costUsd * 1_000_000)),
    },
  };
}
