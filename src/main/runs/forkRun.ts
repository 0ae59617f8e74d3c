// Forks a run: a new run that goes on from one of its moments. The run that it is forked from is only read; its commits
// get refs of the fork's own, so that either can be deleted without the other.

import type { Oid, RunId } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RunEvent } from "../domain/events.ts";
import type { RepositoryFacts, Target } from "../domain/records.ts";
import { fold } from "../domain/evolve.ts";
import { forkJournal, hasOwnBranch } from "../domain/fork.ts";
import type { RunState } from "../domain/state.ts";
import { commit, Streams } from "../engine/commit.ts";
import { hiddenRefs } from "../engine/ports/git.ts";
import { runBranch } from "./assignment.ts";
import { LiveRun, type Ports } from "./liveRun.ts";
import { notingRefs } from "./looseRefs.ts";
import { noModel } from "./noModel.ts";
import { proveRun } from "./proveRun.ts";

/** Where the work of a fork begins: at the line of its moment, or where the branch it lands on stands now. */
export type ForkBase = "line" | "target";

export interface ForkOrder {
  /** The id that the fork gets. Under one that exists nothing is done. */
  readonly run: RunId;
  /** Ordinal of the moment. */
  readonly at: number;
  readonly base: ForkBase;
}

interface Moment {
  readonly history: readonly RunEvent[];
  readonly state: RunState;
}

/**
 * Makes the fork, paused, and settles what it ended. All of its journal is on disk or none. Codes `RUN_NOT_FOUND`,
 * `BAD_USAGE` (no such ordinal), `JOURNAL_DAMAGED`, `RUN_READ_ONLY` (imported), those of `openRepository`, and
 * `COMMIT_MISSING` where the repository no longer has the line.
 */
export async function forkRun(ports: Ports, origin: RunId, order: ForkOrder): Promise<Result<null>> {
  const moment = await momentOf(ports, origin, order.at);
  if (!moment.ok) return moment;
  const { history, state } = moment.value;
  const opened = await ports.git.openRepository(state.repo.topLevel);
  if (!opened.ok) return opened;
  const base = order.base === "target" ? await tipOf(ports, state) : state.line;
  const target = await targetOf(ports, state, order.run);
  const events = forkJournal(history, { run: order.run, base, target, now: ports.clock.now() });
  const { store } = ports;
  const stored = await notingRefs(ports, { run: order.run, repo: state.repo }, async () => {
    const kept = await keepCommits(ports, { origin, order, base, events, repo: state.repo });
    return kept.ok ? commit({ store, boot: store.boot, streams: new Streams(), before: null, events }) : kept;
  });
  if (!stored.ok) return stored;
  // The leases began with the streams. Given back, the fork is taken like any run: proved, then what it owes is done.
  await store.release(order.run);
  return settleEnded(ports, order.run);
}

async function momentOf({ store }: Ports, origin: RunId, at: number): Promise<Result<Moment>> {
  const found = await store.findRun(origin);
  if (!found.ok) return found;
  if (found.value.status === "imported")
    return fail({ code: "RUN_READ_ONLY", message: `${origin} was imported; it can be replayed, not forked.` });
  const proved = await proveRun(store, origin);
  if (!proved.ok) return proved;
  const { count } = found.value;
  if (at < 1 || at > count)
    return fail({ code: "BAD_USAGE", message: `--at ${at}: the journal of ${origin} is numbered 1 to ${count}.` });
  const history = await store.readJournal(origin, 0, at);
  const state = fold(history);
  return state
    ? succeed({ history, state })
    : fail({ code: "RUN_NOT_FOUND", message: `The journal of ${origin} is empty.` });
}

/** Where the branch stands that the fork will land on; a branch of its own begins at the line. */
async function tipOf({ git }: Ports, state: RunState): Promise<Oid> {
  if (hasOwnBranch(state)) return state.line;
  return (await git.readRef(state.repo, state.target.ref)) ?? state.line;
}

async function targetOf({ git }: Ports, state: RunState, run: RunId): Promise<Target> {
  return hasOwnBranch(state) ? runBranch(git, state.repo, run, state.title) : state.target;
}

interface Keeping {
  readonly origin: RunId;
  readonly order: ForkOrder;
  readonly base: Oid;
  readonly events: readonly RunEvent[];
  readonly repo: RepositoryFacts;
}

/** Refs of the fork's own on its base, and on what change sets and pins of its history name and still have. */
async function keepCommits({ git }: Ports, { origin, order, base, events, repo }: Keeping): Promise<Result<null>> {
  try {
    await git.treeOf(repo, base);
  } catch {
    return fail({
      code: "COMMIT_MISSING",
      message: `${repo.topLevel} no longer has the commit ${base} that ${origin} stood at then, so it cannot be forked there.`,
    });
  }
  await git.pin(repo, hiddenRefs.base(order.run), base);
  for (const event of events) {
    if (event.type !== "changeset.proposed" && event.type !== "worktree.pinned") continue;
    const { ref, commit: kept } = event.data;
    const former = ref.replace(`refs/coppice/${order.run}/`, `refs/coppice/${origin}/`);
    if ((await git.readRef(repo, former)) === kept) await git.pin(repo, ref, kept);
  }
  return succeed(null);
}

async function settleEnded(ports: Ports, run: RunId): Promise<Result<null>> {
  const taken = await LiveRun.take(ports, noModel, run);
  if (!taken.ok) return taken;
  try {
    await taken.value.carryOutDecisions();
    return succeed(null);
  } finally {
    await taken.value.release();
  }
}
