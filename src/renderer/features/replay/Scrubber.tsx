// The scrubber: a track over all events of a run with its marks, the transport beside it, and the way back to live.

import { ChevronFirst, ChevronLeft, ChevronRight, Pause, Play, SkipBack, SkipForward } from "lucide-react";
import { memo, use } from "react";
import type { ReactNode } from "react";

import { formatTime } from "../../ui/formats.ts";
import { KeyNames } from "../../ui/keyNames.ts";
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
        <Transport label="To the beginning" action="replay.first" keys="Home" onPress={() => seek(1)}>
          <ChevronFirst size={14} aria-hidden="true" />
        </Transport>
        <Transport
          label="To the mark before"
          action="replay.markBack"
          keys="Shift+ArrowLeft"
          onPress={() => toMark(-1)}
        >
          <SkipBack size={13} aria-hidden="true" />
        </Transport>
        <Transport label="One event back" action="replay.back" keys="ArrowLeft" onPress={() => step(-1)}>
          <ChevronLeft size={14} aria-hidden="true" />
        </Transport>
        <button
          type="button"
          className="btn play"
          aria-label={isPlaying ? "Pause the replay" : "Play"}
          {...useKeyed("replay.play", isPlaying ? "Pause" : "Play", "Space")}
          onClick={togglePlay}
        >
          {isPlaying ? <Pause size={13} aria-hidden="true" /> : <Play size={13} aria-hidden="true" />}
        </button>
        <Transport label="One event on" action="replay.on" keys="ArrowRight" onPress={() => step(1)}>
          <ChevronRight size={14} aria-hidden="true" />
        </Transport>
        <Transport label="To the next mark" action="replay.markOn" keys="Shift+ArrowRight" onPress={() => toMark(1)}>
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
        {...useKeyed("replay.live", "Live", "End")}
        onClick={() => seek(null)}
      >
        Live
      </button>
    </section>
  );
});

interface TransportProps {
  readonly label: string;
  /** The id of the action, and its usual keys. */
  readonly action: string;
  readonly keys: string;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Transport({ label, action, keys, onPress, children }: TransportProps) {
  return (
    <button type="button" className="btn bare" aria-label={label} {...useKeyed(action, label, keys)} onClick={onPress}>
      {children}
    </button>
  );
}

/** What a button with a key is heard and pointed at by: the action's own keys, else its usual ones. */
function useKeyed(action: string, label: string, usual: string) {
  const own = use(KeyNames)(action);
  const heard = own?.heard ?? usual;
  const shown = own?.shown ?? usual.replace("ArrowLeft", "←").replace("ArrowRight", "→");
  return {
    "aria-keyshortcuts": heard === "" ? undefined : heard,
    title: shown === "" ? label : `${label} (${shown})`,
  } as const;
}
