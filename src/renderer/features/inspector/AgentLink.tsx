// An agent's name that leads to it.

import type { AgentId } from "../../../shared/contract/ids.ts";

export interface AgentLinkProps {
  readonly agent: AgentId;
  readonly onSelect: (agent: AgentId) => void;
}

export function AgentLink({ agent, onSelect }: AgentLinkProps) {
  return (
    <button type="button" className="link" onClick={() => onSelect(agent)}>
      {agent === "lead" ? "the lead" : agent}
    </button>
  );
}
