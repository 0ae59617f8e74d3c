// `fork`, `export`, `import`, `backup`: what is made of a run's history, and of the whole store.

import { resolve } from "node:path";
import { newRunId } from "../../runs/assignment.ts";
import type { ForkBase } from "../../runs/forkRun.ts";
import { restoreBackup } from "../../workbench.ts";
import type { Output } from "./output.ts";
import type { Invocation } from "./invocation.ts";
import { showProgress } from "./showProgress.ts";

export interface ForkOptions {
  readonly at: number;
  readonly base: ForkBase;
}

/** Makes a new run that goes on from one moment of another, and leaves it paused. */
export async function forkRun({ workbench, output }: Invocation, text: string, options: ForkOptions): Promise<number> {
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const { at, base } = options;
  const origin = found.value.run;
  const point = await workbench.forkPoint(origin, at);
  if (!point.ok) return output.fail(point.error);
  const run = newRunId();
  const forked = await workbench.runs.fork(origin, { run, at, base });
  if (!forked.ok) return output.fail(forked.error);
  const { line, target, unfinished } = point.value;
  const start = base === "target" && target !== null ? target.tip : line;
  output.json({ run, origin, at, base: start, cancelled: unfinished });
  output.line(`${run} goes on from event ${at} of ${origin}, at ${start.slice(0, 10)}. It is paused.`);
  if (unfinished.length > 0) output.line(`Not done by then, so cancelled in it: ${unfinished.join(", ")}.`);
  if (target !== null && target.aheadCount > 0)
    output.line(
      base === "target"
        ? `It begins at the tip of ${target.branch}, ${target.aheadCount} ${commits(target.aheadCount)} past that moment.`
        : `${target.branch} has moved ${target.aheadCount} ${commits(target.aheadCount)} past that moment; --base target begins at its tip instead.`,
    );
  output.line(`  coppice message ${run} TEXT\n  coppice resume ${run}`);
  return 0;
}

function commits(count: number): string {
  return count === 1 ? "commit" : "commits";
}

/** Writes a run into a file that another Coppice can import. */
export async function exportRun(invocation: Invocation, text: string, to: string): Promise<number> {
  const { workbench, output, folder } = invocation;
  const found = await workbench.findRun(text);
  if (!found.ok) return output.fail(found.error);
  const file = resolve(folder, to);
  const written = await showProgress(invocation, () => workbench.history.exportRun(found.value, file));
  if (!written.ok) return output.fail(written.error);
  const { bytes, manifest, withoutCommits } = written.value;
  output.json({ run: found.value.run, file, events: manifest.events, bytes, commits: withoutCommits === null });
  output.line(
    `${found.value.run} is in ${file}: ${manifest.events} events, ${sizeWords(bytes)}. Secrets stay out of its journal; paths and names of this machine, and what its commits hold, do not.`,
  );
  if (withoutCommits !== null) output.line(`It holds no commits: ${withoutCommits}.`);
  return 0;
}

/** `repo`: the repository that takes the run's commits, under the refs that they had. */
export async function importRun(invocation: Invocation, from: string, repo: string | undefined): Promise<number> {
  const { workbench, output, folder } = invocation;
  const into = repo === undefined ? null : resolve(folder, repo);
  const imported = await showProgress(invocation, () => workbench.history.importRun(resolve(folder, from), into));
  if (!imported.ok) return output.fail(imported.error);
  const { refs } = imported.value;
  const found = await workbench.findRun(imported.value.run);
  if (!found.ok) return output.fail(found.error);
  const { run, title, count } = found.value;
  output.json({ run, title, events: count, ...(into === null ? {} : { refs: refs ?? [] }) });
  output.line(`${run} is imported: ${count} events. It can be looked at and replayed, and is never driven.`);
  if (into !== null)
    output.line(
      refs === null
        ? "The file holds no commits."
        : `Its commits are in ${into}, below refs/coppice/${run}: ${refs.length} refs.`,
    );
  output.line(`  coppice show ${run}\n  coppice replay ${run}`);
  return 0;
}

export async function backUp(invocation: Invocation): Promise<number> {
  const { workbench, output } = invocation;
  const made = await showProgress(invocation, () => workbench.history.backUp());
  if (!made.ok) return output.fail(made.error);
  const { name, at, runs, events, bytes } = made.value;
  output.json({ backup: name, at, runs, events, bytes });
  output.line(`${name}: ${runs} runs, ${events} events, ${sizeWords(bytes)}; proved whole.`);
  return 0;
}

export async function listBackups({ workbench, output }: Invocation): Promise<number> {
  const backups = workbench.history.backups();
  for (const { name, at, runs, events, bytes } of backups) {
    output.json({ backup: name, at, runs, events, bytes });
    if (!output.isJson)
      output.answer(`${name}  ${new Date(at).toISOString()}  ${runs} runs, ${events} events, ${sizeWords(bytes)}`);
  }
  if (backups.length === 0 && !output.isJson) output.answer("No backup yet; coppice backup makes one.");
  return 0;
}

/** Puts a backup in the journal's place, without opening it. */
export function restoreStore(output: Output, home: string, name: string | null): number {
  const restored = restoreBackup(home, name, Date.now());
  if (!restored.ok) return output.fail(restored.error);
  const { backup, aside } = restored.value;
  output.json({ restored: backup.name, at: backup.at, runs: backup.runs, events: backup.events, aside });
  output.line(
    `${backup.name} is restored: ${backup.runs} runs, ${backup.events} events, as of ${new Date(backup.at).toISOString()}.`,
  );
  output.line(`What stood there is kept in ${aside}.`);
  return 0;
}

function sizeWords(bytes: number): string {
  return bytes < 1_048_576 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}
