// A page that runs out of memory on a long run, and dies. Whoever serves it goes on, the journal stays as it is, and the next
// page shows the run.

import { type Browser, chromium } from "@playwright/test";

import { findChromium } from "../../scripts/chromium.mjs";
import type { RunId } from "../../src/shared/contract/ids.ts";
import type { Desk } from "../support/commandLine.ts";
import { buildCommandLine } from "../support/commandLineBuild.ts";
import type { Running } from "../support/commandProcess.ts";
import { firstLineOf } from "../support/firstLine.ts";
import { tellLongRun, withStore, writeRun } from "../support/longRun.ts";
import type { Bench, Part, Report } from "./round.ts";

const eventCount = 50_000;
/** The run's lead, on the page. */
const shown = '[data-agent="lead"]';
/** What the page may use, MiB: enough to show the run, and soon filled. */
const heapMib = 96;
/** Within so many ms each thing that is waited for must have happened on any machine. */
const limitMs = 120_000;
/** Holds on to more and more. */
const fill = "(() => { const kept = []; for (;;) kept.push(new Array(100_000).fill(kept.length)); })()";

export const pages: Part = { name: "Page out of memory", rows: ["A19", "A20"], run: runPages };

async function runPages(bench: Bench): Promise<Report> {
  if (bench.isShort) return { rounds: 0, figures: "only in the full form", faults: [] };
  const executablePath = findChromium();
  if (executablePath === undefined) return { rounds: 0, figures: "not here: it takes a Chromium", faults: [] };
  await buildCommandLine();
  await using desk = await bench.openDesk();
  const run = await withStore(desk.home, (store) => writeRun(store, tellLongRun(eventCount)));
  const browser = await chromium.launch({ executablePath, args: [`--js-flags=--max-old-space-size=${heapMib}`] });
  try {
    const faults = await dieAndLookAgain(desk, browser, run);
    return { rounds: 1, figures: `one of a run of ${eventCount} events, with ${heapMib} MiB`, faults };
  } finally {
    await browser.close();
  }
}

async function dieAndLookAgain(desk: Desk, browser: Browser, run: RunId): Promise<readonly string[]> {
  const before = (await desk.journal(run)).length;
  const serving = desk.start(["serve"], { limitMs: 5 * limitMs });
  const url = await addressOf(serving);
  const context = await browser.newContext();
  context.setDefaultTimeout(limitMs);
  const address = new URL(`/?run=${run}`, url).href;
  const first = await context.newPage();
  await first.goto(url);
  await first.waitForURL((at) => !at.searchParams.has("token"));
  await first.goto(address);
  await first.locator(shown).first().waitFor();
  const died = first.waitForEvent("crash");
  // It never answers: its page dies of it.
  first.evaluate(fill).catch(() => undefined);
  await died;
  const second = await context.newPage();
  await second.goto(address);
  const isShown = await second
    .locator(shown)
    .first()
    .waitFor()
    .then(
      () => true,
      () => false,
    );
  serving.signal("SIGINT");
  const { code, stderr } = await serving.ended;
  const after = (await desk.journal(run)).length;
  return [
    ...(isShown ? [] : ["the next page does not show the run"]),
    ...(code === 0 ? [] : [`whoever served the page ended with ${code}: ${stderr.trim()}`]),
    ...(after === before ? [] : [`the run had ${before} events and has ${after}`]),
    ...(await desk.faults()),
  ];
}

async function addressOf({ child: { stdout } }: Running): Promise<string> {
  if (stdout === null) throw new Error("It was started without an output.");
  return firstLineOf(stdout, limitMs);
}
