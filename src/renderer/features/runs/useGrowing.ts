// How much of a long list is in the page: its beginning, and more of it as one scrolls. A list of a thousand is not laid
// out to show twenty.

import { useCallback, useState } from "react";
import type { UIEvent } from "react";

/** Rows that are added at a time; more than any window shows at once. */
const step = 100;
/** Px from the end at which more are added. */
const nearPx = 1_000;

export interface Growing {
  /** How many rows are in the page, from the first on. */
  readonly shownCount: number;
  readonly onScroll: (event: UIEvent<HTMLElement>) => void;
}

/** `reached`: index of a row that is in the page in any case; `-1` for none. */
export function useGrowing(count: number, reached: number): Growing {
  const [steps, setSteps] = useState(1);
  const shownCount = Math.min(count, Math.max(steps * step, reached + 1));
  const isWhole = shownCount === count;
  const onScroll = useCallback(
    ({ currentTarget: { scrollHeight, scrollTop, clientHeight } }: UIEvent<HTMLElement>) => {
      if (!isWhole && scrollHeight - scrollTop - clientHeight < nearPx) setSteps(Math.ceil(shownCount / step) + 1);
    },
    [isWhole, shownCount],
  );
  return { shownCount, onScroll };
}
