// Lists and deletes the refs that the app keeps below refs/coppice/. Never sees, names or deletes any other.

import type { RunId } from "../../shared/contract/ids.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import type { HiddenRef } from "../engine/ports/git.ts";
import { git } from "./git.ts";
import { type LockTexts, packedLock, refLock, withLocks } from "./leftLocks.ts";
import { requireOid, requireRef } from "./names.ts";

/** Those of one run, or of all, by name. */
export async function listHiddenRefs(repo: RepositoryFacts, run?: RunId): Promise<readonly HiddenRef[]> {
  const folder = run === undefined ? "refs/coppice/" : `${requireRef(`refs/coppice/${run}`, "refs/coppice/")}/`;
  const args = ["for-each-ref", "--format=%(objectname) %(refname)", folder];
  const { stdout } = await git({ gitDir: repo.commonDir, args });
  const lines = stdout.toString("utf8").split("\n").filter(Boolean);
  return lines.map((line) => {
    const [commit = "", ref = ""] = line.split(" ");
    return { ref, commit: requireOid(commit) };
  });
}

/** Deletes in one transaction the refs that still stand at `commit`, and answers with those that have moved. Throws `GIT_REFUSED` for a ref that is not the app's. */
export async function deleteHiddenRefs(
  dataFolder: string,
  repo: RepositoryFacts,
  refs: readonly HiddenRef[],
): Promise<readonly HiddenRef[]> {
  for (const { ref } of refs) requireRef(ref, "refs/coppice/");
  const standing = new Map((await listHiddenRefs(repo)).map(({ ref, commit }) => [ref, commit]));
  const due = refs.filter(({ ref, commit }) => standing.get(ref) === commit);
  const call = {
    gitDir: repo.commonDir,
    args: ["update-ref", "--stdin", "-z", "--no-deref"],
    input: due.map(({ ref, commit }) => `delete ${ref}\0${commit}\0`).join(""),
  };
  const locks = Object.assign(packedLock(repo), ...due.map(({ ref }) => refLock(repo, ref))) as LockTexts;
  if (due.length > 0) await withLocks(dataFolder, repo, locks, () => git(call));
  return refs.flatMap(({ ref, commit }) => {
    const at = standing.get(ref);
    return at === undefined || at === commit ? [] : [{ ref, commit: at }];
  });
}
