// What was sent and does not stand in the journal yet. Pure.

import type { TranscriptItem } from "../../../shared/contract/snapshots.ts";

export interface Outgoing {
  readonly text: string;
  /** Last ordinal of the transcript when it was sent: what answers it comes later. */
  readonly after: number;
}

/** Rows are clipped, so a long text is known by its beginning. */
const knownBy = 400;

/** Those of `sent` that the transcript does not show; each row answers one of them. */
export function pendingOf(sent: readonly Outgoing[], items: readonly TranscriptItem[]): readonly Outgoing[] {
  const arrived = items.filter(({ kind }) => kind === "person");
  const taken = new Set<TranscriptItem>();
  return sent.filter(({ text, after }) => {
    const row = arrived.find(
      (item) => item.n > after && !taken.has(item) && item.text.slice(0, knownBy) === text.slice(0, knownBy),
    );
    if (row !== undefined) taken.add(row);
    return row === undefined;
  });
}
