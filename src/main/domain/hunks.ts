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
  const byFile = new Map<string, Hunk[]>(files.map(({ path }) => [path, []]));
  for (const { file, ...hunk } of hunks) byFile.get(file)?.push(hunk);
  return files.map((file) => ({ ...file, hunks: byFile.get(file.path) ?? [] }));
}

/** `Guard refund(): 2 hunks in 1 file`. A title is often a sentence, and here it goes on. */
export function summaryOf(title: string, hunkCount: number, fileCount: number): string {
  return `${title.replace(/\.$/, "")}: ${countOf(hunkCount, "hunk")} in ${countOf(fileCount, "file")}`;
}

/** `1 hunk`, `2 hunks`. */
export function countOf(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}
