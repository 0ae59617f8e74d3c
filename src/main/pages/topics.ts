// Snapshots by topic, for every viewer alike: the first at once, newer ones after each commit, never an older one.
// Commits of this process are shown in the turn in which they are acknowledged; those of others when they are noticed.

import type { RunId } from "../../shared/contract/ids.ts";
import type { RunListItem, RunListSnapshot, RunSnapshot } from "../../shared/contract/snapshots.ts";
import { isNewer, type Topic } from "../../shared/contract/topics.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { type Result, succeed } from "../../shared/lib/result.ts";
import type { CommitFeed, StoreChange } from "./commitFeed.ts";
import { fitRunList, runListItemOf, shownStatus } from "../domain/projections/runList.ts";
import { snapshotOf } from "../domain/projections/snapshot.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { RunRow, StorePort } from "../engine/ports/store.ts";
import type { FoldedJournal, JournalCache } from "./journalCache.ts";
import type { LiveTexts } from "./liveTexts.ts";
import { createPace } from "./pace.ts";
import { clear } from "./radar.ts";
import type { RadarWatch } from "./radarWatch.ts";
import type { TopicSnapshot, TopicSource } from "./topicSource.ts";

/** Between two pushes of one topic, and between two looks at the list, ms. The first after a quiet time goes at once; of what
 * then comes faster than anybody can follow, every picture would have to be sent, checked and drawn. */
const runPaceMs = 100;
const listPaceMs = 300;
/** What the lines of the list may take of a message, bytes. */
const maxListBytes = 240 * 1024;
const livePaceMs = 100;

export interface TopicParts {
  readonly feed: CommitFeed;
  readonly journals: JournalCache;
  readonly live: LiveTexts;
  readonly radar: RadarWatch;
  readonly clock: Clock;
}

/** One topic as it is followed. */
interface Follower {
  /** Brings what it knows up to date. */
  look(): Promise<Result<null>>;
  /** The picture of what it knows; never before a look has succeeded. */
  show(): TopicSnapshot;
  readonly paceMs: number;
  /** Calls back when something has changed: `look` when it must look, `show` when it knows already. Returns the unsubscribe. */
  follow(look: () => void, show: () => void): () => void;
}

export function createTopics(parts: TopicParts): TopicSource {
  return {
    async subscribe(topic, onSnapshot) {
      const follower = followerOf(topic, parts);
      let last: TopicSnapshot | null = null;
      const pace = createPace(parts.clock, follower.paceMs, () => {
        const next = follower.show();
        if (last === null || !isNewer(next, last)) return;
        last = next;
        onSnapshot(next);
      });
      // Followed before the first look, so that nothing falls between the two.
      const show = () => {
        if (last !== null) pace.ask();
      };
      const looks = coalesce(async () => {
        if ((await follower.look()).ok) show();
      });
      const unfollow = follower.follow(looks.again, show);
      const found = await follower.look();
      if (!found.ok) {
        unfollow();
        return found;
      }
      const first = follower.show();
      last = first;
      const unsubscribe = () => {
        unfollow();
        looks.stop();
        pace.stop();
      };
      return succeed({ first, unsubscribe });
    },
  };
}

function followerOf(topic: Topic, parts: TopicParts): Follower {
  if (topic === "runs") return followList(parts);
  const [kind, run] = topic.split("/") as ["run" | "live", RunId];
  return kind === "run" ? followRun(parts, run) : followLive(parts, run);
}

function followRun({ feed, journals }: TopicParts, run: RunId): Follower {
  let journal: FoldedJournal | null = null;
  let isDriven = false;
  let aside: RunSnapshot["status"] | null = null;
  let snapshot: RunSnapshot | undefined;
  return {
    paceMs: runPaceMs,
    async look() {
      const read = await journals.read(run);
      if (!read.ok) return read;
      journal = read.value;
      isDriven = (await feed.store.holderOf(run)) !== null;
      aside = await standingAside(feed.store, run);
      return succeed(null);
    },
    show() {
      if (journal === null) throw new Error(`${run} was shown before it was looked at.`);
      snapshot = shownTo(snapshotOf(journal.state, snapshot), isDriven, aside);
      return snapshot;
    },
    follow: (look, show) =>
      feed.onChange((change) => {
        if (!concerns(change, run)) return;
        const known = change.events.length > 0 ? journals.extend(run, change.events) : null;
        if (known === null) return look();
        journal = known;
        // Who commits holds the lease.
        isDriven = true;
        show();
      }),
  };
}

function concerns(change: StoreChange, run: RunId): boolean {
  return change.run === null || change.run === run;
}

/** What the store knows of a run and its journal does not: that it was imported, or is damaged and set aside. */
async function standingAside(store: StorePort, run: RunId): Promise<RunSnapshot["status"] | null> {
  const found = await store.findRun(run);
  const status = found.ok ? found.value.status : null;
  return status === "imported" || status === "quarantined" ? status : null;
}

/** What a journal calls running was interrupted when nobody drives it. */
function shownTo(snapshot: RunSnapshot, isDriven: boolean, aside: RunSnapshot["status"] | null): RunSnapshot {
  const status = aside ?? shownStatus(snapshot.status, snapshot.approvals.length, isDriven);
  return status === snapshot.status ? snapshot : deepFreeze({ ...snapshot, status });
}

function followList({ feed, clock }: TopicParts): Follower {
  const { store } = feed;
  let version = 0;
  let before = "";
  let snapshot: RunListSnapshot = deepFreeze({ version, runs: [] });
  return {
    paceMs: runPaceMs,
    async look() {
      const runs = await listRuns(store);
      const trouble = feed.trouble();
      const text = JSON.stringify([runs.map(withoutHaste), trouble]);
      if (version > 0 && text === before) return succeed(null);
      before = text;
      version += 1;
      snapshot = deepFreeze({
        version,
        ...fitRunList(runs, maxListBytes),
        ...(trouble === null ? {} : { trouble: { code: trouble.code, message: trouble.message } }),
      });
      return succeed(null);
    },
    show: () => snapshot,
    follow(look) {
      // Looking at all runs costs more than showing them, so it is the looks that are spaced.
      const pace = createPace(clock, listPaceMs, look);
      const unfollow = feed.onChange(() => pace.ask());
      return () => {
        unfollow();
        pace.stop();
      };
    },
  };
}

/** When a run that goes on had its last event is in no line of the list, and would make a new list of each of them. */
function withoutHaste(item: RunListItem): RunListItem {
  return item.status === "running" || item.status === "waiting" ? { ...item, updatedAt: 0 } : item;
}

async function listRuns(store: StorePort): Promise<readonly RunListItem[]> {
  const rows = await store.listRuns();
  const approvals = await store.listApprovals();
  return Promise.all(
    rows.map(async (row) => {
      const open = approvals.filter((approval) => approval.run === row.run);
      return runListItemOf(row, open, await isDriven(store, row));
    }),
  );
}

/** A stopped run stands the same whoever holds it, so nobody is asked. */
async function isDriven(store: StorePort, row: RunRow): Promise<boolean> {
  return row.status !== "stopped" && (await store.holderOf(row.run)) !== null;
}

function followLive({ live, journals, radar }: TopicParts, run: RunId): Follower {
  let picture = clear;
  let pictureCount = 0;
  return {
    paceMs: livePaceMs,
    async look() {
      const read = await journals.read(run);
      return read.ok ? succeed(null) : read;
    },
    show() {
      const said = live.snapshotOf(run);
      const seen = picture.conflicts.length === 0 ? {} : { radar: picture };
      return deepFreeze({ ...said, ...seen, version: said.version + pictureCount });
    },
    follow(_look, show) {
      const unfollow = live.onChange((changed) => {
        if (changed === run) show();
      });
      const unwatch = radar(run, (next) => {
        picture = next;
        pictureCount += 1;
        show();
      });
      return () => {
        unfollow();
        unwatch();
      };
    },
  };
}

/** One look at a time, and one more if something came meanwhile: several commits become one snapshot. */
function coalesce(look: () => Promise<void>): { again(): void; stop(): void } {
  let isLooking = false;
  let isDue = false;
  async function lookUntilQuiet(): Promise<void> {
    isLooking = true;
    while (isDue) {
      isDue = false;
      // A look that fails is made again at the next change; the viewer keeps what it has.
      await look().catch(() => undefined);
    }
    isLooking = false;
  }
  return {
    again() {
      isDue = true;
      if (!isLooking) void lookUntilQuiet();
    },
    stop() {
      isDue = false;
    },
  };
}
