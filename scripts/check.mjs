// `npm run check`: every gate that needs no browser, one after the other, all of them even when one fails.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

import { bundledNode, root, run, say } from "./setup.mjs";

/** @type {readonly (readonly [name: string, ...command: string[]])[]} */
const gates = [
  ["types", "typescript/bin/tsc", "-b"],
  ["lint", "oxlint/bin/oxlint"],
  ["format", "oxfmt/bin/oxfmt", "--check", "."],
  ["knip", "knip/bin/knip.js"],
  ["tests", "vitest/vitest.mjs", "run"],
];

/** Runs all gates and names those that failed. */
export function runGates() {
  return gates.flatMap(([name, program, ...args]) => (runTool(name, program ?? "", args) ? [] : [name]));
}

/** Runs a tool out of node_modules on the bundled Node. @param {string} name @param {string} program @param {string[]} args */
export function runTool(name, program, args) {
  const from = Date.now();
  const passed = run(bundledNode, [join("node_modules", program), ...args]);
  say(`${name} ${passed ? "passed" : "FAILED"} in ${((Date.now() - from) / 1000).toFixed(1)} s`);
  return passed;
}

/** An old report must never be counted as this run's. */
export function clearReports() {
  rmSync(join(root, "out/reports"), { recursive: true, force: true });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  clearReports();
  const failed = runGates();
  say(failed.length > 0 ? `failed: ${failed.join(", ")}` : "all gates passed");
  process.exitCode = failed.length > 0 ? 1 : 0;
}
