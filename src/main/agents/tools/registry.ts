// The working tools, which of them a node gets, how they are offered to a model and how its arguments are read.
// Narrowing only ever removes; nothing here can give a node a tool that its role lacks.

import { z } from "zod";
import { isWithin, type RoleSpec } from "../../domain/roles.ts";
import type { EffectClass } from "../../domain/records.ts";
import type { SandboxReport } from "../../engine/ports/command.ts";
import type { ToolOffer } from "../../engine/ports/model.ts";
import type { Json } from "../../../shared/lib/json.ts";
import { fail, succeed, type Failure, type Result } from "../../../shared/lib/result.ts";
import { applyEdit } from "./applyEdit.ts";
import { browseSymbols } from "./browseSymbols.ts";
import { exploreCode } from "./exploreCode.ts";
import { listFiles } from "./listFiles.ts";
import { readChangeSet } from "./readChangeSet.ts";
import { readFile } from "./readFile.ts";
import { runCommand } from "./runCommand.ts";
import { searchText } from "./searchText.ts";
import type { Tool } from "./tool.ts";

/** Every tool that acts on files and commands, weakest first. */
export const workTools: readonly Tool[] = Object.freeze([
  listFiles,
  readFile,
  searchText,
  browseSymbols,
  exploreCode,
  readChangeSet,
  applyEdit,
  runCommand,
] as readonly Tool[]);

const maxPreview = 300;
const maxSchema = 4000;

/**
 * The tools of `tools` (what the parent has) that the role lists and whose rank is within its ceiling; with `hints`, of these the hinted.
 * An absent or empty list of hints narrows nothing. Code `NO_TOOLS_LEFT` when hints match none of them.
 */
export function restrictRegistry(
  tools: readonly Tool[],
  role: Pick<RoleSpec, "name" | "tools" | "ceiling">,
  hints: readonly string[] = [],
): Result<readonly Tool[]> {
  const allowed = tools.filter((tool) => role.tools.includes(tool.name) && isWithin(tool.effect, role.ceiling));
  if (hints.length === 0) return succeed(Object.freeze(allowed));
  const hinted = allowed.filter((tool) => hints.includes(tool.name));
  if (hinted.length > 0) return succeed(Object.freeze(hinted));
  const available = allowed.map((tool) => tool.name);
  return fail({
    code: "NO_TOOLS_LEFT",
    message: `None of the hinted tools (${hints.join(", ")}) belongs to ${role.name}. Available: ${available.join(", ") || "none"}.`,
    details: { available },
  });
}

/** What recovery may do with a call of `tool` under these facts: a command is rerunnable only where the sandbox holds it and no network lets it out. */
export function effectClassOf(
  tool: Pick<Tool, "class">,
  facts: { readonly sandbox: SandboxReport["kind"]; readonly network: "on" | "off" },
): EffectClass {
  const isContained = facts.sandbox !== "none" && facts.network === "off";
  return tool.class === "rerunnable" && !isContained ? "opaque" : tool.class;
}

/** The parameters as JSON Schema, without `$schema`; keys that are not named are not allowed. */
function schemaOf(parameters: z.ZodType): Json {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: "input" });
  return schema as Json;
}

/** The tool as it is offered to a model. */
export function offerOf(tool: Pick<Tool, "name" | "description" | "parameters">): ToolOffer {
  return { name: tool.name, description: tool.description, parameters: schemaOf(tool.parameters) };
}

function preview(text: string): string {
  return text.length <= maxPreview ? text : `${text.slice(0, maxPreview)}… (${text.length} characters)`;
}

/** The arguments as a value: `{}` for nothing at all, one layer of double encoding taken off. `null`: not JSON. */
function readJson(text: string): { readonly value: unknown } | null {
  if (text.trim() === "") return { value: {} };
  try {
    const value: unknown = JSON.parse(text);
    return { value: typeof value === "string" ? (JSON.parse(value) as unknown) : value };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const at = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys")
    return `unknown ${issue.keys.map((key) => (at === "" ? key : `${at}.${key}`)).join(", ")}`;
  return `${at === "" ? "arguments" : at}: ${issue.message}`;
}

/**
 * Reads the text that a model sent as a tool's arguments. Code `BAD_ARGUMENTS`: not JSON, not an object, or fields that do not fit,
 * each by name, with the schema. Cut arguments are never completed.
 */
export function parseArguments<Input>(
  tool: { readonly name: string; readonly parameters: z.ZodType<Input> },
  text: string,
): Result<Input> {
  const refuse = (what: string): Result<Input, Failure> => {
    const schema = JSON.stringify(schemaOf(tool.parameters)).slice(0, maxSchema);
    return fail({
      code: "BAD_ARGUMENTS",
      message: `${tool.name} was not called: ${what}. Its parameters: ${schema}`,
      retryable: true,
    });
  };
  const json = readJson(text);
  if (json === null) return refuse(`its arguments are not valid JSON: ${preview(text)}`);
  if (typeof json.value !== "object" || json.value === null || Array.isArray(json.value))
    return refuse(`its arguments are not a JSON object: ${preview(text)}`);
  const parsed = tool.parameters.safeParse(json.value);
  return parsed.success ? succeed(parsed.data) : refuse(parsed.error.issues.map(describeIssue).join("; "));
}
