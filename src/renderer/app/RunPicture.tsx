// The agents of a run, as a graph or as a list: the same facts, the same selection.

import { List, Network } from "lucide-react";
import { memo, useCallback, useRef, useState } from "react";

import type { AgentId } from "../../shared/contract/ids.ts";
import type { LiveSnapshot, RadarPicture, RunSnapshot } from "../../shared/contract/snapshots.ts";
import { useTopicPart } from "../client/Client.tsx";
import { RadarNote } from "../features/graph/RadarNote.tsx";
import { RunGraph } from "../features/graph/RunGraph.tsx";
import { RunTree } from "../features/graph/RunTree.tsx";

export interface RunPictureProps {
  readonly snapshot: RunSnapshot;
  readonly selected: AgentId;
  /** Epoch ms that is shown; `null` while live. */
  readonly moment: number | null;
  readonly onSelect: (agent: AgentId) => void;
}

export function RunPicture({ snapshot, selected, moment, onSelect }: RunPictureProps) {
  const [isList, setIsList] = useState(false);
  // The switch moves along with what it switches; the focus that pressed it goes with it.
  const isPressed = useRef(false);
  const show = useCallback(
    (next: boolean) => {
      isPressed.current = next !== isList;
      setIsList(next);
    },
    [isList],
  );
  const past = moment === null ? {} : { moment };
  const radar = useTopicPart(moment === null ? (`live/${snapshot.run}` as const) : null, pickRadar);
  const keepFocus = useCallback((group: HTMLSpanElement | null) => {
    if (group === null || !isPressed.current) return;
    isPressed.current = false;
    group.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }, []);
  const tools = <Switch isList={isList} onMount={keepFocus} onShow={show} />;
  return (
    <div className="picture">
      {isList ? (
        <>
          <div className="picture-bar">
            <h2>Agents</h2>
            {tools}
          </div>
          <div className="picture-list">
            <RadarNote radar={radar} onSelect={onSelect} />
            <RunTree snapshot={snapshot} selected={selected} onSelect={onSelect} {...past} />
          </div>
        </>
      ) : (
        <RunGraph snapshot={snapshot} selected={selected} onSelect={onSelect} radar={radar} tools={tools} {...past} />
      )}
    </div>
  );
}

interface SwitchProps {
  readonly isList: boolean;
  readonly onMount: (group: HTMLSpanElement | null) => void;
  readonly onShow: (isList: boolean) => void;
}

const Switch = memo(function Switch({ isList, onMount, onShow }: SwitchProps) {
  return (
    <span className="switch" ref={onMount} role="group" aria-label="Show agents as">
      <button type="button" aria-pressed={!isList} onClick={() => onShow(false)}>
        <Network size={13} aria-hidden="true" /> Graph
      </button>
      <button type="button" aria-pressed={isList} onClick={() => onShow(true)}>
        <List size={13} aria-hidden="true" /> List
      </button>
    </span>
  );
});

function pickRadar(live: LiveSnapshot | null): RadarPicture | undefined {
  return live?.radar;
}
