// The hunks of one file as pips: accepted, rejected, or landing otherwise than proposed. Whoever shows them says it in words, too.

import type { ChangedFile } from "../../../shared/contract/pages.ts";
import { amendmentOf } from "./draft.ts";
import type { ReviewDraft } from "./draft.ts";
import { hunkKey } from "./selection.ts";
import type { HunkKey, HunkPlace } from "./selection.ts";

export interface HunkPipsProps {
  readonly file: Pick<ChangedFile, "path" | "hunkCount">;
  readonly draft: ReviewDraft;
  readonly rejected: ReadonlySet<HunkKey>;
}

export function HunkPips({ file: { path, hunkCount }, draft, rejected }: HunkPipsProps) {
  const standingOf = (place: HunkPlace) =>
    rejected.has(hunkKey(place)) ? "rejected" : amendmentOf(draft, place) === null ? "accepted" : "partly";
  return (
    <span className="pip-row" aria-hidden="true">
      {Array.from({ length: hunkCount }, (_, index) => index + 1).map((number) => (
        <i key={number} className="pip" data-standing={standingOf({ path, number })} />
      ))}
    </span>
  );
}
