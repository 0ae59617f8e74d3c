// How many lines a file gains and loses; nothing where it changes otherwise than by lines.

import type { ChangedFile } from "../../../shared/contract/pages.ts";

export interface LineCountsProps {
  readonly file: Pick<ChangedFile, "added" | "removed">;
  readonly className: string;
}

export function LineCounts({ file: { added, removed }, className }: LineCountsProps) {
  if (added + removed === 0) return null;
  return (
    <span className={className}>
      <span className="plus">+{added}</span> <span className="minus">−{removed}</span>
    </span>
  );
}
