// Makes and removes the readers' checkouts: plain folders that hold one tree, read-only, unknown to git. A file beside each
// says for which commit it is whole; a folder without it is the rest of an attempt that was cut short.

import { mkdir, rm, writeFile } from "node:fs/promises";
import type { Oid } from "../../shared/contract/ids.ts";
import type { Result } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { WorkPlace } from "../engine/ports/git.ts";
import { findText, hasEntry, setWritable } from "./files.ts";
import { git, longTimeoutMs } from "./git.ts";
import { requireOid } from "./names.ts";
import { withTemporaryIndex } from "./scratch.ts";
import { answerFailure, removeFolder, requireOwnPath, wholeTree } from "./worktrees.ts";

/** Makes the folder, or answers with the one that is there for the same commit. Code `WORKTREE_FAILED`. Call under the lock of the common dir. */
export async function addCheckout(
  dataFolder: string,
  repo: RepositoryFacts,
  path: string,
  commit: Oid,
): Promise<Result<WorkPlace>> {
  return answerFailure(path, async () => {
    const at = await requireOwnPath(repo, path);
    const place: WorkPlace = { kind: "checkout", path: at, root: requireOid(commit), gitDir: null };
    if ((await findText(markerOf(at))) === commit && (await hasEntry(at))) return place;
    await removeCheckout(repo, place);
    await mkdir(at, { recursive: true });
    await withTemporaryIndex(dataFolder, (indexFile) =>
      git({
        gitDir: repo.commonDir,
        workTree: at,
        indexFile,
        args: [...wholeTree, "read-tree", "--reset", "-u", "--no-recurse-submodules", commit],
        timeoutMs: longTimeoutMs,
      }),
    );
    await setWritable(at, "nobody");
    await writeFile(markerOf(at), commit);
    return place;
  });
}

/** Removes the folder and its marker; the marker first, so that a half-removed folder is never taken for a whole one. */
export async function removeCheckout(repo: RepositoryFacts, place: WorkPlace): Promise<void> {
  const path = await requireOwnPath(repo, place.path);
  await rm(markerOf(path), { force: true });
  await removeFolder(path);
}

function markerOf(path: string): string {
  return `${path}.done`;
}
