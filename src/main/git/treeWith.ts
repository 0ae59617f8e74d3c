// Trees that are another with some entries set or removed, and the lines by which git takes such entries into an index.

import type { Oid } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import { requireOid } from "./names.ts";
import { gitObjects } from "./objects.ts";
import { withTemporaryIndex } from "./scratch.ts";

/** What is to stand at a path; `side` is `null` where nothing is. `mode` is six octal digits. */
export interface TreeEntry {
  readonly path: Buffer;
  readonly side: { readonly mode: string; readonly blob: string } | null;
}

/** The call that puts entries into an index. `like` is any object name of the repository, for its length. */
export function indexEntries(
  entries: readonly TreeEntry[],
  like: Oid,
): { readonly args: readonly string[]; readonly input: Buffer } {
  return { args: ["update-index", "-z", "--index-info"], input: indexLines(entries, like) };
}

function indexLines(entries: readonly TreeEntry[], like: Oid): Buffer {
  // A file can only take the place of a folder, or a folder that of a file, when what stood there has gone.
  const removalsFirst = entries.toSorted((a, b) => Number(a.side !== null) - Number(b.side !== null));
  const lines = removalsFirst.flatMap(({ path, side }) => {
    const head = side === null ? `0 ${"0".repeat(like.length)}\t` : `${side.mode} ${side.blob}\t`;
    return [Buffer.from(head), path, Buffer.of(0)];
  });
  return Buffer.concat(lines);
}

/** The tree that is `tree`, a commit or a tree, with these entries in the place of what it has there. */
export async function treeWith(
  dataFolder: string,
  repo: RepositoryFacts,
  tree: Oid,
  entries: readonly TreeEntry[],
): Promise<Oid> {
  return withTemporaryIndex(dataFolder, async (indexFile) => {
    await gitObjects(repo, { args: ["read-tree", requireOid(tree)], indexFile });
    if (entries.length > 0) await gitObjects(repo, { ...indexEntries(entries, tree), indexFile });
    const { stdout } = await gitObjects(repo, { args: ["write-tree"], indexFile });
    return requireOid(stdout.toString("utf8").trim());
  });
}
