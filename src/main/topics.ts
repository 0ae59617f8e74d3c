// Snapshots by topic, for every viewer alike: the first at once, newer ones after each commit, never an older one.
// A viewer of a run that another process drives follows that process's commits.

import type { RunId } from "../shared/contract/ids.ts";
import type { RunListSnapshot, RunSnapshot } from "../shared/contract/snapshots.ts";
import type { Topic } from "../shared/contract/topics.ts";
import { deepFreeze } from "../shared/lib/deepFreeze.ts";
import { fail, type Result, succeed } from "../shared/lib/result.ts";
import { fold } from "./domain/evolve.ts";
import { runListItemOf } from "./domain/projections/runList.ts";
import { snapshotOf } from "./domain/projections/snapshot.ts";
import type { RunState } from "./domain/state.ts";
import type { StorePort } from "./engine/ports/store.ts";
import type { TopicSnapshot, TopicSource } from "./topicSource.ts";

/** One topic as it is followed: reads what is new, and keeps what the next snapshot is built from. */
interface Follower {
  next(): Promise<Result<TopicSnapshot>>;
}

/** Topics read from the store, which knows this process's commits and those of others. */
export function createTopics(store: StorePort): TopicSource {
  return {
    async subscribe(topic, onSnapshot) {
      const follower = topic === "runs" ? followList(store) : followRun(store, runOf(topic));
      const first = await follower.next();
      if (!first.ok) return first;
      let last = orderOf(first.value);
      let isEnded = false;
      const look = async () => {
        const newer = await follower.next();
        if (isEnded || !newer.ok || orderOf(newer.value) <= last) return;
        last = orderOf(newer.value);
        onSnapshot(newer.value);
      };
      // One look at a time, and one more if something came meanwhile: several commits become one snapshot.
      const end = coalesce(look, (again) => store.onForeignCommit(again));
      return succeed({
        first: first.value,
        unsubscribe: () => {
          isEnded = true;
          end();
        },
      });
    },
  };
}

function followRun(store: StorePort, run: RunId): Follower {
  let state: RunState | null = null;
  let snapshot: RunSnapshot | undefined;
  return {
    async next() {
      const found = await store.findRun(run);
      if (!found.ok) return found;
      state = fold(await store.readJournal(found.value.run, state?.n ?? 0), state);
      if (!state) return fail({ code: "RUN_NOT_FOUND", message: `The journal of ${run} is empty.` });
      const isDriven = (await store.holderOf(state.run)) !== null;
      snapshot = shownTo(snapshotOf(state, snapshot), isDriven);
      return succeed(snapshot);
    },
  };
}

/** What a journal calls running was interrupted when nobody drives it. */
function shownTo(snapshot: RunSnapshot, isDriven: boolean): RunSnapshot {
  const { run, title, stopReason, repo, createdAt, approvals } = snapshot;
  const { status } = runListItemOf({ run, title, status: snapshot.status, stopReason, repo, createdAt }, approvals.length, isDriven);
  return status === snapshot.status ? snapshot : deepFreeze({ ...snapshot, status });
}

function followList(store: StorePort): Follower {
  let version = 0;
  let before = "";
  let snapshot: RunListSnapshot | undefined;
  return {
    async next() {
      const rows = await store.listRuns();
      const approvals = await store.listApprovals();
      const runs = await Promise.all(
        rows.map(async (row) => {
          const needsYouCount = approvals.filter((approval) => approval.run === row.run).length;
          const isDriven = (await store.holderOf(row.run)) !== null;
          return runListItemOf(row, needsYouCount, isDriven);
        }),
      );
      const text = JSON.stringify(runs);
      if (snapshot && text === before) return succeed(snapshot);
      before = text;
      version++;
      snapshot = deepFreeze({ version, runs });
      return succeed(snapshot);
    },
  };
}

function coalesce(look: () => Promise<void>, listen: (again: () => void) => () => void): () => void {
  let isLooking = false;
  let isDue = false;
  const again = () => {
    isDue = true;
    if (isLooking) return;
    isLooking = true;
    void (async () => {
      while (isDue) {
        isDue = false;
        // A look that fails is made again at the next commit; the viewer keeps what it has.
        await look().catch(() => undefined);
      }
      isLooking = false;
    })();
  };
  return listen(again);
}

function runOf(topic: Exclude<Topic, "runs">): RunId {
  return topic.slice("run/".length) as RunId;
}

function orderOf(snapshot: TopicSnapshot): number {
  return "version" in snapshot ? snapshot.version : snapshot.at;
}
