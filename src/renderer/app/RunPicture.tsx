// The agents of a run, as a graph or as a list: the same facts, the same selection.

import { List, Network } from "lucide-react";
import { useRef, useState } from "react";

import type { AgentId } from "../../shared/contract/ids.ts";
import type { RunSnapshot } from "../../shared/contract/snapshots.ts";
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
  function keepFocus(group: HTMLSpanElement | null): void {
    if (group === null || !isPressed.current) return;
    isPressed.current = false;
    group.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
  }
  function show(next: boolean): void {
    isPressed.current = next !== isList;
    setIsList(next);
  }
  const past = moment === null ? {} : { moment };
  const tools = (
    <span className="switch" ref={keepFocus} role="group" aria-label="Show agents as">
      <button type="button" aria-pressed={!isList} onClick={() => show(false)}>
        <Network size={13} aria-hidden="true" /> Graph
      </button>
      <button type="button" aria-pressed={isList} onClick={() => show(true)}>
        <List size={13} aria-hidden="true" /> List
      </button>
    </span>
  );
  return (
    <div className="picture">
      {isList ? (
        <>
          <div className="picture-bar">
            <h2>Agents</h2>
            {tools}
          </div>
          <div className="picture-list">
            <RunTree snapshot={snapshot} selected={selected} onSelect={onSelect} {...past} />
          </div>
        </>
      ) : (
        <RunGraph snapshot={snapshot} selected={selected} onSelect={onSelect} tools={tools} {...past} />
      )}
    </div>
  );
}
