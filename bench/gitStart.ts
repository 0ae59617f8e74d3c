// Starting git from a process of the size that the app has while it works: through the fork server, and by a fork of its own.

import { spawn } from "node:child_process";
import { once } from "node:events";

import { startProcess } from "../src/main/git/forkServer.ts";
import { alternate, type Bench } from "./figures.ts";

const heldMegabytes = 200;
const startCount = 20;
const args = ["--version"];

export const gitStart: Bench = {
  name: "gitStart",
  about:
    "Every landing, snapshot and diff starts git several times. A process forks the slower the more memory it holds, so git is started through a small server of its own: the goal is at most half of what the app itself would take.",
  async measure() {
    const held = Array.from({ length: heldMegabytes }, () => Buffer.alloc(1024 * 1024, 1));
    const watch = { stdout: () => undefined, stderr: () => undefined };
    const env = { PATH: process.env["PATH"] ?? "" };
    const taken = await alternate(
      () => times(() => startProcess({ file: "git", args, cwd: undefined, env, hasInput: false }, watch).ended),
      () => times(() => once(spawn("git", args, { env, stdio: ["ignore", "pipe", "pipe"] }), "close")),
    );
    return [
      {
        what: `git started ${startCount} times through the fork server`,
        ...taken,
        against: `by a process that holds ${held.length} MB`,
        goal: 0.5,
      },
    ];
  },
};

async function times(start: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < startCount; count++) await start();
}
