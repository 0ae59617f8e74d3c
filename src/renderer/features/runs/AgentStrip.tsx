// A run's subagents as a row of bars, one each in order of creation: who is at work, who waits for the person, who has ended
// and how. A picture beside words that say the same.

import { memo } from "react";

const words: Readonly<Record<string, string>> = {
  q: "queued",
  w: "at work",
  n: "waiting",
  r: "in review",
  d: "done",
  f: "failed",
  s: "stopped",
};

/** `agents`: one letter each, as the run list has them. */
export const AgentStrip = memo(function AgentStrip({ agents }: { readonly agents: string }) {
  const counts = new Map<string, number>();
  for (const letter of agents) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const label = [...counts].map(([letter, count]) => `${count} ${words[letter] ?? "unknown"}`).join(", ");
  return (
    <span className="strip" role="img" aria-label={label} title={label}>
      {[...agents].map((letter, at) => (
        // Their order never changes: the place of a subagent is its number.
        <i key={at} data-agent={letter} />
      ))}
    </span>
  );
});
