// A real Chromium as a measure: how long until something was painted, and how long each frame takes; of the built
// renderer, and of an empty page beside it that is opened in the same way.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import type { Browser, Page } from "@playwright/test";

const size = { width: 1280, height: 800 };

/** Within so many ms whatever is waited for must be there, for a measurement to have a meaning. */
const limitMs = 120_000;

export interface EmptyPage {
  readonly url: string;
  /** Where its one paragraph is. */
  readonly shows: string;
  close(): Promise<void>;
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

/** How long each frame of `page` took over so many ms, as its own clock says. */
export function framesOf(page: Page, forMs: number): Promise<readonly number[]> {
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
