// The time, for ages that grow while somebody looks. Fifty of them grow in one turn, and so in one frame.

import { useEffect, useState } from "react";

import { onBeat } from "./beat.ts";

/** The time in epoch ms, renewed at every multiple of `everyMs`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => onBeat(everyMs, setNow), [everyMs]);
  return now;
}
