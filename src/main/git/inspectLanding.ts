// Finds out what a landing on a checkout has left that was cut short, and completes it where everything is old or new path by
// path. A third state is somebody's work: it is told and left alone.

import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { RepositoryFacts } from "../domain/records.ts";
import type { CheckoutLanding, CheckoutMove, LandingState, RefusedMove } from "../engine/ports/git.ts";
import { pathChanges } from "./changeset.ts";
import { type IndexedCheckout, type PathState, readStates } from "./checkoutIndex.ts";
import { hasEntry } from "./files.ts";
import { git } from "./git.ts";
import { gitThere, refuse, withCheckoutLocked } from "./landOnCheckout.ts";
import { lockWaitsMs } from "./leftLocks.ts";
import { readRef } from "./refs.ts";
import { findCheckoutAt } from "./repository.ts";
import { indexEntries } from "./treeWith.ts";

/** Reads only. A git that outlived the app may still be writing: its index lock is waited for, within limits. */
export async function inspectLanding(
  dataFolder: string,
  repo: RepositoryFacts,
  move: CheckoutMove,
  waitsMs = lockWaitsMs,
): Promise<LandingState> {
  const checkout = await findCheckoutAt(repo, move.checkout);
  if (checkout !== null) await awaitFree(join(checkout.gitDir, "index.lock"), waitsMs);
  const tip = await readRef(repo, move.ref);
  if (tip !== null && (await contains(repo, tip, move))) return "landed";
  if (tip !== move.old || checkout === null) return "foreign";
  const on = { ...checkout, indexFile: join(checkout.gitDir, "index") };
  const states = await readStates(dataFolder, on, await pathChanges(repo, move.old, move.next));
  if (states.every((state) => is(state.inIndex, "old") && is(state.onDisk, "old"))) return "untouched";
  return states.every(isKnown) && (await isOnBranch(on, move)) ? "finishable" : "foreign";
}

/** Completes what `inspectLanding` calls finishable, without asking what stands at added paths: it is the landing itself. Call under the lock of the common dir. */
export async function finishLandingOnCheckout(
  dataFolder: string,
  repo: RepositoryFacts,
  move: CheckoutMove,
  waitsMs = lockWaitsMs,
): Promise<CheckoutLanding> {
  const changes = await pathChanges(repo, move.old, move.next);
  return withCheckoutLocked(dataFolder, repo, move, waitsMs, async (on) => {
    const states = await readStates(dataFolder, on, changes);
    const foreign = states.filter((state) => !isKnown(state)).map(({ path }) => path);
    if (foreign.length > 0) {
      const sentence = `${on.workTree} holds something that is neither the old nor the new state of the landing. Nothing was touched.`;
      return refuse("FOREIGN_STATE", sentence, foreign);
    }
    return complete(on, move, states);
  });
}

/** With the index brought to what each file is, git sees nothing but clean paths, old or new, and does the rest. */
async function complete(
  on: IndexedCheckout,
  move: CheckoutMove,
  states: readonly PathState[],
): Promise<RefusedMove | null> {
  const behind = states.flatMap((state) => {
    const side = sideOnDisk(state);
    return side === null || is(state.inIndex, side) ? [] : [{ path: state.path, side: state[side] }];
  });
  const steps: readonly { readonly args: readonly string[]; readonly input?: Buffer }[] = [
    ...(behind.length === 0 ? [] : [indexEntries(behind, move.old)]),
    { args: ["update-index", "-q", "--refresh"] },
    { args: ["read-tree", "-m", "-u", "--no-recurse-submodules", move.old, move.next] },
  ];
  for (const { args, input } of steps) {
    const { exitCode, stderr } = await gitThere(on, args, input);
    // A refresh answers 1 for other files that have changes.
    if (exitCode !== 0 && !args.includes("--refresh")) {
      return refuse(
        "CHECKOUT_FAILED",
        `git could not complete the landing in ${on.workTree}. It said: ${stderr.trim()}`,
      );
    }
  }
  return null;
}

/** The side that a file is on; where both look alike, what the index says; `null` when that is both, too. */
function sideOnDisk({ onDisk, inIndex }: PathState): "old" | "next" | null {
  if (onDisk === "old" || onDisk === "next") return onDisk;
  return inIndex === "old" || inIndex === "next" ? inIndex : null;
}

function isKnown({ inIndex, onDisk }: PathState): boolean {
  return inIndex !== "neither" && onDisk !== "neither";
}

function is(state: PathState["onDisk"], side: "old" | "next"): boolean {
  return state === side || state === "both";
}

/** Whether the landing is in the branch: at its tip, or below what the user has committed since. */
async function contains(repo: RepositoryFacts, tip: string, { next }: CheckoutMove): Promise<boolean> {
  if (tip === next) return true;
  const args = ["merge-base", "--is-ancestor", next, tip];
  return (await git({ gitDir: repo.commonDir, args, answers: [0, 1] })).exitCode === 0;
}

async function isOnBranch(on: IndexedCheckout, { ref }: CheckoutMove): Promise<boolean> {
  const { stdout } = await git({ ...on, args: ["symbolic-ref", "--quiet", "HEAD"], answers: [0, 1] });
  return stdout.toString("utf8").trim() === ref;
}

async function awaitFree(lock: string, waitsMs: readonly number[]): Promise<void> {
  for (const waitMs of waitsMs) {
    if (!(await hasEntry(lock))) return;
    await delay(waitMs);
  }
}
