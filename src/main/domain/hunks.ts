// Files with their hunks, and the two lists that a proposal keeps of them.

import type { FileChange, ProposedFile, ProposedHunk } from "./events.ts";

export interface ProposedChanges {
  readonly files: readonly ProposedFile[];
  readonly hunks: readonly ProposedHunk[];
}

export function listHunks(changes: readonly FileChange[]): ProposedChanges {
  return {
    files: changes.map(({ hunks: _, ...file }) => file),
    hunks: changes.flatMap((change) => change.hunks.map((hunk) => ({ file: change.path, ...hunk }))),
  };
}

/** The files with their hunks again; the inverse of `listHunks`. */
export function withHunks({ files, hunks }: ProposedChanges): readonly FileChange[] {
  return files.map((file) => ({ ...file, hunks: hunks.filter((hunk) => hunk.file === file.path).map(({ file: _, ...hunk }) => hunk) }));
}
