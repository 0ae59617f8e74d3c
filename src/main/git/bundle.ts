// A run's hidden refs and their commits as one git bundle, and back. Names and moves no ref but those of that run.

import type { Oid, RunId } from "../../shared/contract/ids.ts";
import { fail, type Result, succeed } from "../../shared/lib/result.ts";
import type { RepositoryFacts } from "../domain/records.ts";
import { hasEntry } from "./files.ts";
import { git, GitError, longTimeoutMs } from "./git.ts";
import { listHiddenRefs } from "./hiddenRefs.ts";
import { requireOid, requireRef } from "./names.ts";

/** Writes what the run's refs hold beyond the parents of `base` to `file`, and answers with the refs; none and no file where the repository is gone or has none of them. */
export async function bundleRefs(
  repo: RepositoryFacts,
  run: RunId,
  base: Oid,
  file: string,
): Promise<readonly string[]> {
  if (!(await hasEntry(repo.commonDir))) return [];
  const refs = (await listHiddenRefs(repo, run)).map(({ ref }) => ref);
  if (refs.length === 0) return [];
  const args = ["bundle", "create", "--quiet", file, ...refs, "--not", `${requireOid(base)}^@`];
  await git({ gitDir: repo.commonDir, args, timeoutMs: longTimeoutMs });
  return refs;
}

/** Brings the run's refs in from a bundle, checked object by object; others in it are left out, and one that stands elsewhere stays. Codes `BUNDLE_UNUSABLE` (damaged, or the repository lacks what it builds on). */
export async function restoreRefs(repo: RepositoryFacts, run: RunId, file: string): Promise<Result<readonly string[]>> {
  const folder = requireRef(`refs/coppice/${run}`, "refs/coppice/");
  const quiet = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--no-auto-maintenance"];
  const args = ["-c", "fetch.fsckObjects=true", "fetch", ...quiet, file, `${folder}/*:${folder}/*`];
  try {
    await git({ gitDir: repo.commonDir, args, timeoutMs: longTimeoutMs });
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== "GIT_FAILED") throw error;
    const message = `${repo.topLevel} cannot take the commits of ${run}: ${error.message.trim()}. It must be a copy of the repository that the run worked in.`;
    return fail({ code: "BUNDLE_UNUSABLE", message });
  }
  return succeed((await listHiddenRefs(repo, run)).map(({ ref }) => ref));
}
