// What is in a lane, as a list for whoever cannot see the picture: the last of it, newest last.

import { memo } from "react";

import { countOf } from "../../ui/formats.ts";
import type { Lane } from "./lanes.ts";
import { laneItems } from "./laneItems.ts";
import { describeItem } from "./words.ts";

/** Items in the list; what came before is counted. */
const shownCount = 60;

export const LaneItems = memo(
  function LaneItems({ lane, now }: { readonly lane: Lane | null; readonly now: number }) {
    if (lane === null) return null;
    const items = laneItems(lane);
    const shown = items.slice(-shownCount);
    return (
      <section className="heard" aria-label={`What happened in the lane of ${lane.agent}`}>
        {items.length > shown.length && <p>{countOf(items.length - shown.length, "earlier item")} not listed.</p>}
        <ol>
          {shown.map((item) => (
            <li key={item.n}>
              {describeItem(item, now)
                .filter((part) => part !== "")
                .join(", ")}
            </li>
          ))}
        </ol>
      </section>
    );
  },
  // The clock alone says nothing new of it.
  (before, after) => before.lane === after.lane,
);
