// What the conflict radar has found, in words: who would conflict with whom, where, and in which order it would best land.

import { Radar } from "lucide-react";

import type { AgentId, SubagentId } from "../../../shared/contract/ids.ts";
import type { RadarConflict, RadarPicture } from "../../../shared/contract/snapshots.ts";
import { ordinalOf } from "../subagents.ts";

export interface RadarNoteProps {
  readonly radar: RadarPicture | undefined;
  readonly onSelect: (agent: AgentId) => void;
}

/** Conflicts that are told one by one. */
const maxTold = 4;

export function RadarNote({ radar, onSelect }: RadarNoteProps) {
  const { conflicts, order } = radar ?? { conflicts: [], order: [] };
  return (
    <div role="status">
      {conflicts.length > 0 && (
        <div className="graph-radar">
          <h3>
            <Radar size={12} aria-hidden="true" /> Work in progress would conflict
          </h3>
          <ul>
            {conflicts.slice(0, maxTold).map((conflict) => (
              <ConflictLine key={`${conflict.agent} ${conflict.other ?? ""}`} conflict={conflict} onSelect={onSelect} />
            ))}
          </ul>
          {conflicts.length > maxTold && <p>and {conflicts.length - maxTold} more</p>}
          {order.length > 0 && (
            <p>Best landed in the order {order.map(ordinalOf).join(", ")}; what comes later is sent back to fit.</p>
          )}
        </div>
      )}
    </div>
  );
}

interface ConflictLineProps {
  readonly conflict: RadarConflict;
  readonly onSelect: (agent: AgentId) => void;
}

function ConflictLine({ conflict, onSelect }: ConflictLineProps) {
  const { agent, other, paths, fileCount } = conflict;
  const name = (id: SubagentId) => (
    <button type="button" className="link" onClick={() => onSelect(id)}>
      subagent-{ordinalOf(id)}
    </button>
  );
  return (
    <li>
      {name(agent)} and {other === null ? "the target" : name(other)}, in <code>{paths.slice(0, 2).join(", ")}</code>
      {fileCount > 2 && ` and ${fileCount - 2} more`}
    </li>
  );
}
