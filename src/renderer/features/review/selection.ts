// Which hunks of a change set are accepted: each until it is rejected. Pure.

import type { ChangedFile } from "../../../shared/contract/pages.ts";

/** A hunk by its file and number, as one text; the number stands first, since a path may hold anything. */
export type HunkKey = `${number} ${string}`;

export interface HunkPlace {
  readonly path: string;
  readonly number: number;
}

export function hunkKey({ path, number }: HunkPlace): HunkKey {
  return `${number} ${path}`;
}

/** Every hunk, in the order of the files. */
export function placesOf(files: readonly ChangedFile[]): readonly HunkPlace[] {
  return files.flatMap(({ path, hunkCount }) =>
    Array.from({ length: hunkCount }, (_, index) => ({ path, number: index + 1 })),
  );
}

/** The accepted hunks as `approve` wants them: left out when that is all of them, unless an earlier choice (`isAnew`) would stand in their place. */
export function selectionOf(
  files: readonly ChangedFile[],
  rejected: ReadonlySet<HunkKey>,
  isAnew: boolean,
): { readonly [path: string]: readonly number[] } | undefined {
  if (rejected.size === 0 && !isAnew) return undefined;
  const accepted = files.map(({ path, hunkCount }) => {
    const numbers = Array.from({ length: hunkCount }, (_, index) => index + 1);
    return [path, numbers.filter((number) => !rejected.has(hunkKey({ path, number })))] as const;
  });
  return Object.fromEntries(accepted.filter(([, numbers]) => numbers.length > 0));
}

/** `Land 7 of 9 hunks`, `Land 1 hunk`. */
export function landWords(accepted: number, total: number): string {
  const hunks = total === 1 ? "hunk" : "hunks";
  return accepted === total ? `Land ${total} ${hunks}` : `Land ${accepted} of ${total} ${hunks}`;
}
