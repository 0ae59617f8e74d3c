import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { ChangeSetId, Oid } from "../../shared/contract/ids.ts";
import { fail } from "../../shared/lib/result.ts";
import type { WorkRoom } from "./room.ts";
import { verify, type VerificationTarget } from "./verification.ts";

/** A room in which no worktree can be made, and nothing is known of any before `looked` resolves. */
function roomThat(home: string, looked: Promise<unknown>): WorkRoom {
  const none = fail({ code: "WORKTREE_FAILED", message: "none" });
  return {
    isHeld: () => true,
    dispatcher: { state: () => ({ repo: {}, run: "r1", base: {}, options: {} }), epoch: () => 1 },
    folders: { home, places: join(home, "places"), run: join(home, "runs", "r1") },
    git: { findWorktree: () => looked.then(() => null), addWorktree: () => Promise.resolve(none) },
  } as unknown as WorkRoom;
}

test("a check that waits for its turn behind other runs' does not wait once it is aborted, and takes nobody's turn", async () => {
  const home = mkdtempSync(join(tmpdir(), "coppice-turns-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const commit = "a".repeat(40) as Oid;
  const target: VerificationTarget = {
    agent: "lead",
    changeset: "lead.1" as ChangeSetId,
    commit,
    tree: commit,
    commands: ["true"],
  };
  const never = new AbortController().signal;
  const { promise: looked, resolve: look } = Promise.withResolvers<void>();
  const atWork = [1, 2].map(() => verify(roomThat(home, looked), target, never));
  const abort = new AbortController();
  const aborted = verify(roomThat(home, Promise.resolve()), target, abort.signal);
  const next = verify(roomThat(home, Promise.resolve()), target, never);
  abort.abort();
  expect(await aborted).toEqual({ ok: true, value: null });
  look();
  expect(await Promise.all([...atWork, next])).toMatchObject(
    [1, 2, 3].map(() => ({ error: { code: "WORKTREE_FAILED" } })),
  );
});
