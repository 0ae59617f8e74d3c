// A real Chromium as a measure: how long until something was painted, and how long each frame takes; of the built
// renderer, and of an empty page beside it that is opened in the same way.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Browser, Page } from "@playwright/test";

import { openChromium } from "../e2e/fixtures/chromium.ts";

const size = { width: 1280, height: 800 };

/** Within so many ms whatever is waited for must be there, for a measurement to have a meaning. */
const limitMs = 120_000;

export interface EmptyPage {
  readonly url: string;
  /** Where its one paragraph is. */
  readonly shows: string;
  close(): Promise<void>;
}

/** A Chromium without a window for as long as `act` takes. */
export async function inBrowser<T>(act: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await openChromium();
  try {
    return await act(browser);
  } finally {
    await browser.close();
  }
}

/** A page of the given `browser` at the size of a small window. `storage`: cookies of a session that was opened before. */
export async function openPage(browser: Browser, storage?: Session): Promise<Page> {
  const page = await browser.newPage({ viewport: size, ...(storage === undefined ? {} : { storageState: storage }) });
  page.setDefaultTimeout(limitMs);
  return page;
}

export type Session = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

/** Exchanges the token of a served workbench's `url`: what later pages need to be let in. */
export async function openSession(browser: Browser, url: string): Promise<Session> {
  const page = await openPage(browser);
  await page.goto(url);
  await page.waitForURL((address) => !address.searchParams.has("token"));
  const session = await page.context().storageState();
  await page.context().close();
  return session;
}

/** A page with one paragraph, from a server of its own on loopback. The caller closes it. */
export async function serveEmptyPage(): Promise<EmptyPage> {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end("<!doctype html><html lang=en><title>Empty</title><p>Nothing.</p></html>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    shows: "p",
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Ms from the beginning of the navigation to the frame that shows `shows` (a selector), in a context with empty caches. */
export async function firstPaintOf(browser: Browser, url: string, shows: string, session?: Session): Promise<number> {
  const page = await openPage(browser, session);
  await page.addInitScript((selector) => {
    const look = (): void => {
      if (document.querySelector(selector) === null) requestAnimationFrame(look);
      // Behind the frame: what it holds has been laid out and painted by then.
      else setTimeout(() => document.documentElement?.setAttribute("data-painted", String(performance.now())));
    };
    requestAnimationFrame(look);
  }, shows);
  try {
    await page.goto(url);
    const root = page.locator("html[data-painted]");
    return Number(await root.getAttribute("data-painted"));
  } finally {
    await page.context().close();
  }
}

/** What a page was like while it was looked at. */
export interface Watched {
  /** How long each frame took, ms, as the page's own clock says. */
  readonly frames: readonly number[];
  /** The most that its main thread did in one go, ms of processor time: what a busy machine does not make longer. */
  readonly longestTaskMs: number;
}

/** Looks at `page`, the only one of its browser that does anything, for so many ms. */
export async function watchPage(browser: Browser, page: Page, forMs: number): Promise<Watched> {
  await browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
  const frames = await framesOf(page, forMs);
  return { frames, longestTaskMs: longestTaskIn((await browser.stopTracing()).toString("utf8")) };
}

function framesOf(page: Page, forMs: number): Promise<readonly number[]> {
  return page.evaluate(
    (forMs) =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        requestAnimationFrame((first) => {
          let last = first;
          requestAnimationFrame(function next(now) {
            frames.push(now - last);
            last = now;
            if (now - first < forMs) requestAnimationFrame(next);
            else resolve(frames);
          });
        });
      }),
    forMs,
  );
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time, µs. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

function longestTaskIn(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { readonly traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}:${tid}`;
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map((event) => threadOf(event)),
  );
  const tasks = traceEvents.filter(
    (event) => event.name === "ThreadControllerImpl::RunTask" && mains.has(threadOf(event)),
  );
  if (tasks.length === 0) throw new Error("Chromium's trace names no task of the page; this reads another form of it.");
  return Math.max(...tasks.map(({ tdur }) => tdur ?? 0)) / 1_000;
}
