// Files with their hunks, and the two lists that a proposal keeps of them.

import type { FileChange, Hunk, ProposedFile, ProposedHunk } from "./records.ts";

export interface ProposedChanges {
  readonly files: readonly ProposedFile[];
  readonly hunks: readonly ProposedHunk[];
}

export function listHunks(changes: readonly FileChange[]): ProposedChanges {
  const files = changes.map((change): ProposedFile => {
    const { hunks: _hunks, ...file } = change;
    return file;
  });
  return { files, hunks: changes.flatMap(({ path, hunks }) => hunks.map((hunk) => ({ file: path, ...hunk }))) };
}

/** The files with their hunks again; the inverse of `listHunks`. */
export function withHunks({ files, hunks }: ProposedChanges): readonly FileChange[] {
  return files.map((file) => ({ ...file, hunks: hunks.filter((hunk) => hunk.file === file.path).map(bareHunk) }));
}

function bareHunk(proposed: ProposedHunk): Hunk {
  const { file: _file, ...hunk } = proposed;
  return hunk;
}
