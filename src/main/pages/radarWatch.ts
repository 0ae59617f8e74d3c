// When the radar looks at a run that somebody watches: once at first, then where work has changed, and never often.

import type { RunId } from "../../shared/contract/ids.ts";
import type { RadarPicture } from "../../shared/contract/snapshots.ts";
import { isRadarNews } from "../domain/projections/radar.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { CommitFeed } from "./commitFeed.ts";
import type { JournalCache } from "./journalCache.ts";
import { createPace } from "./pace.ts";
import { clear, type Radar } from "./radar.ts";

/** Between two looks at one run, ms. */
const lookPaceMs = 2_000;

export interface RadarParts {
  readonly feed: CommitFeed;
  readonly journals: JournalCache;
  readonly radar: Radar;
  readonly clock: Clock;
}

/** Tells what conflicts among the work of a run, whenever that changes. Returns the way to stop. */
export type RadarWatch = (run: RunId, onPicture: (picture: RadarPicture) => void) => () => void;

export function createRadarWatch({ feed, journals, radar, clock }: RadarParts): RadarWatch {
  return (run, onPicture) => {
    let seenCount = 0;
    let shown = JSON.stringify(clear);
    let isLooking = false;
    let isStopped = false;

    async function look(): Promise<void> {
      const read = await journals.read(run);
      if (!read.ok) return;
      const { events, state } = read.value;
      const isNews = events.slice(seenCount).some(isRadarNews);
      seenCount = events.length;
      if (!isNews) return;
      const picture = await radar.look(state);
      const text = JSON.stringify(picture);
      if (isStopped || text === shown) return;
      shown = text;
      onPicture(picture);
    }
    const pace = createPace(clock, lookPaceMs, () => {
      if (isLooking) return pace.ask();
      isLooking = true;
      // A look that fails is made again with the next change.
      void look()
        .catch(() => undefined)
        .finally(() => {
          isLooking = false;
        });
    });
    const unfollow = feed.onChange((change) => {
      if (change.run === null || change.run === run) pace.ask();
    });
    pace.ask();
    return () => {
      isStopped = true;
      unfollow();
      pace.stop();
    };
  };
}
