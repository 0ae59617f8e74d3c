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
  const git = fenceGit(noting<GitPort>(asked, ["readRef", "swapRef", "pin", "removeWorkPlace"]), () => isHeld);
  const act = () => [git.swapRef, git.pin, git.removeWorkPlace].map((one) => () => (one as () => unknown)());
  for (const one of act()) one();
  isHeld = false;
  expect(act().map((one) => caught(one))).toEqual(["STALE_LEASE", "STALE_LEASE", "STALE_LEASE"]);
  await (git.readRef as unknown as () => Promise<unknown>)();
  expect(asked).toEqual(["swapRef", "pin", "removeWorkPlace", "readRef"]);
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

function caught(act: () => unknown): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { readonly code?: unknown }).code;
  }
}
