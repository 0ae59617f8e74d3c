// The whole application without a shell: opens the store, puts the adapters behind the ports, and offers what the
// command line, the window and the browser ask for. Knows no screen.

import { join } from "node:path";
import type { AgentId, ApprovalId, LandingId, Oid, RunId } from "../shared/contract/ids.ts";
import { WorkbenchError } from "../shared/contract/errors.ts";
import { defaultLimits, type Limits, type RunOptions } from "../shared/contract/options.ts";
import type { ForkPoint } from "../shared/contract/pages.ts";
import type { RunSnapshot } from "../shared/contract/snapshots.ts";
import { fail, type Failure, type Result, succeed } from "../shared/lib/result.ts";
import { type Assignment, prepareRun } from "./runs/assignment.ts";
import { rebindRun, repositoryProblem } from "./runs/boundRepository.ts";
import type { Clock } from "./engine/ports/clock.ts";
import { runCare } from "./care/careThread.ts";
import { ProgressBoard } from "./care/progressBoard.ts";
import { decideAgain } from "./care/decideAgain.ts";
import { History } from "./care/history.ts";
import { findStrays, withDetails } from "./care/strays.ts";
import { startUpkeep } from "./care/upkeep.ts";
import { repairStore } from "./care/repair.ts";
import { type RunSource, withCare } from "./care/careSource.ts";
import { contextTokensOf, findProvider, priceOf, variablesWithKeys } from "./runs/providers.ts";
import type { CommandEnvironment, LoginEnvironment } from "./engine/ports/command.ts";
import type { KeyStore } from "./engine/ports/keys.ts";
import type { ModelPolicy, ModelPort } from "./engine/ports/model.ts";
import type { ApprovalRow, RunRow } from "./engine/ports/store.ts";
import { Care } from "./runs/care.ts";
import { type BeginOptions, LiveRun, type Ports } from "./runs/liveRun.ts";
import type { RunEvent } from "./domain/events.ts";
import { fold } from "./domain/evolve.ts";
import type { Overrides } from "./domain/overrides.ts";
import { snapshotOf } from "./domain/projections/snapshot.ts";
import type { Redecided } from "./domain/redecide/redecide.ts";
import { findAgent, type RunState } from "./domain/state.ts";
import { createGit } from "./git/createGit.ts";
import { describeEndpoint, findLocalServers } from "./models/catalog.ts";
import { estimateTokens } from "./models/estimate.ts";
import { shareModels } from "./models/limit.ts";
import { createOpenAiModel } from "./models/openai.ts";
import { nextRetry } from "./models/retry.ts";
import { createCommands as createSandbox } from "./sandbox/command.ts";
import { commandEnvironment } from "./settings/commandEnvironment.ts";
import { type CommandRules, openCommandRules } from "./settings/commandRules.ts";
import { openTrustedCommands, type TrustedCommands } from "./settings/trustedCommands.ts";
import { noKeychain } from "./settings/noKeychain.ts";
import { openSettings, type SettingsStore } from "./settings/settings.ts";
import type { CheckResult } from "./store/check.ts";
import { openStore } from "./store/openStore.ts";
import { readOnlyFailure } from "./store/safeCalls.ts";
import { askHolder, type RequestAnswer, type ForeignCommand } from "./engine/requests.ts";
import { createCommands } from "./runs/commandSource.ts";
import { redactingStore } from "./runs/redactingStore.ts";
import { createCommitFeed } from "./pages/commitFeed.ts";
import { JournalCache } from "./pages/journalCache.ts";
import { LiveTexts } from "./pages/liveTexts.ts";
import { createContents } from "./pages/contents.ts";
import { forkPointOf } from "./pages/forkPoint.ts";
import { createPages } from "./pages/pages.ts";
import { connectRun } from "./runs/connectRun.ts";
import type { Connect, Environment } from "./runs/runDefaults.ts";
import { systemClock } from "./systemClock.ts";
import { openSampleModel, prepareSample, type Sample } from "./runs/sample.ts";
import { type OverrideOrder, overridesOf } from "./runs/overrideRun.ts";
import { Occupancy } from "./runs/occupancy.ts";
import { type BroughtCommands as Brought, broughtBy, sayConfinement } from "./runs/terms.ts";
import { type ModelSource, RunManager } from "./runs/runManager.ts";
import { Radar } from "./pages/radar.ts";
import { createRadarWatch, type RadarWatch } from "./pages/radarWatch.ts";
import { createTopics } from "./pages/topics.ts";
import type { ShellSource } from "./pages/topicSource.ts";

export interface WorkbenchOptions {
  /** The data folder, `COPPICE_HOME`. */
  readonly home: string;
  readonly clock?: Clock;
  /** Where the model's address and key come from, for runs that a window starts or goes on with; the process's own by default. */
  readonly env?: Environment;
  /** Where keys of model servers are kept; nowhere by default. */
  readonly keys?: KeyStore;
  /** What the person's login shell has, for an app that no shell has started; settles by itself, soon. */
  readonly login?: Promise<LoginEnvironment>;
  /** Replaces rules around model requests, such as how large a model's window is. */
  readonly policy?: Partial<ModelPolicy>;
  /** How a model server is reached; over OpenAI's protocol, behind the queue of this process, by default. */
  readonly connect?: Connect;
}

/** What a workbench is told of the world around it, beside its ports. */
interface Surroundings {
  readonly env: Environment;
  readonly connect: Connect;
  readonly settings: SettingsStore;
  readonly keys: KeyStore;
  /** What commands begin with, as of now. */
  readonly environment: () => Promise<CommandEnvironment>;
  /** What is wrong with the store for as long as it is open; `null`: it can be written. */
  readonly trouble: Failure | null;
}

/** A run as of one of its moments, with the options that hold there. */
export interface ShownRun extends RunSnapshot {
  readonly options: RunOptions;
  readonly limits: Limits;
  /** `null`: no limit. */
  readonly wallMs: number | null;
}

/** Commands that a repository brings, for a person to look at. */
export interface BroughtCommands extends Brought {
  /** What keeps them from harm here, in a sentence. */
  readonly confinement: string;
}

/** A change as text, and what stood beside it and git cannot hold as files. */
export interface ShownPatch {
  readonly text: string;
  readonly leftOut: readonly string[];
}

export interface Endpoint {
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

export class Workbench {
  /** What a window or a browser is answered from. */
  readonly source: ShellSource;
  /** The runs that this process drives for its viewers. */
  readonly runs: RunManager;
  readonly care: Care;
  /** Runs as files, and backups of the store. */
  readonly history: History;
  /** How far long work of this process has come. */
  readonly progress = new ProgressBoard();
  /** What a person has set: also for a shell that notifies, or draws a menu. */
  readonly settings: SettingsStore;
  /** Tells what work of a run conflicts while it goes on, whoever drives it. */
  readonly followRadar: RadarWatch;
  /** Why the store is only read; `null`: it can be written. */
  readonly trouble: Failure | null;
  readonly #ports: Ports;
  readonly #trusted: TrustedCommands;
  #endUpkeep: () => void = () => undefined;

  constructor(
    given: Omit<Ports, "occupancy" | "priceOf"> & { readonly rules: CommandRules; readonly trusted: TrustedCommands },
    { env, connect, settings, keys, environment, trouble }: Surroundings,
  ) {
    const feed = createCommitFeed(given.store, trouble);
    this.trouble = trouble;
    const held = () => settings.current();
    const ports = {
      ...given,
      store: feed.store,
      priceOf: (baseUrl: string, model: string) => priceOf(held(), baseUrl, model),
      occupancy: new Occupancy(feed.store, given.clock),
    };
    const { store, git, clock } = ports;
    const journals = new JournalCache(store);
    const live = new LiveTexts();
    this.followRadar = createRadarWatch({ feed, journals, radar: new Radar(git), clock });
    this.#ports = ports;
    this.#trusted = given.trusted;
    this.care = new Care(ports);
    this.history = new History({ ...ports, progress: this.progress });
    this.settings = settings;
    const modelOf = (source: ModelSource) =>
      source.baseUrl === ""
        ? openSampleModel(resourcesFolder())
        : connectRun({ connect, settings: held(), env, keys }, source);
    this.runs = new RunManager(ports, live, modelOf, () => held().recovery.autoResume);
    const ground = () => ({ env, settings: held(), priceOf: ports.priceOf });
    const runs: RunSource = {
      ...createTopics({ feed, journals, live, radar: this.followRadar, clock }),
      ...createPages(journals, git),
      ...createContents(journals),
      ...createCommands({
        store,
        runs: this.runs,
        care: this.care,
        ground,
        sample: () => openSample(join(ports.home, "samples")),
      }),
    };
    this.source = withCare(runs, {
      ...ports,
      // Of its own: it reads runs that nobody looks at, which would push out those that windows follow.
      journals: new JournalCache(store),
      settings,
      keys,
      env,
      environment,
      connect,
      care: this.care,
      history: this.history,
      progress: this.progress,
      examine: () => this.examine(),
      now: clock.now,
    });
  }

  /** Begins a run on `model`. Codes: those of `prepareRun`. */
  async startRun(assignment: Assignment, model: ModelPort, options?: BeginOptions): Promise<Result<LiveRun>> {
    const prepared = await prepareRun(this.#ports, assignment);
    return prepared.ok ? LiveRun.begin(this.#ports, model, prepared.value, options) : prepared;
  }

  /** Commands that the repository would have run, and how they would be confined, in words; `null`: none. Codes: those of `broughtBy`. */
  async broughtCommands(assignment: Assignment): Promise<Result<BroughtCommands | null>> {
    const brought = await broughtBy(this.#ports, assignment);
    if (!brought.ok) return brought;
    if (brought.value === null) return succeed(null);
    return succeed({ ...brought.value, confinement: sayConfinement(await this.#ports.commands.report()) });
  }

  /** Keeps commands of a repository as trusted from now on. Rejects with `BAD_CONFIGURATION`. */
  trustCommands({ repository, commands }: BroughtCommands): Promise<void> {
    return this.#trusted.trust(repository, commands, this.#ports.clock.now());
  }

  /** Takes over a run that nobody drives, where its repository is. Codes `DRIVEN_ELSEWHERE`, `REPOSITORY_MOVED`. */
  async takeRun(run: RunId, model: ModelPort): Promise<Result<LiveRun>> {
    const taken = await LiveRun.take(this.#ports, model, run);
    const problem = taken.ok ? repositoryProblem(taken.value.state()) : null;
    if (!taken.ok || problem === null) return taken;
    await taken.value.release();
    return fail(problem);
  }

  /** Binds a run to where its repository lies now. Codes: those of `rebindRun`. */
  rebindRun(run: RunId, folder: string): Promise<Result<null>> {
    return rebindRun(this.#ports, run, folder);
  }

  /** What is asked to hold of a run from here on, made whole. Codes: those of `overridesOf`. */
  overridesOf(state: RunState, order: OverrideOrder): Promise<Result<Overrides>> {
    return overridesOf(this.#ports.git, state, order, this.#ports.priceOf);
  }

  findRun(text: string): Promise<Result<RunRow>> {
    return this.#ports.store.findRun(text);
  }

  /** Newest first. A run that is not finished and that nobody drives shows as `interrupted`. */
  async listRuns(): Promise<readonly RunRow[]> {
    const rows = await this.#ports.store.listRuns();
    return Promise.all(rows.map(async (row) => ({ ...row, status: await this.#statusNow(row) })));
  }

  listApprovals(run?: RunId): Promise<readonly ApprovalRow[]> {
    return this.#ports.store.listApprovals(run);
  }

  journal(run: RunId, after?: number): Promise<readonly RunEvent[]> {
    return this.#ports.store.readJournal(run, after);
  }

  /** What the rules of this build make of a journal's recorded inputs. */
  decideAgain(journal: readonly RunEvent[]): Redecided {
    return decideAgain(journal);
  }

  /** The run as of its last committed event. Throws `RUN_NOT_FOUND`. */
  async state(run: RunId): Promise<RunState> {
    const state = fold(await this.journal(run));
    if (!state) throw new WorkbenchError("RUN_NOT_FOUND", `The journal of ${run} is empty.`);
    return state;
  }

  /** The picture as of ordinal `at` (the newest without), with nothing of later ordinals in it. Codes `RUN_NOT_FOUND`, `BAD_USAGE`. */
  async snapshot(row: RunRow, at?: number): Promise<Result<ShownRun>> {
    const journal = await this.journal(row.run);
    const last = journal.at(-1)?.n ?? 0;
    if (at !== undefined && (at < 1 || at > last))
      return fail({ code: "BAD_USAGE", message: `--at ${at}: the journal of ${row.run} is numbered 1 to ${last}.` });
    const state = fold(at === undefined ? journal : journal.slice(0, at));
    if (!state) return fail({ code: "RUN_NOT_FOUND", message: `The journal of ${row.run} is empty.` });
    const { options, limits, wallMs } = state;
    const shown = { ...snapshotOf(state), options, limits, wallMs };
    return succeed(
      at === undefined ? { ...shown, status: (await this.#statusNow(row)) as RunSnapshot["status"] } : shown,
    );
  }

  /** What a fork at ordinal `at` begins with. Codes `RUN_NOT_FOUND`, `BAD_USAGE`. */
  async forkPoint(run: RunId, at: number): Promise<Result<ForkPoint>> {
    const journal = await this.journal(run);
    const state = at >= 1 && at <= journal.length ? fold(journal.slice(0, at)) : null;
    return state
      ? succeed(await forkPointOf(this.#ports.git, state))
      : fail({ code: "BAD_USAGE", message: `--at ${at}: the journal of ${run} is numbered 1 to ${journal.length}.` });
  }

  /** A change set of the run as a patch: the named agent's newest, or what the run has landed so far. */
  async patch(row: RunRow, agent?: AgentId): Promise<Result<ShownPatch>> {
    const state = await this.state(row.run);
    if (agent === undefined)
      return succeed({ text: await this.#patchBetween(state, state.base.commit, state.line), leftOut: [] });
    if (!findAgent(state, agent))
      return fail({ code: "UNKNOWN_SUBAGENT", message: `${row.run} has no ${agent}; see coppice show ${row.run}.` });
    const set = state.changeSets.findLast((one) => one.agent === agent);
    if (!set) return fail({ code: "UNKNOWN_SUBAGENT", message: `${agent} has proposed no change set.` });
    return succeed({ text: await this.#patchBetween(state, set.base, set.commit), leftOut: set.leftOut });
  }

  #patchBetween({ repo }: RunState, base: Oid, commit: Oid): Promise<string> {
    return this.#ports.git.patchBetween(repo, base, commit, maxPatchBytes);
  }

  /** Which run an approval belongs to. Code `APPROVAL_NOT_FOUND`. */
  async runOfApproval(id: string): Promise<Result<RunRow>> {
    const at = id.lastIndexOf("-a");
    const found = at === -1 ? null : await this.findRun(id.slice(0, at));
    return found?.ok
      ? found
      : fail({
          code: "APPROVAL_NOT_FOUND",
          message: `There is no approval ${id}; coppice approvals lists the open ones.`,
        });
  }

  /** Where an agent works; for `null` and the lead, the repository's own checkout. Codes `RUN_NOT_FOUND`, `UNKNOWN_SUBAGENT`, `PLACE_NOT_FOUND`. */
  async placeOf(run: RunId, agent: AgentId | null): Promise<Result<string>> {
    const found = await this.findRun(run);
    if (!found.ok) return found;
    const state = await this.state(found.value.run);
    if (agent === null || agent === "lead") return succeed(state.repo.topLevel);
    const node = state.nodes.find(({ id }) => id === agent);
    if (!node) return fail({ code: "UNKNOWN_SUBAGENT", message: `${run} has no ${agent}.` });
    return node.place === "created" && node.worktree !== null
      ? succeed(node.worktree)
      : fail({ code: "PLACE_NOT_FOUND", message: `${agent} has no worktree now: what it did is in its change sets.` });
  }

  /** Leaves a request for the process that drives the run; `null` when it was not taken within 10 s. */
  askHolder(run: RunId, command: ForeignCommand): Promise<RequestAnswer | null> {
    const { clock, store } = this.#ports;
    return askHolder(store, run, command, (ms) => new Promise((resolve) => void clock.after(ms, () => resolve())));
  }

  isDriven(run: RunId): Promise<boolean> {
    return this.#ports.store.holderOf(run).then((holder) => holder !== null);
  }

  /** Calls back when another process has committed something. */
  onForeignCommit(listener: () => void): () => void {
    return this.#ports.store.onForeignCommit(listener);
  }

  /** Puts all that a stopped run has landed on its branch to one review. Codes: those of `RunManager.proposeLine`. */
  async proposeLine(run: RunId): Promise<Result<{ readonly id: ApprovalId; readonly summary: string }>> {
    const proposed = await this.runs.proposeLine(run);
    if (!proposed.ok) return proposed;
    const approval = (await this.state(run)).approvals.at(-1);
    return approval
      ? succeed({ id: approval.id, summary: approval.summary })
      : fail({ code: "NOTHING_TO_LAND", message: `${run} proposed nothing.` });
  }

  /** Takes a landing back. Codes `LANDING_NOT_FOUND`, and those of `RunManager.undo`. */
  async undo(landing: LandingId): Promise<Result<{ readonly target: string; readonly commit: string }>> {
    const found = await this.findRun(landing.slice(0, Math.max(0, landing.lastIndexOf("-l"))));
    if (!found.ok)
      return fail({
        code: "LANDING_NOT_FOUND",
        message: `There is no landing ${landing}; coppice show RUN names those of a run.`,
      });
    const { run } = found.value;
    const undone = await this.runs.undo(run, landing);
    if (!undone.ok) return undone;
    const revert = (await this.state(run)).landings.findLast((one) => one.undoes === landing);
    return succeed({ target: revert?.target ?? "", commit: revert?.new ?? "" });
  }

  /** The invariants, one line each, in order, and what this machine can confine. Throws what keeps it from looking, `CARE_FAILED` among it. */
  async examine(): Promise<readonly CheckResult[]> {
    const { home, commands } = this.#ports;
    const checks = await this.progress.during("doctor", (tell) => runCare("check", { folder: home }, { tell }));
    if (!checks.ok) throw new WorkbenchError(checks.error.code, checks.error.message);
    const strays = await findStrays(await this.#ports.store.listRuns());
    const sandbox = await commands.report();
    return [
      ...checks.value.map((check) => (check.id === "I19" ? withDetails(check, strays) : check)),
      {
        id: "SANDBOX",
        title: `Commands are confined (${sandbox.kind})`,
        ok: sandbox.isWhole,
        details: sandbox.missing,
      },
    ];
  }

  /** Mends what can be mended without losing anything. Answers with what was done, a sentence each. */
  repair(): Promise<readonly string[]> {
    return repairStore(this.#ports);
  }

  /** Looks after the data folder from now on, until it is closed: for entries that stay. */
  keepUp(): void {
    if (this.trouble !== null) return;
    const { store, clock } = this.#ports;
    const isBusy = () => this.runs.drivenHere().length > 0;
    this.#endUpkeep = startUpkeep({ store, history: this.history, clock, isBusy });
  }

  /** Leaves the runs that are driven here as they are, recoverable, backs up when that is due, then closes the journal. */
  async close(): Promise<void> {
    this.#endUpkeep();
    await this.runs.close();
    if (this.trouble === null) await this.history.backUpWhenDue();
    this.settings.close();
    await this.#ports.store.close();
  }

  async #statusNow(row: RunRow): Promise<string> {
    if (row.status !== "running" && row.status !== "created" && row.status !== "waiting") return row.status;
    if (await this.isDriven(row.run)) return row.status;
    if (row.status !== "waiting") return "interrupted";
    return (await this.listApprovals(row.run)).length === 0 ? "ready" : "waiting";
  }
}

const maxPatchBytes = 4 * 1024 * 1024;

/** Opens the data folder. Codes `STORE_UNAVAILABLE`, `STORE_TOO_NEW`, `BAD_CONFIGURATION`. */
export async function openWorkbench({
  home,
  clock = systemClock,
  env = process.env,
  keys = noKeychain,
  policy = {},
  login,
  connect = connectModel,
}: WorkbenchOptions): Promise<Result<Workbench>> {
  const opened = await openStore({ folder: home });
  // A damaged journal is opened once more, only to be read.
  const isSafe = !opened.ok && opened.error.code === "STORE_CORRUPT";
  const store = isSafe ? await openStore({ folder: home, isReadOnly: true }) : opened;
  if (!store.ok) return opened.ok ? store : opened;
  const kept = await Promise.all([openCommandRules(home), openTrustedCommands(home)]).catch(refusalOf);
  if (kept instanceof WorkbenchError) {
    await store.value.close();
    return fail({ code: kept.code, message: kept.message });
  }
  const [rules, trusted] = kept;
  const settings = openSettings(home);
  const environment = async () =>
    commandEnvironment(process.env, (await login) ?? null, settings.current().environment.path);
  const contextTokens = (model: string, baseUrl: string) => contextTokensOf(settings.current(), model, baseUrl);
  const ports = {
    home,
    store: redactingStore(store.value, env, () => variablesWithKeys(settings.current())),
    git: createGit({ dataFolder: home }),
    commands: createSandbox({ environment: async () => (await environment()).variables }),
    rules,
    trusted,
    clock,
    policy: { nextRetry, estimateTokens, contextTokens, ...policy },
  };
  const trouble = isSafe ? readOnlyFailure : null;
  return succeed(new Workbench(ports, { env, connect, settings, keys, environment, trouble }));
}

function refusalOf(error: unknown): WorkbenchError {
  if (error instanceof WorkbenchError) return error;
  throw error;
}

/** Model servers that speak the OpenAI protocol, with one queue for each over all runs of this process. */
export const connectModel: (endpoint: Endpoint) => ModelPort = shareModels(createOpenAiModel, {
  maxPerModel: defaultLimits.maxPerModel,
  maxInAll: defaultLimits.maxOverAllRuns,
  clock: systemClock,
});

/** A fresh copy of the bundled sample below `parent`, and the run to make in it. Codes: those of `prepareSample`. */
export function openSample(parent: string): Promise<Result<Sample>> {
  return prepareSample(resourcesFolder(), parent);
}

export { restoreBackup } from "./store/restore.ts";
export { describeEndpoint, findLocalServers, findProvider, priceOf };
export type { ForeignCommand };

/** Files that ship beside the bundle: the sample repository, its recorded answers. */
function resourcesFolder(): string {
  return join(import.meta.dirname, "../../resources");
}
