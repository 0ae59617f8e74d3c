// The built command line as its users meet it: processes on a data folder, a repository and a model server of their own.
// Acts only through what is public: arguments, environment, output, signals, exit code.

import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { checkJournal } from "../../src/main/care/checkJournal.ts";
import { listProcesses } from "../../src/main/sandbox/processTable.ts";
import { publicEvent } from "../../src/main/shells/terminal/output.ts";
import { openWorkbench, type Workbench } from "../../src/main/workbench.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";
import {
  type Ended,
  endGroup,
  type PrintedEvent,
  type ProcessOptions,
  type Running,
  startProcess,
} from "./commandProcess.ts";
import { startScriptedModel, type ScriptedEntry, type ScriptedModelServer } from "./scriptedModel.ts";
import { createTempRepository, type TempRepository } from "./tempRepository.ts";

/** One person's place of work. Disposing of it ends what was started from it and removes its folders. */
export interface Desk extends AsyncDisposable {
  /** The data folder; it is not there before the first command makes it. */
  readonly home: string;
  readonly repository: TempRepository;
  readonly server: ScriptedModelServer;
  /** Starts `coppice ARGS`. */
  start(args: readonly string[], options?: ProcessOptions): Running;
  /** The same, to its end. */
  coppice(args: readonly string[], options?: ProcessOptions): Promise<Ended>;
  /** The arguments of a run on this repository and this server with `--json`: changes land unasked on branch `landed`. Later options win. */
  runArgs(task: string, ...more: readonly string[]): readonly string[];
  /** What `log --json` prints, and what `doctor` finds wrong, read here: without the cost of a process. */
  journal(run: string): Promise<readonly PrintedEvent[]>;
  faults(): Promise<readonly string[]>;
  /** What must not be left of a run: processes, worktrees, locks, folders, refs other than its base and those named. */
  leavings(run: string, ...kept: readonly string[]): Promise<readonly string[]>;
}

/** Stories of one file that run side by side; more would only wait for the processor. */
const seats = 3;
/** Stopped on purpose, or beside a dozen others. */
const patientMs = 240_000;
let taken = 0;
const queue: (() => void)[] = [];

/** Opens a desk once a seat is free. `isSeated` false: at once, for whoever counts for themselves; its processes may take as long as on a machine with much else to do. */
export async function openDesk(
  entries: readonly ScriptedEntry[] = [],
  files?: Readonly<Record<string, string>>,
  isSeated = true,
): Promise<Desk> {
  if (isSeated && taken >= seats) await new Promise<void>((resolve) => queue.push(resolve));
  else if (isSeated) taken += 1;
  const parent = mkdtempSync(join(tmpdir(), "coppice-desk-"));
  const home = join(parent, "data");
  const repository = createTempRepository(files);
  const server = await startScriptedModel(entries);
  const running = new Set<Running>();

  const start: Desk["start"] = (args, options = {}) => {
    const process = startProcess(args, {
      ...(isSeated ? {} : { limitMs: patientMs }),
      ...options,
      env: { COPPICE_HOME: home, HOME: parent, ...options.env },
      cwd: options.cwd ?? repository.outside,
    });
    running.add(process);
    return process;
  };
  return {
    home,
    repository,
    server,
    start,
    coppice: (args, options) => start(args, options).ended,
    runArgs: (task, ...more) => [
      "run",
      "--repo",
      repository.folder,
      "--task",
      task,
      "--model",
      "scripted",
      "--base-url",
      server.baseUrl,
      ...unattended(more),
      ...more,
      "--json",
    ],
    journal: (run) =>
      look(home, async (workbench) =>
        (await workbench.journal(run as RunId)).map((event) => publicEvent(event) as PrintedEvent),
      ),
    faults: () =>
      Promise.resolve(checkJournal(home).flatMap(({ id, details }) => details.map((detail) => `${id}: ${detail}`))),
    leavings: (run, ...kept) => findLeavings(repository, home, run, kept),
    async [Symbol.asyncDispose]() {
      for (const { child } of running) endGroup(child);
      await Promise.all([...running].map(({ ended }) => ended.catch(() => undefined)));
      await server.close();
      repository.cleanup();
      rmSync(parent, { recursive: true, force: true });
      if (!isSeated) return;
      const next = queue.shift();
      if (next) next();
      else taken -= 1;
    },
  };
}

async function look<T>(home: string, ask: (workbench: Workbench) => Promise<T>): Promise<T> {
  const opened = await openWorkbench({ home });
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  try {
    return await ask(opened.value);
  } finally {
    await opened.value.close();
  }
}

/** What a run is started with when nobody is there to ask, but for what the test names itself. */
function unattended(named: readonly string[]): readonly string[] {
  const defaults = { "--approve": "auto", "--commands": "allow", "--land-on": "branch:landed", "--verify": "true" };
  return Object.entries(defaults).flatMap(([option, value]) => (named.includes(option) ? [] : [option, value]));
}

async function findLeavings(
  repository: TempRepository,
  home: string,
  run: string,
  kept: readonly string[],
): Promise<readonly string[]> {
  const own = new Set(["refs/heads/main", `refs/coppice/${run}/base`, ...kept]);
  const below = (folder: string) =>
    existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return [
    ...repository
      .git("worktree", "list", "--porcelain")
      .split("\n")
      .filter((line) => line.startsWith("worktree ") && line !== `worktree ${repository.folder}`),
    ...below(join(repository.folder, ".git")).filter((path) => path.endsWith(".lock") || path.startsWith("worktrees/")),
    ...below(home).filter((path) => path.includes(run)),
    ...(await listProcesses())
      .filter((row) => row.environment.includes(`COPPICE_RUN=${run}`))
      .map((row) => `process ${row.pid} ${row.argv.join(" ")}`),
    ...repository
      .git("for-each-ref", "--format=%(refname)")
      .split("\n")
      .filter((ref) => !own.has(ref)),
  ];
}
