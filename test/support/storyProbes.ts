// What a story's tests look at and wait for: committed events, answers of tools, decisions, and what a run leaves behind.

import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

import type { Command } from "../../src/main/domain/commands.ts";
import type { EventType, RunEvent } from "../../src/main/domain/events.ts";
import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import { listProcesses } from "../../src/main/sandbox/processTable.ts";
import type { Clock } from "../../src/main/engine/ports/clock.ts";
import { systemClock } from "../../src/main/systemClock.ts";
import type { AgentId } from "../../src/shared/contract/ids.ts";
import type { Story } from "./workbenchStory.ts";

type EventOf<T extends EventType> = Extract<RunEvent, { readonly type: T }>;

interface Gate {
  readonly passed: Promise<void>;
  open(): void;
}

/** Something that waits until the test says so. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}

/** Resolves with the first event of this type that `fits`, committed already or yet to be. */
export function committed<T extends EventType>(
  run: LiveRun,
  type: T,
  fits: (event: EventOf<T>) => boolean = () => true,
): Promise<EventOf<T>> {
  const isIt = (event: RunEvent): event is EventOf<T> => event.type === type && fits(event as EventOf<T>);
  const before = run.journal().find(isIt);
  if (before) return Promise.resolve(before);
  return new Promise((resolve) => {
    const unsubscribe = run.onCommit(({ events }) => {
      const found = events.find(isIt);
      if (!found) return;
      unsubscribe();
      resolve(found);
    });
  });
}

/** Resolves once there is something at `path`. Its folder must exist. */
export function appears(path: string): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), (_event, name) => {
      if (name === basename(path)) end();
    });
    const end = () => {
      watcher.close();
      resolve();
    };
    if (existsSync(path)) end();
  });
}

/** The answers that an agent got to its calls of `tool`, read as JSON, in the order in which they were given. */
export function answersTo(run: LiveRun, agent: AgentId, tool: string): readonly unknown[] {
  return run
    .journal()
    .flatMap((event) =>
      event.agent === agent && event.type === "tool.answered" && event.data.tool === tool
        ? [JSON.parse(event.data.output) as unknown]
        : [],
    );
}

/** Where an agent works, absolute. Throws before it has a worktree. */
export function placeOf(run: LiveRun, agent: AgentId): string {
  const path = run.state().nodes.find((node) => node.id === agent)?.worktree;
  if (path == null) throw new Error(`${agent} has no worktree`);
  return path;
}

/** Decides the oldest approval that is open. Throws when there is none, or with the refusal's words. */
export async function decide(
  run: LiveRun,
  decision: Extract<Command, { type: "approval.decide" }>["decision"],
  more: Partial<Extract<Command, { type: "approval.decide" }>> = {},
): Promise<void> {
  const approval = more.approval ?? run.state().approvals.find((one) => one.status === "open")?.id;
  if (approval === undefined) throw new Error("Nothing is to be decided");
  const receipt = await run.dispatch({ type: "approval.decide", decision, by: "Ada", ...more, approval });
  if (!receipt.ok) throw new Error(`${receipt.error.code}: ${receipt.error.message}`);
}

/** Status and code of each node, by id. */
export function endsOf(run: LiveRun): Readonly<Record<string, string>> {
  return Object.fromEntries(
    run.state().nodes.map((node) => [node.id, node.code === null ? node.status : `${node.status} ${node.code}`]),
  );
}

/** Why nodes waited, in the order in which it was said. */
export function queueReasons(run: LiveRun, agent: AgentId): readonly string[] {
  return run
    .journal()
    .flatMap((event) => (event.agent === agent && event.type === "subagent.queued" ? [event.data.code] : []));
}

/** What a run must not leave: worktrees, locks, processes, folders, refs other than its own hidden ones and the target. */
export async function leavings(story: Story, run: LiveRun): Promise<readonly string[]> {
  const { repository, home } = story;
  const own = [`refs/coppice/${run.run}/`, run.state().target.ref, "refs/heads/main"];
  return [
    ...repository
      .git("worktree", "list", "--porcelain")
      .split("\n")
      .filter((line) => line.startsWith("worktree ") && line !== `worktree ${repository.folder}`),
    ...filesBelow(join(repository.folder, ".git")).filter(
      (file) => file.endsWith(".lock") || file.startsWith("worktrees/"),
    ),
    ...(await listProcesses())
      .filter((row) => row.environment.includes(`COPPICE_RUN=${run.run}`))
      .map((row) => `process ${row.pid} ${row.argv.join(" ")}`),
    ...readdirSync(home, { recursive: true, encoding: "utf8" }).filter((path) => path.includes(run.run)),
    ...repository
      .git("for-each-ref", "--format=%(refname)")
      .split("\n")
      .filter((ref) => !own.some((mine) => ref === mine || (mine.endsWith("/") && ref.startsWith(mine)))),
  ];
}

/** Every file of the user's checkout with its content, HEAD, index and settings of its repository among them: equal before and after when nothing was touched. */
export function printOf(story: Story): string {
  const { folder } = story.repository;
  const isTheirs = (file: string) =>
    !file.startsWith(".git/") ||
    /^\.git\/(HEAD|index|config|hooks\/.*|info\/.*|refs\/heads\/main|logs\/HEAD)$/.test(file);
  const lines = filesBelow(folder)
    .filter(isTheirs)
    .map((file) => `${file} ${contentOf(join(folder, file))}`);
  return lines.toSorted().join("\n");
}

function contentOf(path: string): string {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  return `${stat.mode.toString(8)} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

/** A clock whose waits between requests pass at once; limits of a minute and more stay what they are. */
export const hurriedClock: Clock = {
  ...systemClock,
  after: (ms, callback) => systemClock.after(ms < 60_000 ? 0 : ms, callback),
};

/** The `count` events that follow `event` in the merged journal. */
export function eventsAfter(run: LiveRun, event: RunEvent | undefined, count: number): readonly RunEvent[] {
  const n = event?.n ?? Infinity;
  return run.journal().filter((one) => one.n > n && one.n <= n + count);
}
