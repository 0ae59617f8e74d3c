// `demo`: the bundled sample repository and its recorded model answers, through the real engine. No key, no network, no
// question; a fresh copy each time, so it can be run twice.

import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { WorkbenchError } from "../../../shared/contract/errors.ts";
import { defaultLimits } from "../../../shared/contract/options.ts";
import { demoModel, resourcesFolder } from "../../workbench.ts";
import { createReporter, driveToEnd } from "./follow.ts";
import type { Invocation } from "./runCommands.ts";

const task = "Payments are sometimes charged twice. Find out why, and fix it.";
const branch = "fix/double-charge";

export async function runDemo(invocation: Invocation): Promise<number> {
  const { workbench, output } = invocation;
  const folder = await copySample();
  output.line(`The sample repository is in ${folder}.`);
  const script = join(resourcesFolder(), "demo/model.json");
  const model = demoModel(await readFile(script, "utf8"), script);
  if (!model.ok) return output.fail(model.error);
  const reporter = createReporter(output);
  const started = await workbench.startRun(
    {
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
    },
    model.value,
    {
      trustsCommands: true,
      onCommit: ({ events, state }) => {
        for (const event of events) reporter.event(event, state);
      },
    },
  );
  if (!started.ok) return output.fail(started.error);
  const code = await driveToEnd(started.value, reporter, invocation);
  const [landing] = started.value.state().landings;
  if (code === 0 && landing?.status === "landed") {
    output.answer(`landed ${landing.new.slice(0, 10)} on ${branch} in ${folder}`);
    output.answer(`  git -C ${folder} show ${branch}`);
  }
  return code;
}

/** A repository of its own with an identity of its own; nothing of the person's git configuration takes part. */
async function copySample(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "coppice-demo-"));
  await cp(join(resourcesFolder(), "sample"), folder, { recursive: true });
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
