// How the members of a run stand to each other, with one line on what each choice does.

import { topologies, type Topology } from "../../../shared/contract/topology.ts";
import { Field } from "./Field.tsx";

export interface TopologyFieldProps {
  readonly topology: Topology;
  readonly onChoose: (topology: Topology) => void;
}

const words: Readonly<Record<Topology, readonly [label: string, meaning: string]>> = {
  supervisor: ["A supervisor", "The lead reads, sends and decides; subagents see their packet and nobody else."],
  coordinator: [
    "A coordinator",
    "The lead has no working tools: it sends, understands what comes back, and hands no subagent’s words on.",
  ],
  dispatch: [
    "A dispatcher",
    "The steps of its plan are items; each goes to one subagent, and what blocks an item must be done first.",
  ],
  groups: [
    "Groups",
    "Subagents stand in groups with notes of their own, and write only to those that their packet names.",
  ],
};

export function TopologyField({ topology, onChoose }: TopologyFieldProps) {
  return (
    <Field label="Team" note={words[topology][1]}>
      {(id) => (
        <select
          id={id}
          value={topology}
          onChange={(event) => {
            const chosen = topologies.find((one) => one === event.currentTarget.value);
            if (chosen !== undefined) onChoose(chosen);
          }}
        >
          {topologies.map((one) => (
            <option key={one} value={one}>
              {words[one][0]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
