// The list of 1,000 runs as a person meets it: until it is painted, against an empty page and against a list without runs.
// The runs are told to the store as the core would, not driven.

import { join } from "node:path";

import type { Browser } from "@playwright/test";

import { startServer, stop } from "../e2e/fixtures/shells.ts";
import type { RunId } from "../src/shared/contract/ids.ts";
import { withStore, writeRun } from "../test/support/longRun.ts";
import { Story } from "../test/support/runStory.ts";
import { inBenchFolder } from "./benchFolder.ts";
import { type EmptyPage, firstPaintOf, inBrowser, openSession, serveEmptyPage, type Session } from "./browser.ts";
import { alternateTaken, type Bench, type Figure } from "./figures.ts";

const runCount = 1_000;
const dayMs = 86_400_000;
/** A run of the list, by what a person can choose; without any run, what says so. */
const aRun = ".rail-list [role=option]";
const noRun = ".welcome";

export const runList: Bench = {
  name: "list",
  about:
    "From the navigation to the frame that shows the list, in a browser without caches. An empty page asks for one file and runs nothing; a window reads its script, connects, is told of the runs and draws them. Ten times an empty page is meant to stay below half a second where that takes 50 ms. The window without a run is the same without the list and without the run that the list opens with: its graph, its timeline, its transcript.",
  measure: () =>
    inBenchFolder(async (folder) => {
      await withStore(join(folder, "full"), async (store) => {
        for (let number = 0; number < runCount; number++) await writeRun(store, tellRun(number).events);
      });
      return inBrowser((browser) => paints(browser, join(folder, "full"), join(folder, "bare")));
    }),
};

async function paints(browser: Browser, full: string, bare: string): Promise<readonly Figure[]> {
  const empty = await serveEmptyPage();
  try {
    return await inShell(browser, full, (listed) =>
      inShell(browser, bare, (unlisted) => compare(browser, { listed, unlisted, empty })),
    );
  } finally {
    await empty.close();
  }
}

interface Pages {
  readonly listed: Shell;
  readonly unlisted: Shell;
  readonly empty: EmptyPage;
}

async function compare(browser: Browser, { listed, unlisted, empty }: Pages): Promise<readonly Figure[]> {
  const list = () => firstPaintOf(browser, listed.address, aRun, listed.session);
  const beside = await alternateTaken(list, () => firstPaintOf(browser, empty.url, empty.shows));
  const without = await alternateTaken(list, () => firstPaintOf(browser, unlisted.address, noRun, unlisted.session));
  const what = `a store of ${runCount} runs, until its list is painted`;
  return [
    { what, ...beside, against: "an empty page", goal: 10 },
    { what: "the same", ...without, against: "the window without a run", goal: 1.5 },
  ];
}

interface Shell {
  readonly session: Session;
  readonly address: string;
}

/** A served workbench on the data folder `home`, for as long as `act` takes. */
async function inShell<T>(browser: Browser, home: string, act: (shell: Shell) => Promise<T>): Promise<T> {
  const served = await startServer(home);
  try {
    return await act({ session: await openSession(browser, served.url), address: new URL("/", served.url).href });
  } finally {
    await stop(served.process);
  }
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
