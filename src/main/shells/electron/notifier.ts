// Watches the list of runs for the person: the badge, and notifications while no window has the focus. What is told is
// decided in attention.ts; this subscribes, asks once for what a run asks, and puts it on the desktop.

import type { Settings, SettingsSnapshot } from "../../../shared/contract/settings.ts";
import type { RunListItem, RunListSnapshot, RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { ShellSource } from "../../pages/topicSource.ts";
import {
  approvalNotice,
  type Asking,
  gather,
  isQuiet,
  newsOf,
  type Notice,
  stoppedNotice,
  waitingCount,
} from "./attention.ts";

/** The desktop, as far as it is needed. */
export interface Desktop {
  showBadge(count: number): void;
  /** Shows a notice; `onClick` when the person follows it. The function it returns takes it away. */
  showNotice(notice: Notice, onClick: () => void): () => void;
  /** Whether the person is looking at one of our windows. */
  isWatched(): boolean;
  /** Minutes since midnight on the person's clock. */
  minutes(): number;
  /** Shows a place, given as the page's address, in front of everything. */
  open(search: string): void;
}

export interface Notifier {
  /** The person is here: what was told is seen. */
  clear(): void;
  close(): void;
}

/** Starts watching. What waits already when it starts is no news. */
export async function startNotifier(source: ShellSource, desktop: Desktop): Promise<Notifier> {
  let list: RunListSnapshot | null = null;
  let settings: Settings["notifications"] | null = null;
  const shown = new Map<string, () => void>();

  function tell(notices: readonly Notice[]): void {
    const fresh = notices.filter(({ key }) => !shown.has(key));
    if (settings === null || desktop.isWatched() || isQuiet(settings, desktop.minutes())) return;
    for (const notice of gather(fresh)) {
      const close = desktop.showNotice(notice, () => desktop.open(notice.search));
      for (const key of notice.key.split(" ")) shown.set(key, close);
    }
  }

  async function look(after: RunListSnapshot): Promise<void> {
    const before = list ?? after;
    list = after;
    desktop.showBadge(waitingCount(after));
    takeBack(after);
    const { asking, stopped } = newsOf(before, after);
    if (settings?.finished === true) tell(stopped.map(stoppedNotice));
    if (settings?.needsYou === true) tell((await Promise.all(asking.map((run) => readNotices(source, run)))).flat());
  }

  /** What nobody asks any more is no notice any more. */
  function takeBack({ runs }: RunListSnapshot): void {
    const silent = runs.filter(({ needsYouCount }) => needsYouCount === 0);
    for (const [key, close] of shown) {
      if (!silent.some(({ run }: RunListItem) => key.startsWith(`${run}-a`))) continue;
      close();
      shown.delete(key);
    }
  }

  // The contract says of each topic what its snapshots are.
  const subscriptions = await Promise.all([
    source.subscribe("settings", (snapshot) => (settings = (snapshot as SettingsSnapshot).settings.notifications)),
    source.subscribe("runs", (snapshot) => void look(snapshot as RunListSnapshot)),
  ]);
  const [settingsAnswer, listAnswer] = subscriptions;
  if (settingsAnswer?.ok) settings = (settingsAnswer.value.first as SettingsSnapshot).settings.notifications;
  if (listAnswer?.ok) await look(listAnswer.value.first as RunListSnapshot);

  return {
    clear() {
      for (const close of shown.values()) close();
      shown.clear();
    },
    close() {
      for (const answer of subscriptions) if (answer.ok) answer.value.unsubscribe();
    },
  };
}

/** The newest things that a run asks, as many as came since the last look. A run that is gone asks nothing. */
async function readNotices(source: ShellSource, { run, newCount }: Asking): Promise<readonly Notice[]> {
  const answer = await source.subscribe(`run/${run}`, () => {});
  if (!answer.ok) return [];
  answer.value.unsubscribe();
  const snapshot = answer.value.first as RunSnapshot;
  const oldestFirst = snapshot.approvals.toSorted((a, b) => a.since - b.since);
  return oldestFirst.slice(-newCount).map((approval) => approvalNotice(snapshot, approval));
}
