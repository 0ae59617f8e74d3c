// Texts too long for a row: `content/read` answers a piece of what a transcript has clipped, whole characters only.

import type { AgentId, RunId } from "./ids.ts";

/** Most characters in one piece. */
export const maxContentChars = 32_000;

export interface ContentRequest {
  readonly run: RunId;
  readonly agent: AgentId;
  /** The transcript row: its event's ordinal, and its place among the rows of that event, from 0. */
  readonly n: number;
  readonly row: number;
  /** Characters (UTF-16 units) to leave out before it: `0` at first, then the `next` of the piece before. */
  readonly after: number;
}

export interface ContentPiece {
  readonly text: string;
  /** Where the next piece begins; `null` at the end. */
  readonly next: number | null;
  /** Characters of the whole text. */
  readonly total: number;
}
