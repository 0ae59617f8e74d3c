// `restore`, `delete`, `pin`, `gc`, `models`, `agents`: looking after what runs leave, and at what is reachable from here.

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Failure } from "../../../shared/lib/result.ts";
import { describeEndpoint, findLocalServers } from "../../workbench.ts";
import type { Invocation } from "./invocation.ts";
import { showProgress } from "./showProgress.ts";
import { readKey } from "./usage.ts";

/** Lists pinned work of one run or of all, or brings one back on a branch of its own. */
export async function restoreWork(
  { workbench, output }: Invocation,
  text: string | undefined,
  id: string | undefined,
): Promise<number> {
  const found = text === undefined ? null : await workbench.findRun(text);
  if (found && !found.ok) return output.fail(found.error);
  if (found && id !== undefined) {
    const restored = await workbench.care.restore(found.value, id);
    if (!restored.ok) return output.fail(restored.error);
    const { branch, commit } = restored.value;
    output.json({ run: found.value.run, id, branch, commit });
    output.line(`The work of ${id} is on ${branch} at ${commit.slice(0, 10)}.`);
    return 0;
  }
  const rows = found ? [found.value] : await workbench.listRuns();
  const works = await workbench.care.listPinned(rows);
  for (const { id: name, run, agent, reason, ref, files, until } of works) {
    output.json({ id: name, run, agent, reason, ref, files, until });
    if (output.isJson) continue;
    output.answer(
      `${run}  ${agent}  ${reason}  ${files.length} ${files.length === 1 ? "file" : "files"}  until ${new Date(until).toISOString().slice(0, 10)}`,
    );
    output.line(`  coppice restore ${run} ${name}`);
  }
  if (works.length === 0 && !output.isJson)
    output.answer("No pinned work: what executors made has landed, or they made nothing.");
  return 0;
}

export async function deleteRun({ workbench, output }: Invocation, text: string): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const deleted = await workbench.care.deleteRun(found.value);
  if (!deleted.ok) return output.fail(deleted.error);
  const { pins, bytes } = deleted.value;
  output.json({ run: found.value.run, deleted: true, refs: pins, bytes });
  output.line(
    `${found.value.run} is deleted: its journal, ${pins} hidden ${pins === 1 ? "ref" : "refs"}. What has landed stays on its branch.`,
  );
  return 0;
}

export async function pinRun({ workbench, output }: Invocation, text: string, isPinned: boolean): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { run } = found.value;
  const pinned = await workbench.care.setPinned(run, isPinned);
  if (!pinned.ok) return output.fail(pinned.error);
  output.json({ run, pinned: isPinned });
  output.line(
    isPinned ? `${run} is kept until its pin is taken off: coppice pin ${run} --off.` : `${run} is no longer pinned.`,
  );
  return 0;
}

export async function collectGarbage(invocation: Invocation): Promise<number> {
  const { workbench, output } = invocation;
  const freed = await showProgress(invocation, () =>
    workbench.progress.during("cleanUp", (tell) => workbench.care.collectGarbage(Date.now(), tell)),
  );
  output.json(freed);
  output.line(
    `Removed ${freed.pins} expired pins, ${freed.folders} folders of finished runs, ${freed.payloads} unused payloads (${freed.bytes} bytes).`,
  );
  return 0;
}

export interface ModelFlags {
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
}

type Asker = Pick<Invocation, "output" | "env" | "folder">;

/** What answers here: the endpoint that is named, or servers on the usual ports of this machine. */
export async function listModels(asker: Asker, flags: ModelFlags): Promise<number> {
  const failure = await showModels(asker, flags);
  return failure === null ? 0 : asker.output.fail(failure);
}

/** Prints them; answers with why the endpoint that is named lists none. */
export async function showModels({ output, env, folder }: Asker, flags: ModelFlags): Promise<Failure | null> {
  const baseUrl = flags.baseUrl ?? env["OPENAI_BASE_URL"]?.trim();
  if (baseUrl) {
    const listed = await describeEndpoint({ baseUrl, apiKey: readKey(flags.apiKeyFile, env, folder) });
    if (!listed.ok) return listed.error;
    for (const { id, contextTokens, price } of listed.value) show(id, baseUrl, contextTokens, price);
    return null;
  }
  const servers = await findLocalServers();
  for (const server of servers) for (const id of server.models) show(id, server.baseUrl, null, null);
  if (servers.length === 0 && !output.isJson)
    output.answer("No model server answers on the usual ports of this machine; name one with --base-url URL.");
  return null;

  function show(
    model: string,
    url: string,
    contextTokens: number | null,
    price: { readonly input: number; readonly output: number } | null,
  ): void {
    output.json({ model, baseUrl: url, contextTokens, price });
    if (!output.isJson)
      output.answer(`${model}  ${url}${contextTokens === null ? "" : `  ${contextTokens} tokens of context`}`);
  }
}

/** Agents that other people make and that may be installed here, by the command that starts them. */
const externalAgents = ["claude", "codex", "opencode", "gemini", "qwen"] as const;

/** What can work here: Coppice's own loop over a model server, and which external agents are installed. `isDriven`: whether this version can give them work. */
export async function listAgents({ output, env }: Invocation): Promise<number> {
  const found = await Promise.all(
    externalAgents.map(async (name) => ({
      agent: name,
      path: await findOnPath(name, env["PATH"] ?? ""),
      isDriven: false,
    })),
  );
  for (const agent of [{ agent: "coppice", path: null, isDriven: true }, ...found.filter((one) => one.path !== null)]) {
    output.json(agent);
    if (!output.isJson)
      output.answer(
        agent.path === null
          ? `${agent.agent}  its own loop, over a model server`
          : `${agent.agent}  ${agent.path}  installed; this version does not drive it`,
      );
  }
  return 0;
}

async function findOnPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter((entry) => entry !== "")) {
    const file = join(folder, name);
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}
