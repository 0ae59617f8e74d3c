// A whole workbench on a temporary data folder, a temporary repository and a scripted model on loopback: everything
// real but the model's mind. Each story cleans up after itself.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { checkJournal } from "../../src/main/care/checkJournal.ts";
import type { Assignment } from "../../src/main/runs/assignment.ts";
import type { EventType, RunEvent } from "../../src/main/domain/events.ts";
import type { Clock } from "../../src/main/engine/ports/clock.ts";
import type { ModelPolicy } from "../../src/main/engine/ports/model.ts";
import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";
import { connectModel, openWorkbench, type Workbench } from "../../src/main/workbench.ts";
import { type Balances, defaultLimits, type Limits, type RunOptions } from "../../src/shared/contract/options.ts";
import { type ScriptedEntry, type ScriptedModelServer, startScriptedModel, type RequestBody } from "./scriptedModel.ts";
import { createTempRepository, type TempRepository } from "./tempRepository.ts";

export { call, calls, edit, executor, say, spawn, submit, wait } from "./scriptWords.ts";

export interface Story {
  readonly home: string;
  readonly repository: TempRepository;
  readonly server: ScriptedModelServer;
  readonly workbench: Workbench;
  /** What a person would ask for; every default is the story's own. */
  assign(task: string, options?: StoryOptions): Assignment;
  /** Begins a run; it is not driven yet. Throws with the refusal's words. */
  begin(task: string, options?: StoryOptions): Promise<LiveRun>;
  /** Begins a run and drives it until it stops or waits for a person. */
  run(task: string, options?: StoryOptions): Promise<LiveRun>;
  /** Another process's view: the same data folder opened once more. */
  reopen(): Promise<Workbench>;
  /** Takes over a run that nobody drives and settles what a crash cut. Throws with the refusal's words. */
  takeOver(run: RunId): Promise<LiveRun>;
}

export interface StoryOptions {
  readonly options?: Partial<RunOptions>;
  readonly limits?: Partial<Limits>;
  readonly budget?: Partial<Balances>;
  readonly wallMs?: number;
  /** Of its model; without, it is not known. */
  readonly price?: Assignment["price"];
  readonly includesDirty?: boolean;
  /** Where the model is said to be; the story's own server without. */
  readonly baseUrl?: string;
}

const cleanups: (() => Promise<void> | void)[] = [];
const checks: (() => Promise<readonly string[]>)[] = [];

/** For `afterEach`: no story ends without a whole journal. Throws with what is wrong with it, once everything is cleaned up. */
export async function endStories(): Promise<void> {
  const problems: string[] = [];
  for (const check of checks.splice(0)) problems.push(...(await check()));
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** Opens a story. `clock`: for those whose waits shall not be waited. `policy`: for those whose model takes less. */
export async function openStory(
  entries: readonly ScriptedEntry[],
  files?: Readonly<Record<string, string>>,
  clock?: Clock,
  policy?: Partial<ModelPolicy>,
): Promise<Story> {
  const home = mkdtempSync(join(tmpdir(), "coppice-home-"));
  cleanups.push(() => rmSync(home, { recursive: true, force: true }));
  const repository = createTempRepository(files);
  cleanups.push(() => repository.cleanup());
  const server = await startScriptedModel(entries);
  cleanups.push(() => server.close());
  const workbench = await openHome(home, clock, policy);
  const lives: LiveRun[] = [];
  checks.push(() => findProblems(home, workbench, lives));

  const assign = (
    task: string,
    { options, limits, budget, wallMs, price, includesDirty }: StoryOptions = {},
  ): Assignment => ({
    folder: repository.folder,
    task,
    options: {
      model: "scripted",
      baseUrl: server.baseUrl,
      approve: "auto",
      commands: "allow",
      network: "off",
      isAttended: false,
      landOn: { kind: "branch", name: "landed" },
      worktrees: "on",
      verify: ["true"],
      ...options,
    },
    limits: { ...defaultLimits, ...limits },
    budget: { steps: 400, toolCalls: null, inputTokens: null, outputTokens: null, costMicros: null, ...budget },
    wallMs: wallMs ?? null,
    price: price ?? null,
    includesDirty: includesDirty ?? false,
  });

  const begin = async (task: string, options: StoryOptions = {}): Promise<LiveRun> => {
    const assignment = assign(task, options);
    const baseUrl = options.baseUrl ?? server.baseUrl;
    const started = await workbench.startRun(assignment, connectModel({ baseUrl, apiKey: "test-key" }));
    if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
    lives.push(started.value);
    return started.value;
  };

  return {
    home,
    repository,
    server,
    workbench,
    assign,
    begin,
    run: async (task, options) => {
      const live = await begin(task, options);
      await live.drive(true);
      await live.release();
      return live;
    },
    reopen: () => openHome(home, clock, policy),
    takeOver: async (run) => {
      const taken = await workbench.takeRun(run, connectModel({ baseUrl: server.baseUrl, apiKey: "test-key" }));
      if (!taken.ok) throw new Error(`${taken.error.code}: ${taken.error.message}`);
      lives.push(taken.value);
      await taken.value.recover();
      return taken.value;
    },
  };
}

/** What is wrong with the journals of a story: the invariants of the store, and that what was published is what is stored. */
async function findProblems(home: string, workbench: Workbench, lives: readonly LiveRun[]): Promise<readonly string[]> {
  const problems = checkJournal(home)
    .filter((check) => !check.ok)
    .map((check) => `${check.title}: ${check.details.join("; ")}`);
  const last = new Map(lives.map((live) => [live.run, live]));
  for (const live of last.values()) {
    const stored = await workbench.journal(live.run);
    // Deleted by its test.
    if (stored.length === 0) continue;
    if (!isDeepStrictEqual(stored, live.journal()))
      problems.push(`${live.run}: what was published is not what is stored`);
    const heads = new Map<string, number>();
    stored.forEach((event, index) => {
      const seq = (heads.get(event.run) ?? 0) + 1;
      if (event.n !== index + 1 || event.seq !== seq)
        problems.push(`${live.run}: event ${event.n} of stream ${event.run} is numbered ${event.seq}, not ${seq}`);
      heads.set(event.run, seq);
    });
  }
  return problems;
}

async function openHome(home: string, clock?: Clock, policy?: Partial<ModelPolicy>): Promise<Workbench> {
  const opened = await openWorkbench({
    home,
    ...(clock === undefined ? {} : { clock }),
    ...(policy === undefined ? {} : { policy }),
  });
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  cleanups.push(() => opened.value.close());
  return opened.value;
}

/** All that tools have answered in a request, as one text. */
export function toolAnswers(body: RequestBody): string {
  return body.messages
    .filter((message) => message.role === "tool")
    .map((message) => String(message.content))
    .join("\n");
}

export function eventsOf<T extends EventType>(
  run: LiveRun,
  type: T,
): readonly Extract<RunEvent, { readonly type: T }>[] {
  return run.journal().filter((event): event is Extract<RunEvent, { readonly type: T }> => event.type === type);
}
