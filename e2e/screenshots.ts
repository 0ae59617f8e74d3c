// `npm run screenshots`: the pictures of README and guide, taken from the built workbench on the demo's run and on the
// same work once more, as it stands when it asks for something. Writes docs/images, a dark and a light one of each.

import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";

import type { Browser, Page } from "@playwright/test";

import { type ScriptedEntry, startScriptedModel } from "../test/support/scriptedModel.ts";
import { createTempRepository } from "../test/support/tempRepository.ts";
import { openChromium } from "./fixtures/chromium.ts";
import { runBuilt, startServer, stop } from "./fixtures/shells.ts";

const root = join(import.meta.dirname, "..");
const images = join(root, "docs/images");
const size = { width: 1280, height: 800 };
const task = "Payments are sometimes charged twice. Find out why, and fix it.";
const checks = ["node --test", "node checks/double-charge.js"].flatMap((line) => ["--verify", line]);

interface Picture {
  readonly name: string;
  /** The address, below the server's. */
  readonly place: string;
  /** What is there once the screen is whole. */
  readonly shows: string | RegExp;
  /** Something to do before the picture is taken. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** Runs of the data folder by what they stand for in the pictures. */
interface Runs {
  readonly finished: string;
  readonly inReview: string;
}

function pictures({ finished, inReview }: Runs, folder: string): readonly Picture[] {
  const review = `?run=${inReview}&review=subagent-3.1`;
  return [
    { name: "run", place: `?run=${inReview}`, shows: "Ready to review" },
    { name: "replay", place: `?run=${finished}&at=70`, shows: /event 70/ },
    { name: "transcript", place: `?run=${finished}&agent=subagent-3`, shows: "Executor", before: tab("Transcript") },
    { name: "review", place: review, shows: /^Land /, before: untilColoured },
    { name: "inbox", place: "?view=inbox", shows: /Run this command|Change set/ },
    {
      name: "new-run",
      place: `?view=new&folder=${encodeURIComponent(folder)}`,
      shows: "Side by side",
      before: fillTask,
    },
    { name: "search", place: "?view=search", shows: "everything", before: search("claimCallback") },
    { name: "settings", place: "?view=settings&section=approvals", shows: "Approvals" },
  ];
}

const tab = (name: string) => (page: Page) => page.getByRole("tab", { name }).click();
/** The colours of code come from a thread of their own, after the lines. */
const untilColoured = (page: Page) => page.locator(".sy-keyword").first().waitFor();
const fillTask = (page: Page) => page.getByLabel("Task").fill(task);
const search = (words: string) => async (page: Page) => {
  await page.getByRole("searchbox").last().fill(words);
  await page.getByText(words).nth(1).waitFor();
};

const folder = await mkdtemp(join(tmpdir(), "coppice-screenshots-"));
// The demo leaves its repository to whoever asked for it; here it goes with everything else.
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = folder;
const home = join(folder, "home");
const sample = createTempRepository(await filesBelow(join(root, "resources/sample")));
const model = await startScriptedModel(await demoEntries());
const browser = await openChromium();
try {
  await mkdir(images, { recursive: true });
  await runBuilt(home, ["demo", "--quiet"], 0);
  const again = ["run", "--repo", sample.folder, "--task", task, "--model", "recorded", "--base-url", model.baseUrl];
  await runBuilt(home, [...again, ...checks, "--commands", "allow", "--quiet"], 3);
  await runBuilt(home, [...again, ...checks, "--quiet"], 3);
  const listed = (await runBuilt(home, ["runs", "--json"], 0)).trim().split("\n");
  const [, inReview, finished] = listed.map((line) => (JSON.parse(line) as { readonly run: string }).run);
  if (inReview === undefined || finished === undefined) throw new Error(`Too few runs: ${listed.length}`);
  await takeAll(browser, pictures({ finished, inReview }, sample.folder));
} finally {
  await browser.close();
  await model.close();
  sample.cleanup();
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function takeAll(from: Browser, all: readonly Picture[]): Promise<void> {
  // The settings show where commands find programs: that of any system, not of whoever takes the pictures.
  process.env["PATH"] = "/usr/local/bin:/usr/bin:/bin";
  const served = await startServer(home);
  const { origin } = new URL(served.url);
  try {
    const first = await from.newContext();
    await (await first.newPage()).goto(served.url);
    const session = await first.storageState();
    for (const scheme of ["dark", "light"] as const) {
      const context = await from.newContext({ viewport: size, colorScheme: scheme, storageState: session });
      for (const picture of all) await take(await context.newPage(), origin, picture, scheme);
      await context.close();
    }
  } finally {
    await stop(served.process);
  }
}

async function take(
  page: Page,
  origin: string,
  { name, place, shows, before }: Picture,
  scheme: string,
): Promise<void> {
  await page.goto(`${origin}/${place}`);
  await page.getByText(shows).first().waitFor();
  await before?.(page);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  const path = join(images, `${name}-${scheme}.png`);
  // Carets blink and cards slide in: both stand still in a picture.
  await page.screenshot({ path, animations: "disabled", caret: "hide" });
  await page.close();
  console.log(relative(root, path));
}

/** The demo's recorded answers, for a server on loopback. */
async function demoEntries(): Promise<readonly ScriptedEntry[]> {
  const file = await readFile(join(root, "resources/demo/model.json"), "utf8");
  const { entries } = JSON.parse(file) as {
    readonly entries: readonly {
      readonly match: string;
      readonly turns: readonly {
        readonly text?: string;
        readonly reasoning?: string;
        readonly calls?: readonly { readonly name: string; readonly arguments: unknown }[];
        readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
      }[];
    }[];
  };
  return entries.map(({ match, turns }) => ({
    match: new RegExp(match),
    turns: turns.map(({ calls, usage, ...said }) => ({
      ...said,
      ...(calls === undefined ? {} : { calls: calls.map((call) => ({ name: call.name, args: call.arguments })) }),
      ...(usage === undefined
        ? {}
        : { usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } }),
    })),
  }));
}

async function filesBelow(folder: string): Promise<Readonly<Record<string, Uint8Array>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [relative(folder, file), await readFile(file)] as const)),
  );
}
