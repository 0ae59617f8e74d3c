// Holds one branch locked while something else is brought to its new commit, and then moves it or lets it go. The lock is
// git's own: it also covers the HEAD that names the branch, so that nobody switches or commits meanwhile, and ends with us.

import type { Oid } from "../../shared/contract/ids.ts";
import { GitError, type HeldGit, holdGit, longTimeoutMs } from "./git.ts";
import { requireOid, requireRef } from "./names.ts";

/** A move of `ref` from `old` to `next`, with the words for the reflog. */
export interface BranchMove {
  readonly ref: string;
  readonly old: Oid;
  readonly next: Oid;
  readonly reason: string;
}

/** `unlocked`: git did not give the lock, for another holds it or the branch stands elsewhere; `words` are git's. */
type Held<T> = { readonly kind: "held"; readonly value: T } | { readonly kind: "unlocked"; readonly words: string };

/**
 * Runs `work` while the branch stands locked at `old`; moves it when `work` answers with `null`, and lets it go where it stands
 * for any other answer or an error. `gitDir` is that of the checkout whose HEAD names the branch. Throws `GIT_FAILED` when the last step fails.
 */
export async function withBranchLocked<T>(
  gitDir: string,
  move: BranchMove,
  work: () => Promise<T | null>,
): Promise<Held<T | null>> {
  const update = `update ${requireRef(move.ref, "refs/heads/")}\0${requireOid(move.next)}\0${requireOid(move.old)}\0`;
  const args = ["update-ref", "--stdin", "-z", "--no-deref", "-m", move.reason];
  const held = holdGit({ gitDir, args, timeoutMs: 2 * longTimeoutMs });
  let isOpen = true;
  try {
    const isLocked = (await held.ask("start\0")) !== null && (await held.ask(`${update}prepare\0`)) !== null;
    if (!isLocked) {
      isOpen = false;
      return { kind: "unlocked", words: await held.end() };
    }
    const value = await work();
    await finish(held, value === null ? "commit" : "abort", args);
    isOpen = false;
    return { kind: "held", value };
  } finally {
    // The end of its stdin makes git let go.
    if (isOpen) await held.end();
  }
}

async function finish(held: HeldGit, how: "commit" | "abort", args: readonly string[]): Promise<void> {
  const answer = await held.ask(`${how}\0`);
  const words = await held.end();
  if (answer === null) throw new GitError("GIT_FAILED", `git update-ref did not ${how}: ${words.trim()}`, args, words);
}
