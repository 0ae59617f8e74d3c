// The bundled sample repository with its recorded model answers: a whole run through the real engine, without a key, a
// network or a question. The command line's `demo` and the window's first screen make the same run.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { WorkbenchError } from "../../shared/contract/errors.ts";
import { defaultLimits } from "../../shared/contract/options.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { ModelPort } from "../engine/ports/model.ts";
import { loadScript } from "../models/loadScript.ts";
import { createScriptedModel } from "../models/scripted.ts";
import type { Assignment } from "./assignment.ts";

export interface Sample {
  readonly folder: string;
  /** The branch that the change lands on. */
  readonly branch: string;
  readonly assignment: Assignment;
  readonly model: ModelPort;
}

const task = "Payments are sometimes charged twice. Find out why, and fix it.";
const branch = "fix/double-charge";

/** A fresh copy of the sample below `parent`, and the run to make in it. `resources`: where they ship. Codes `SCRIPT_INVALID`, `GIT_MISSING`. */
export async function prepareSample(resources: string, parent: string): Promise<Result<Sample>> {
  const model = await openSampleModel(resources);
  if (!model.ok) return model;
  try {
    const folder = await copySample(join(resources, "sample"), parent);
    return succeed({ folder, branch, assignment: assignmentIn(folder), model: model.value });
  } catch (error) {
    if (error instanceof WorkbenchError) return fail({ code: error.code, message: error.message });
    throw error;
  }
}

/** The recorded answers, for a run of the sample that goes on. It has no address. Code `SCRIPT_INVALID`. */
export async function openSampleModel(resources: string): Promise<Result<ModelPort>> {
  const file = join(resources, "demo/model.json");
  const script = loadScript(await readFile(file, "utf8"), file);
  return script.ok ? succeed(createScriptedModel(script.value)) : script;
}

function assignmentIn(folder: string): Assignment {
  return {
    folder,
    task,
    options: {
      model: "recorded",
      baseUrl: "",
      approve: "auto",
      commands: "allow",
      network: "off",
      isAttended: false,
      landOn: { kind: "branch", name: branch },
      worktrees: "on",
      verify: ["node --test", "node checks/double-charge.js"],
    },
    limits: defaultLimits,
    budget: { steps: 400, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null },
    wallMs: 10 * 60_000,
    price: null,
    includesDirty: false,
  };
}

/** A repository of its own with an identity of its own; nothing of the person's git configuration takes part. */
async function copySample(sample: string, parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(parent, "coppice-demo-"));
  await cp(sample, folder, { recursive: true });
  for (const args of [
    ["init", "--quiet", "--initial-branch=main"],
    ["config", "user.name", "Coppice Demo"],
    ["config", "user.email", "demo@coppice.invalid"],
    ["config", "commit.gpgsign", "false"],
    ["add", "--all"],
    ["commit", "--quiet", "--no-verify", "--message", "Checkout service as it was handed over"],
  ]) {
    await git(folder, args);
  }
  return folder;
}

async function git(folder: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)("git", [...args], { cwd: folder, timeout: 30_000, env: ownEnvironment() });
  } catch (cause) {
    throw new WorkbenchError(
      "GIT_MISSING",
      `git ${args[0]} failed in ${folder}: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_") || name === "GIT_CONFIG_GLOBAL"),
  );
}
