// Why an agent failed, as an excerpt of what it did: head and tail, because the terminal error stands at the end.

import type { AgentId } from "../../../shared/contract/ids.ts";
import type { RunEvent } from "../events.ts";

const maxEntries = 24;
const maxEntryChars = 800;
const maxChars = 8_000;

/** At most 24 entries of 800 characters, 8,000 in all. The events are redacted already. */
export function diagnosticOf(events: readonly RunEvent[], agent: AgentId): string {
  const lines = events
    .filter((event) => event.agent === agent)
    .map(lineOf)
    .filter((line) => line !== null);
  const head = lines.length <= maxEntries ? lines : lines.slice(0, maxEntries / 4);
  const tail = lines.length <= maxEntries ? [] : lines.slice(-(maxEntries - maxEntries / 4 - 1));
  const gap = lines.length <= maxEntries ? [] : [`… ${lines.length - head.length - tail.length} entries left out …`];
  return clipMiddle([...head, ...gap, ...tail].join("\n"), maxChars);
}

function lineOf(event: RunEvent): string | null {
  switch (event.type) {
    case "model.completed":
      return clip(
        `said: ${event.data.text || "(nothing)"}${event.data.toolCalls.map((call) => `\n  ${call.name} ${call.arguments}`).join("")}`,
      );
    case "model.failed":
      return clip(`model failed: ${event.data.code} ${event.data.message}`);
    case "tool.settled":
      return clip(`${event.data.tool} ${event.data.outcome}: ${event.data.output}`);
    case "tool.refused":
      return clip(`${event.data.tool} refused: ${event.data.code} ${event.data.message}`);
    case "verification.ran":
      return clip(
        `checked by ${event.data.command}: exit ${event.data.exitCode ?? event.data.outcome}\n${event.data.output}`,
      );
    case "subagent.checked":
      return event.data.verdict === "progressing" ? null : clip(`${event.data.verdict}: ${event.data.reason}`);
    case "subagent.stopped":
      return clip(`${event.data.status}: ${event.data.code ?? ""} ${event.data.sentence ?? ""}`);
    default:
      return null;
  }
}

function clip(text: string): string {
  return clipMiddle(text, maxEntryChars);
}

function clipMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const half = Math.floor((max - 3) / 2);
  return `${text.slice(0, half)} … ${text.slice(-half)}`;
}
