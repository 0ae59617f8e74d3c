import { execFile } from "node:child_process";
import { join } from "node:path";

import { expect, test } from "vitest";

import { buildCommandLine, buildLimitMs, bundledNode, projectRoot } from "../support/commandLineBuild.ts";

/** For a machine on which much else goes on; alone it takes a minute. */
const limitMs = 400_000;

test("[F11] [G10] a short form of the crash rig finds no fault", { timeout: limitMs + buildLimitMs }, async () => {
  await buildCommandLine();
  const said = await new Promise<string>((resolve) => {
    const args = [join(projectRoot, "test/crash/main.ts"), "--short"];
    execFile(bundledNode, args, { timeout: limitMs, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  expect(
    said
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("FAULT")),
  ).toEqual([]);
  expect(said).toMatch(/no fault\n$/);
});
