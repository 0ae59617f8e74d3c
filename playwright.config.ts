// End-to-end tests, in every shell that this machine has. Specs do not know which shell they run in: the fixtures look at
// the project's name. Every spec runs in the browser; those that a shell could break (`@shells`) run in all, and what only a
// desktop has (`@desktop`) on the stand-in. The gate leaves out second looks in the dark, most of the stand-in's `@shells`,
// and traces, which cost a good part (`--trace on` has them); COPPICE_TESTS=all has it all. A project that is left out says why.

import { join } from "node:path";

import { defineConfig } from "@playwright/test";

import { findChromium } from "./scripts/chromium.mjs";
import { findElectron, findObstacle } from "./scripts/electron.mjs";

// As in vitest.config.ts: each spec starts a server, or the whole application.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/node");

/** As in test/support/thorough.ts. */
const isThorough = process.env["COPPICE_TESTS"] === "all";
const chromium = findChromium();
const electron = findElectron();

const noChromium = chromium ? undefined : "no Chromium; install it or set COPPICE_CHROMIUM";
const noElectron = electron ? findObstacle() : "Electron's binary is not here";

const shells = [
  { obstacle: noChromium, project: { name: "browser", grepInvert: /@desktop/ } },
  {
    obstacle: noChromium,
    project: { name: "standin", grep: isThorough ? /@desktop|@shells/ : /@desktop|lists the demo/ },
  },
  { obstacle: noElectron, project: { name: "electron", grep: /@shells/ } },
];

// Workers and knip load this file too; once, in the run itself, is enough.
if (process.env["TEST_WORKER_INDEX"] === undefined && process.argv.includes("test")) {
  for (const { project, obstacle } of shells) if (obstacle) console.log(`${project.name} skipped: ${obstacle}`);
}

if (shells.every(({ obstacle }) => obstacle)) throw new Error("No shell to test in: install Chromium.");

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/fixtures/globalSetup.ts",
  projects: shells.filter(({ obstacle }) => !obstacle).map(({ project }) => project),
  workers: 2,
  timeout: 120_000,
  // A busy machine may take its time, a hanging page may not.
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env["CI"]),
  reporter: [["list"], ["json", { outputFile: "out/reports/playwright.json" }]],
  use: {
    browserName: "chromium",
    launchOptions: chromium ? { executablePath: chromium } : {},
    viewport: { width: 1280, height: 800 },
    // Nothing waits for a card to have slid in, and two cores draw less.
    contextOptions: { reducedMotion: "reduce" },
    trace: isThorough ? "retain-on-failure" : "off",
    screenshot: "only-on-failure",
  },
});
