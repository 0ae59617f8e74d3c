import { expect, test } from "vitest";

import { fenceCommands, fenceGit } from "./fence.ts";
import type { CommandPort, CommandSpec } from "./ports/command.ts";
import type { GitPort } from "./ports/git.ts";

/** A port that notes what it was asked for, by name; each member is there. */
function noting<T>(asked: string[], names: readonly (keyof T & string)[]): T {
  return Object.fromEntries(names.map((name) => [name, () => Promise.resolve(asked.push(name))])) as T;
}

test("a process that has lost its run reads on, and changes nothing of the repository", async () => {
  const asked: string[] = [];
  let isHeld = true;
  const changing = ["swapRef", "pin", "removeWorkPlace", "rebaseWorktree", "copyIncluded"] as const;
  const port = noting<GitPort>(asked, ["readRef", ...changing]);
  const git = fenceGit(port, () => isHeld, noMatter);
  const act = () => changing.map((name) => (git[name] as () => Promise<unknown>)());
  await Promise.all(act());
  isHeld = false;
  const refused = await Promise.allSettled(act());
  expect(refused.map((one) => (one.status === "rejected" ? (one.reason as { code: string }).code : null))).toEqual(
    changing.map(() => "STALE_LEASE"),
  );
  await (git.readRef as unknown as () => Promise<unknown>)();
  expect(asked).toEqual([...changing, "readRef"]);
});

test("a worktree that was made while its run was being lost is taken back at once", async () => {
  const removed: unknown[] = [];
  let isHeld = true;
  const place = { kind: "worktree", path: "/places/r1-e1-subagent-1" };
  const port = {
    addWorktree: () => {
      // Stopped right before it, and woken after somebody else has taken the run.
      isHeld = false;
      return Promise.resolve({ ok: true, value: place });
    },
    removeWorkPlace: (_repo: unknown, one: unknown) => Promise.resolve(removed.push(one)),
  } as unknown as GitPort;
  const git = fenceGit(port, () => isHeld, noMatter);
  expect(await (git.addWorktree as unknown as () => Promise<unknown>)()).toMatchObject({
    ok: false,
    error: { code: "STALE_LEASE" },
  });
  expect(removed).toEqual([place]);
});

test("a process that has lost its run starts no command and ends no process", async () => {
  const asked: string[] = [];
  const commands = fenceCommands(noting<CommandPort>(asked, ["run", "sweep", "report"]), () => false);
  const watch = { signal: new AbortController().signal };
  await expect(commands.run({} as CommandSpec, watch)).rejects.toMatchObject({ code: "STALE_LEASE" });
  await expect(commands.sweep("r1")).rejects.toMatchObject({ code: "STALE_LEASE" });
  await commands.report();
  expect(asked).toEqual(["report"]);
});

test("a disk that is full ends the driving, whether git answers so or breaks off", async () => {
  let fullCount = 0;
  const words = "fatal: cannot write: No space left on device";
  const port = {
    addWorktree: () => Promise.resolve({ ok: false, error: { code: "WORKTREE_FAILED", message: words } }),
    pin: () => Promise.reject(new Error("ENOSPC: no space left on device, write")),
    swapRef: () => Promise.reject(new Error("another reason")),
  } as unknown as GitPort;
  const isFull = () => void (fullCount += 1);
  const git = fenceGit(port, () => true, isFull);
  const acts = [git.addWorktree, git.pin, git.swapRef].map((one) => (one as () => Promise<unknown>)());
  expect([(await Promise.allSettled(acts)).map(({ status }) => status), fullCount]).toEqual([
    ["fulfilled", "rejected", "rejected"],
    2,
  ]);
});

function noMatter(): void {
  throw new Error("The disk is not full here");
}
