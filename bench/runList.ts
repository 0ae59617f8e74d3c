// The list of 1,000 runs as a person meets it: until it is painted, against an empty page and against a list without runs.
// The runs are told to the store as the core would, not driven.

import { join } from "node:path";

import type { Browser } from "@playwright/test";

import { openChromium } from "../e2e/fixtures/chromium.ts";
import { startServer, stop } from "../e2e/fixtures/shells.ts";
import type { RunId } from "../src/shared/contract/ids.ts";
import { Story } from "../test/support/runStory.ts";
import { inBenchFolder } from "./benchFolder.ts";
import { firstPaintOf, openSession, serveEmptyPage } from "./browser.ts";
import { alternateTaken, type Bench, type Figure } from "./figures.ts";
import { withStore, writeRun } from "./longRun.ts";

const runCount = 1_000;
const dayMs = 86_400_000;
/** A run of the list, by what a person can choose; without any run, what says so. */
const aRun = ".rail-list [role=option]";
const noRun = ".welcome, .rail";

export const runList: Bench = {
  name: "list",
  measure: () =>
    inBenchFolder(async (folder) => {
      await withStore(join(folder, "full"), async (store) => {
        for (let number = 0; number < runCount; number++) await writeRun(store, tellRun(number).events);
      });
      return inBrowser((browser) => paints(browser, join(folder, "full"), join(folder, "bare")));
    }),
};

async function inBrowser<T>(act: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await openChromium();
  try {
    return await act(browser);
  } finally {
    await browser.close();
  }
}

async function paints(browser: Browser, full: string, bare: string): Promise<readonly Figure[]> {
  const empty = await serveEmptyPage();
  const [listed, unlisted] = [await openShell(browser, full), await openShell(browser, bare)];
  try {
    const list = () => firstPaintOf(browser, listed.address, aRun, listed.session);
    const beside = await alternateTaken(list, () => firstPaintOf(browser, empty.url, empty.shows));
    const without = await alternateTaken(list, () => firstPaintOf(browser, unlisted.address, noRun, unlisted.session));
    const what = `the list of ${runCount} runs, until it is painted`;
    return [
      { what, ...beside, against: "an empty page", goal: 15 },
      { what: "the same", ...without, against: "the window without a run", goal: 1.5 },
    ];
  } finally {
    for (const closing of [empty, listed, unlisted]) await closing.close();
  }
}

async function openShell(browser: Browser, home: string) {
  const served = await startServer(home);
  const session = await openSession(browser, served.url);
  return { session, address: new URL("/", served.url).href, close: () => stop(served.process) };
}

/** A run as most of them are: two explorers and an executor, stopped; every twentieth still waits for a review. */
function tellRun(number: number): Story {
  const story = new Story({
    run: `bench${String(number).padStart(6, "0")}` as RunId,
    title: `Find out why payment ${number} was charged twice, and mend what charges it`,
    now: Date.now() - dayMs - (runCount - number) * 60_000,
  }).start();
  story.complete(story.spawn());
  story.complete(story.spawn({ task: "Read the journal of the till." }));
  const writer = story.spawn({ role: "executor", paths: ["pay.js"] });
  const changeset = story.review(writer);
  if (number % 20 === 0) return story;
  story.decide(writer, "approved");
  story.land(changeset);
  story.settle(writer);
  story.speak();
  story.must({ type: "run.stop" });
  return story;
}
