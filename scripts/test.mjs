// `npm test`: sets up, then the gates, the build and the end-to-end tests. Its last line on stdout is the total over all
// tests: `N passed, N failed`. A gate that fails without a failing test of its own counts as one failure.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { clearReports, runGates, runTool } from "./check.mjs";
import { root, say, setUp } from "./setup.mjs";

setUp({ browser: true });
clearReports();
const failedGates = runGates();
const isBuilt = runTool("build", "electron-vite/bin/electron-vite.js", ["build", "--logLevel", "warn"]);
if (!isBuilt) failedGates.push("build");
else if (!runTool("e2e", "@playwright/test/cli.js", ["test"])) failedGates.push("e2e");

const unit = readReport("vitest.json");
const { stats = {} } = readReport("playwright.json");
const passed = count(unit.numPassedTests, stats.expected, stats.flaky);
const skipped = count(unit.numPendingTests, unit.numTodoTests, stats.skipped);
const failedUnits = count(unit.numFailedTests);
const failedSpecs = count(stats.unexpected);
const silentGates = failedGates.filter(
  (gate) => !(gate === "tests" && failedUnits > 0) && !(gate === "e2e" && failedSpecs > 0),
);
const failed = failedUnits + failedSpecs + silentGates.length;

if (failedGates.length > 0) say(`failed: ${failedGates.join(", ")}`);
if (passed + failed === 0) say("no test ran");
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);

/**
 * @typedef {{
 *   numPassedTests?: number, numFailedTests?: number, numPendingTests?: number, numTodoTests?: number,
 *   stats?: { expected?: number, unexpected?: number, flaky?: number, skipped?: number },
 * }} Report
 */

/** What a test runner wrote about this run; empty when it did not get that far. @param {string} name */
function readReport(name) {
  const file = join(root, "out/reports", name);
  return /** @type {Report} */ (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
}

/** @param {(number | undefined)[]} numbers */
function count(...numbers) {
  return numbers.reduce((/** @type {number} */ sum, number) => sum + (number ?? 0), 0);
}
