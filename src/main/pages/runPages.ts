// A run as a whole: what would start it again, and what is its alone and would go with it.

import type { AssignmentPage, HoldingsPage, PinnedItem } from "../../shared/contract/runPages.ts";
import type { RunEvent } from "../domain/events.ts";
import type { RunState } from "../domain/state.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { keepMs, restoredBranch } from "../runs/care.ts";
import { excerptOf } from "./fit.ts";
import type { Moment } from "./pageMoment.ts";

const dayMs = 24 * 60 * 60_000;
const maxPinned = 100;

/** Where it landed is told as it was asked for. The key is none of the run's. */
export function assignmentPage({ repo, task, options, limits, budget, wallMs }: RunState): AssignmentPage {
  const { policy = { kind: "llm" } } = options;
  const {
    model,
    roleModels = {},
    modelServers,
    baseUrl,
    approve,
    commands,
    network,
    landOn,
    worktrees,
    verify,
    setup = [],
  } = options;
  const { setupNetwork, workflow, leadEdits, topology, mayMessage, delegation, approvePlan } = options;
  return {
    folder: repo.topLevel,
    task,
    model,
    roleModels,
    ...(modelServers === undefined ? {} : { modelServers }),
    baseUrl,
    approve,
    commands,
    network,
    landOn,
    worktrees,
    verify,
    setup,
    ...(setupNetwork === undefined ? {} : { setupNetwork }),
    policy,
    ...(workflow === undefined ? {} : { workflow }),
    ...(leadEdits === undefined ? {} : { leadEdits }),
    ...(topology === undefined ? {} : { topology }),
    ...(mayMessage === undefined ? {} : { mayMessage }),
    ...(delegation === undefined ? {} : { delegation }),
    ...(approvePlan === undefined ? {} : { approvePlan }),
    limits,
    budget: budget.limit,
    wallMs,
  };
}

export async function holdingsPage({ state, events }: Moment, git: GitPort): Promise<HoldingsPage> {
  const pinned = await pinnedIn(state, events, git);
  return {
    eventCount: state.n,
    subagentCount: state.nodes.length,
    unlandedCount: state.changeSets.filter(({ status }) => status !== "landed" && status !== "replaced").length,
    landedCount: state.landings.filter(({ status, undoes }) => status === "landed" && undoes === null).length,
    pinned: pinned.slice(0, maxPinned),
    pinnedCount: pinned.length,
    keepDays: keepMs / dayMs,
  };
}

/** The last pin of each agent whose ref is still there. A repository that has moved or is gone has taken them with it. */
async function pinnedIn(state: RunState, events: readonly RunEvent[], git: GitPort): Promise<readonly PinnedItem[]> {
  const refs = await git.listHiddenRefs(state.repo, state.run).catch(() => []);
  const standing = new Set(refs.map(({ ref }) => ref));
  const pins = new Map<string, PinnedItem>();
  for (const { type, agent, data } of events)
    if (type === "worktree.pinned" && standing.has(data.ref))
      pins.set(data.ref, {
        agent,
        reason: excerptOf(data.reason, 200),
        commit: data.commit,
        branch: restoredBranch(state.run, agent),
      });
  return [...pins.values()];
}
