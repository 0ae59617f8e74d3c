// Finds, grouped by the run that they are of, and an excerpt taken apart into what matches and what does not. Pure.

import type { SearchHit } from "../../../shared/contract/care.ts";
import type { RunId } from "../../../shared/contract/ids.ts";
import { folderName } from "../../ui/formats.ts";
import { plainText } from "../../ui/terminalText.ts";

export interface FoundRun {
  readonly run: RunId;
  readonly title: string;
  /** What people call the repository. */
  readonly repo: string;
  readonly hits: readonly SearchHit[];
}

/** In the order of the first find of each run. */
export function groupHits(hits: readonly SearchHit[]): readonly FoundRun[] {
  return [...Map.groupBy(hits, ({ run }) => run)].map(([run, members]) => ({
    run,
    title: members[0]?.runTitle ?? "",
    repo: folderName(members[0]?.repo ?? ""),
    hits: members,
  }));
}

/** The parts of an excerpt; line breaks become blanks, and control characters are taken out or shown. */
export function splitExcerpt(excerpt: string): readonly { readonly text: string; readonly isMatch: boolean }[] {
  return excerpt
    .replaceAll(/\s+/g, " ")
    .split(/(\u0002[^\u0003]*\u0003?)/)
    .filter((part) => part !== "")
    .map((part) => ({ text: plainText(part.replaceAll(/[\u0002\u0003]/g, "")), isMatch: part.startsWith("\u0002") }));
}
