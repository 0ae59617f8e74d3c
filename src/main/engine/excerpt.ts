// What of a command's output is kept in the journal: without secrets, and bounded. Knows nothing of what was run.

import type { CommandOutcome } from "./ports/command.ts";
import type { WorkRoom } from "./room.ts";

const maxChars = 16_000;

/** The output, or why there is none. The end of an output says what failed; its beginning what ran. */
export function excerptOf(room: Pick<WorkRoom, "redact">, { message, output }: CommandOutcome): string {
  const text = room.redact(message ?? output);
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars / 4)}\n… ${text.length - maxChars} characters left out …\n${text.slice(-(maxChars * 3) / 4)}`;
}
