// The scrubber: a track over all events of a run with its marks, the transport beside it, and the way back to live.

import { ChevronFirst, ChevronLeft, ChevronRight, Pause, Play, SkipBack, SkipForward } from "lucide-react";
import { memo } from "react";
import type { ReactNode } from "react";

import { formatTime } from "../../ui/formats.ts";
import { Track } from "./Track.tsx";
import { speeds } from "./position.ts";
import type { Replay } from "./useReplay.ts";

const whole = new Intl.NumberFormat("en-US");

export const Scrubber = memo(function Scrubber({ replay }: { readonly replay: Replay }) {
  const { at, moment, total, isPlaying, speed, seek, step, toMark, togglePlay, setSpeed } = replay;
  const isLive = at === null;
  const words = `event ${whole.format(at ?? total)} of ${whole.format(total)}`;
  return (
    <section className="scrubber" aria-label="Replay">
      <div className="transport">
        <Transport label="To the beginning" keys="Home" onPress={() => seek(1)}>
          <ChevronFirst size={14} aria-hidden="true" />
        </Transport>
        <Transport label="To the mark before" keys="Shift+ArrowLeft" onPress={() => toMark(-1)}>
          <SkipBack size={13} aria-hidden="true" />
        </Transport>
        <Transport label="One event back" keys="ArrowLeft" onPress={() => step(-1)}>
          <ChevronLeft size={14} aria-hidden="true" />
        </Transport>
        <button
          type="button"
          className="btn play"
          aria-label={isPlaying ? "Pause the replay" : "Play"}
          aria-keyshortcuts="Space"
          title={isPlaying ? "Pause (Space)" : "Play (Space)"}
          onClick={togglePlay}
        >
          {isPlaying ? <Pause size={13} aria-hidden="true" /> : <Play size={13} aria-hidden="true" />}
        </button>
        <Transport label="One event on" keys="ArrowRight" onPress={() => step(1)}>
          <ChevronRight size={14} aria-hidden="true" />
        </Transport>
        <Transport label="To the next mark" keys="Shift+ArrowRight" onPress={() => toMark(1)}>
          <SkipForward size={13} aria-hidden="true" />
        </Transport>
      </div>
      <Track replay={replay} words={moment === null ? `Live, ${words}` : `${formatTime(moment)}, ${words}`} />
      <span className="scrubber-words fig">{words}</span>
      <select
        className="speed"
        aria-label="Speed"
        value={speed}
        onChange={(event) => setSpeed(Number(event.currentTarget.value))}
      >
        {speeds.map((each) => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
      <button
        type="button"
        className="live"
        aria-pressed={isLive}
        aria-keyshortcuts="End"
        title="Live (End)"
        onClick={() => seek(null)}
      >
        Live
      </button>
    </section>
  );
});

interface TransportProps {
  readonly label: string;
  readonly keys: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Transport({ label, keys, onPress, children }: TransportProps) {
  const shown = keys.replace("ArrowLeft", "←").replace("ArrowRight", "→");
  return (
    <button
      type="button"
      className="btn bare"
      aria-label={label}
      aria-keyshortcuts={keys}
      title={`${label} (${shown})`}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
