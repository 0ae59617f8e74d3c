// The header's first row while a past moment is shown: what it is, and the way back. The one inverse surface of the window.

import { formatTime } from "../../ui/formats.ts";
import { Key } from "../../ui/Key.tsx";
import type { Replay } from "./useReplay.ts";

const whole = new Intl.NumberFormat("en-US");

export function ReplayBanner({ replay, title }: { readonly replay: Replay; readonly title: string }) {
  const { at, moment, total, seek } = replay;
  return (
    <div className="replaying">
      <h1 id="run-title" className="one">
        {title}
      </h1>
      <span className="replaying-words">
        viewing <b className="fig">{moment === null ? "…" : formatTime(moment)}</b>, event{" "}
        <b className="fig">{whole.format(at ?? total)}</b> of {whole.format(total)}
      </span>
      <button type="button" className="btn push" aria-keyshortcuts="End" onClick={() => seek(null)}>
        Live <Key name="End" />
      </button>
    </div>
  );
}
