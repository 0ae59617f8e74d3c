// What is measured or tried is told with the commit that it was measured at.

import { execFileSync } from "node:child_process";

import { projectRoot } from "./commandLineBuild.ts";

/** The commit that is checked out, as people name it. */
export function currentCommit(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: projectRoot, encoding: "utf8" }).trim();
}
