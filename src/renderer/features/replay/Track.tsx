// The track of the scrubber: a slider over the ordinals of a journal, and under it a mark for each moment of note.

import { memo, useRef } from "react";
import type { PointerEvent } from "react";

import type { Moment, MomentKind } from "../../../shared/contract/pages.ts";
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
        <i className="track-line" />
        <i className="track-past" style={{ width: `${share * 100}%` }} />
        <Marks moments={moments} total={total} />
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

/** Drawn again only for new moments: a scrubber that is dragged moves its thumb alone. */
const Marks = memo(function Marks({ moments, total }: { readonly moments: readonly Moment[]; readonly total: number }) {
  return (
    <svg className="track-marks" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
      {moments.map(({ n, kind }) => {
        const tone = tones[kind];
        const x = shareOf(n, total) * 1_000;
        return tone === null ? null : <path key={n} data-tone={tone} d={`M${x} 0V10`} />;
      })}
    </svg>
  );
});
