// The head of the timeline: what its signs mean, the critical path, and how close one looks.

import { Minus, Plus, Route } from "lucide-react";

import { TimelineKey } from "./TimelineKey.tsx";

export interface TimelineHeadProps {
  readonly isPathLit: boolean;
  /** Of the element that tells the path, while it is lit. */
  readonly pathId: string;
  readonly onPath: (isLit: boolean) => void;
  readonly onZoom: (factor: number) => void;
}

export function TimelineHead({ isPathLit, pathId, onPath, onZoom }: TimelineHeadProps) {
  return (
    <header className="time-top">
      <h2>Timeline</h2>
      <TimelineKey />
      <span className="push time-tools">
        <button
          type="button"
          className="btn bare time-path"
          aria-pressed={isPathLit}
          aria-describedby={isPathLit ? pathId : undefined}
          title="Lights whoever was waited for last, from the end back to the beginning"
          onClick={() => onPath(!isPathLit)}
        >
          <Route size={13} aria-hidden="true" /> Critical path
        </button>
        <ZoomButton label="Zoom out" sign="−" onPress={() => onZoom(1 / 1.5)} />
        <ZoomButton label="Zoom in" sign="+" onPress={() => onZoom(1.5)} />
      </span>
    </header>
  );
}

interface ZoomButtonProps {
  readonly label: string;
  readonly sign: "+" | "−";
  readonly onPress: () => void;
}

function ZoomButton({ label, sign, onPress }: ZoomButtonProps) {
  const Sign = sign === "+" ? Plus : Minus;
  return (
    <button
      type="button"
      className="btn bare"
      aria-label={`${label} the timeline`}
      title={`${label} (${sign})`}
      onClick={onPress}
    >
      <Sign size={14} aria-hidden="true" />
    </button>
  );
}
