// The track of the scrubber: a slider over the ordinals of a journal, and under it a mark for each moment of note.

import { memo, useMemo, useRef } from "react";
import type { PointerEvent } from "react";

import type { Moment, MomentKind } from "../../../shared/contract/pages.ts";
import { paceOf } from "./pace.ts";
import { ordinalOfShare, shareOf } from "./position.ts";
import type { Replay } from "./useReplay.ts";

export function Track({ replay, words }: { readonly replay: Replay; readonly words: string }) {
  const { at, moments, total, seek } = replay;
  const track = useRef<HTMLDivElement>(null);
  const share = shareOf(at ?? total, total);

  function drag(event: PointerEvent<HTMLElement>): void {
    const bounds = track.current?.getBoundingClientRect();
    if (bounds === undefined || bounds.width === 0) return;
    seek(ordinalOfShare((event.clientX - bounds.left) / bounds.width, total));
  }
  function press(event: PointerEvent<HTMLElement>): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag(event);
  }

  return (
    // Its keys are those of the whole screen, see useReplayKeys.
    <div
      className="track"
      role="slider"
      aria-label="Moment"
      aria-valuemin={1}
      aria-valuemax={Math.max(1, total)}
      aria-valuenow={Math.max(1, at ?? total)}
      aria-valuetext={words}
      tabIndex={0}
      data-live={at === null}
      onPointerDown={press}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
      }}
    >
      <div className="track-room" ref={track}>
        <Pace moments={moments} total={total} share={share} />
        <i className="track-line" />
        <i className="track-past" style={{ width: `${share * 100}%` }} />
        <Marks
          moments={moments}
          total={total}
          comeCount={moments.filter(({ n }) => shareOf(n, total) <= share).length}
        />
        <i className="track-thumb" style={{ left: `${share * 100}%` }} />
      </div>
    </div>
  );
}

/** Whose turn a mark made it, or how it ended; nothing for what is plain. */
const tones: Readonly<Record<MomentKind, "you" | "good" | "bad" | "plain" | null>> = {
  event: null,
  message: "plain",
  spawn: "plain",
  decision: "you",
  approval: "you",
  landing: "good",
  failure: "bad",
  stop: "plain",
};

interface SignsProps {
  readonly moments: readonly Moment[];
  readonly total: number;
  /** How far the replay has come, 0 to 1. */
  readonly share: number;
}

/** Pieces into which the pace along the track is cut. */
const pieceCount = 96;

/** How fast things happened, as strokes over the track; what is still to come is faint. */
function Pace({ moments, total, share }: SignsProps) {
  const heights = useMemo(() => paceOf(moments, total, pieceCount), [moments, total]);
  const past = Math.round(share * pieceCount);
  const strokes = (from: number, to: number) =>
    heights
      .slice(from, to)
      .map((height, at) => (height === 0 ? "" : `M${from + at + 0.5} 12V${(12 - height * 12).toFixed(1)}`))
      .join("");
  return (
    <svg className="track-pace" viewBox={`0 0 ${pieceCount} 12`} preserveAspectRatio="none" aria-hidden="true">
      <path d={strokes(0, past)} />
      <path className="to-come" d={strokes(past, pieceCount)} />
    </svg>
  );
}

interface MarksProps {
  /** By ordinal. */
  readonly moments: readonly Moment[];
  readonly total: number;
  /** How many of them the replay has come to. */
  readonly comeCount: number;
}

/** Moments of note: a tick for what is plain, a diamond for what changed what could happen. Between two of them a thumb that is dragged moves alone. */
const Marks = memo(function Marks({ moments, total, comeCount }: MarksProps) {
  return (
    <span className="track-marks" aria-hidden="true">
      {moments.map(({ n, kind }, index) => {
        const tone = tones[kind];
        if (tone === null) return null;
        return (
          <i key={n} data-tone={tone} data-come={index < comeCount} style={{ left: `${shareOf(n, total) * 100}%` }} />
        );
      })}
    </span>
  );
});
