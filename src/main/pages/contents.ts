// Answers pieces of texts that a transcript has clipped, from the journal. Reads only; a piece is never more than a
// message holds.

import { type ContentPiece, maxContentChars } from "../../shared/contract/content.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { rowText } from "../domain/projections/transcript.ts";
import type { JournalCache } from "./journalCache.ts";
import { unknownAgent } from "./pageMoment.ts";
import type { ContentSource } from "./topicSource.ts";

export function createContents(journals: JournalCache): ContentSource {
  return {
    async readContent({ run, agent, n, row, after }) {
      const read = await journals.read(run);
      if (!read.ok) return read;
      const { state, events } = read.value;
      if (agent !== "lead" && !state.nodes.some(({ id }) => id === agent)) return fail(unknownAgent(run, agent));
      const event = events[n - 1];
      const text = event === undefined ? null : rowText(event, agent, row);
      if (text === null || after > text.length)
        return fail({
          code: "BAD_USAGE",
          message: `The transcript of ${agent} has no such text at event ${n}; read the transcript anew.`,
        });
      return succeed(pieceOf(text, after));
    },
  };
}

/** From `after` on, at most `maxContentChars`; a character of two units is never split. */
export function pieceOf(text: string, after: number): ContentPiece {
  const wanted = Math.min(after + maxContentChars, text.length);
  const end = wanted < text.length && isHighSurrogate(text.charCodeAt(wanted - 1)) ? wanted - 1 : wanted;
  return { text: text.slice(after, end), next: end < text.length ? end : null, total: text.length };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
