// How the members of a run stand to each other, with one line on what each choice does.

import { topologies, type Topology } from "../../../shared/contract/topology.ts";
import { Field } from "./Field.tsx";

export interface TopologyFieldProps {
  readonly topology: Topology;
  /** Who may write to whom, one a line. */
  readonly mayMessage: string;
  readonly onChoose: (changes: { readonly topology?: Topology; readonly mayMessage?: string }) => void;
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
    "Subagents stand in groups with notes of their own, and write only to those that you, or else the lead, allow.",
  ],
};

export function TopologyField({ topology, mayMessage, onChoose }: TopologyFieldProps) {
  return (
    <>
      <Field label="Team" note={words[topology][1]}>
        {(id) => (
          <select
            id={id}
            value={topology}
            onChange={(event) => {
              const chosen = topologies.find((one) => one === event.currentTarget.value);
              if (chosen !== undefined) onChoose({ topology: chosen });
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
      {topology === "groups" && (
        <Field
          label="May write to"
          note="Which group to which other, a line each. The lead uses these names for its groups. Left empty, it says itself who may write to whom."
        >
          {(id) => (
            <textarea
              id={id}
              className="code-input"
              rows={2}
              value={mayMessage}
              placeholder={"web > api\napi > web"}
              spellCheck={false}
              onChange={(event) => onChoose({ mayMessage: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}
