// End-to-end tests, in every shell that this machine has. Specs do not know which shell they run in: the fixtures look at
// the project's name. A project that is left out says why.

import { existsSync } from "node:fs";

import { defineConfig } from "@playwright/test";

import { findChromium } from "./scripts/chromium.mjs";
import { findElectron, findObstacle } from "./scripts/electron.mjs";

const chromium = findChromium();
const electron = findElectron();

const noChromium = chromium ? undefined : "no Chromium; install it or set COPPICE_CHROMIUM";
const noStandin = existsSync("e2e/standin/register.mjs") ? undefined : "e2e/standin/register.mjs is not there";
const noElectron = electron ? findObstacle() : "Electron's binary is not here";

const projects = [
  { name: "browser", obstacle: noChromium },
  { name: "standin", obstacle: noChromium ?? noStandin },
  { name: "electron", obstacle: noElectron },
];

// Workers and knip load this file too; once, in the run itself, is enough.
if (process.env["TEST_WORKER_INDEX"] === undefined && process.argv.includes("test")) {
  for (const { name, obstacle } of projects) if (obstacle) console.log(`${name} skipped: ${obstacle}`);
}

if (projects.every(({ obstacle }) => obstacle)) throw new Error("No shell to test in: install Chromium.");

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  projects: projects.filter(({ obstacle }) => !obstacle).map(({ name }) => ({ name })),
  workers: 2,
  timeout: 60_000,
  forbidOnly: Boolean(process.env["CI"]),
  reporter: [["list"], ["json", { outputFile: "out/reports/playwright.json" }]],
  use: {
    browserName: "chromium",
    launchOptions: chromium ? { executablePath: chromium } : {},
    viewport: { width: 1280, height: 800 },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
