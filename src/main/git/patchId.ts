// Names what a change does, apart from where in a file and on which base: an approval stands while this name stays the same.

import { createHash } from "node:crypto";
import type { HunkAmendment } from "../../shared/contract/amendments.ts";
import type { Oid } from "../../shared/contract/ids.ts";
import type { HunkSelection, RepositoryFacts } from "../domain/records.ts";
import { detailedChanges, patchBytes } from "./changeset.ts";
import { composeTree } from "./compose.ts";
import { longTimeoutMs } from "./git.ts";
import { gitObjects } from "./objects.ts";

// By itself `git patch-id` passes over white space, which in some languages is the program.
const exact = ["patchid.stable=true", "patchid.verbatim=true"].flatMap((setting) => ["-c", setting]);

/** What is named: the selected hunks of a change, as amended, but for those of the paths in `except`. */
export interface NamedChange {
  readonly base: Oid;
  readonly commit: Oid;
  readonly selection?: HunkSelection | undefined;
  readonly amendments?: readonly HunkAmendment[] | undefined;
  readonly except?: readonly string[] | undefined;
}

/**
 * A digest of `git patch-id` of the change, and of the objects of what has no lines (binary files, links, modes), which
 * `patch-id` passes over. Throws what `composeTree` throws.
 */
export async function patchId(
  dataFolder: string,
  repo: RepositoryFacts,
  { base, commit, selection = "all", amendments = [], except = [] }: NamedChange,
): Promise<string> {
  const tree = await composeTree(dataFolder, repo, base, commit, selection, amendments);
  const input = await patchBytes(repo, base, tree, except);
  const { stdout } = await gitObjects(repo, { args: [...exact, "patch-id"], input, timeoutMs: longTimeoutMs });
  const whole = (await detailedChanges(repo, base, tree))
    .filter((change) => !change.isByLine && !except.includes(change.shown.path))
    .map(({ shown, old, next }) => [shown.path, old?.mode, old?.blob, next?.mode, next?.blob]);
  const digest = createHash("sha256").update(stdout).update(JSON.stringify(whole));
  return digest.digest("hex");
}
