// The replay of a run: live, or at one ordinal of its journal; playing or not. Holds no snapshot.

import { useCallback, useEffect, useMemo, useState } from "react";

import type { RunId } from "../../../shared/contract/ids.ts";
import type { Moment } from "../../../shared/contract/pages.ts";
import type { Failure } from "../../../shared/lib/result.ts";
import { usePage } from "../../client/Client.tsx";
import { useThrottled } from "../../ui/useThrottled.ts";
import { markFrom, momentAt, nextFrame, ordinalAt, stepFrom } from "./position.ts";

export interface Replay {
  /** Ordinal that is shown; `null` while live. */
  readonly at: number | null;
  /** When that was, epoch ms; `null` while live or not known yet. */
  readonly moment: number | null;
  readonly moments: readonly Moment[];
  /** Events in the journal. */
  readonly total: number;
  readonly failure: Failure | null;
  readonly isPlaying: boolean;
  readonly speed: number;
  /** To an ordinal; `null` to live. */
  readonly seek: (n: number | null) => void;
  /** To the last event that had come by a time, epoch ms. */
  readonly seekTime: (at: number) => void;
  readonly step: (by: 1 | -1) => void;
  readonly toMark: (by: 1 | -1) => void;
  readonly togglePlay: () => void;
  readonly setSpeed: (speed: number) => void;
}

const none: readonly Moment[] = [];
/** How seldom its length is looked at again at least, ms. */
const refreshMs = 500;

/** `liveAt`: ordinal of the newest snapshot, `null` before the first. `initial`: where the address says to begin. */
export function useReplay(run: RunId, liveAt: number | null, initial: number | null): Replay {
  const version = useThrottled(liveAt, refreshMs) ?? liveAt ?? 0;
  const { body, failure } = usePage({ kind: "moments", run }, version);
  const moments = body?.moments ?? none;
  const total = Math.max(version, body?.total ?? 0);
  const [wanted, setWanted] = useState(initial);
  const [isPlaying, setIsPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const at = wanted === null || total === 0 ? wanted : Math.min(wanted, total);

  const seek = useCallback((n: number | null) => {
    setWanted(n);
    if (n === null) setIsPlaying(false);
  }, []);

  useEffect(() => {
    if (!isPlaying || at === null) return undefined;
    const frame = nextFrame(moments, at, speed);
    const timer = setTimeout(() => {
      if (frame === null) setIsPlaying(false);
      else setWanted(frame.n);
    }, frame?.afterMs ?? 0);
    return () => clearTimeout(timer);
  }, [isPlaying, at, moments, speed]);

  const seekTime = useCallback((time: number) => seek(ordinalAt(moments, time)), [seek, moments]);

  return useMemo(
    (): Replay => ({
      at,
      moment: at === null ? null : (moments[momentAt(moments, at)]?.at ?? null),
      moments,
      total,
      failure,
      isPlaying,
      speed,
      seek,
      seekTime,
      step: (by) => {
        setIsPlaying(false);
        seek(stepFrom(moments, at ?? total, by));
      },
      toMark: (by) => {
        setIsPlaying(false);
        seek(markFrom(moments, at ?? total, by));
      },
      togglePlay: () => {
        // From the end, and from live, it begins anew.
        if (!isPlaying && (at === null || at >= total)) setWanted(1);
        setIsPlaying(!isPlaying);
      },
      setSpeed,
    }),
    [at, moments, total, failure, isPlaying, speed, seek, seekTime],
  );
}
