// A page of Chromium as a window of the stand-in: the built preload runs before the page does, the application's own
// protocol answers its requests, and what it may not do is asked of the application first.

import type { Page, Request as PageRequest, Route } from "@playwright/test";

/** What stands for `coppice://app/`, which Chromium does not know. A secure origin, as that one is. */
export const standinOrigin = "https://coppice.invalid";
const appUrl = "coppice://app";

/** Asks the application for something it allows; see windows.mjs. */
export type AskApp = (what: string, detail: unknown) => Promise<unknown>;

interface Served {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

export const toAppUrl = (url: string) => url.replace(standinOrigin, appUrl);
export const toPageUrl = (url: string) => url.replace(appUrl, standinOrigin);

/** Hands a message of the application to the page, if one is there to hear it. */
export type Deliver = (channel: string, args: readonly unknown[]) => Promise<void>;

/** Makes `page` the window `id`. To be done once, before it loads anything of the application. */
export async function adoptPage(page: Page, id: number, preload: string, ask: AskApp): Promise<Deliver> {
  await page.exposeBinding("standinInvoke", ({ frame }, channel: string, args: readonly unknown[]) =>
    ask("page.invoke", { id, channel, args, url: toAppUrl(frame.url()), isMain: frame === page.mainFrame() }),
  );
  // As text, since the page's policy forbids it to make functions of strings.
  await page.addInitScript(`(${runPreload.toString()})((require, module, exports) => {\n${preload}\n});`);
  // Where the application has quit, nobody answers.
  await page.route("**/*", (route, request) =>
    answerRequest(route, request, page, id, ask).catch(() => route.abort().catch(() => undefined)),
  );
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame())
      void ask("page.navigated", { id, url: toAppUrl(frame.url()), isNew: false }).catch(() => undefined);
  });
  page.on("domcontentloaded", () => {
    void ask("page.navigated", { id, url: toAppUrl(page.url()), isNew: true }).catch(() => undefined);
  });
  page.on("popup", async (popup) => {
    const mayOpen = await ask("page.opening", { id, url: popup.url() }).catch(() => false);
    if (mayOpen !== true) await popup.close();
  });
  // Not `page.evaluate`: a trace would take a picture of the page for each of thirty messages a second.
  const line = await page.context().newCDPSession(page);
  return async (channel, args) => {
    const expression = `globalThis.standinDeliver?.(${JSON.stringify(channel)}, ${JSON.stringify(args)})`;
    // Between two pages there is nobody: the next one asks anew.
    await line.send("Runtime.evaluate", { expression }).catch(() => undefined);
  };
}

async function answerRequest(route: Route, request: PageRequest, page: Page, id: number, ask: AskApp): Promise<void> {
  const url = request.url();
  const isOwn = url.startsWith(`${standinOrigin}/`);
  if (!isOwn && request.isNavigationRequest() && request.frame() === page.mainFrame()) {
    // The page stays where it is, as if nothing had been asked.
    if ((await ask("page.navigating", { id, url })) !== true) return route.abort("aborted");
  }
  const served = (await ask("page.request", { url: toAppUrl(url), method: request.method() })) as Served | null;
  if (served === null) return route.abort();
  const { status, headers, body } = served;
  return route.fulfill({ status, headers, body: Buffer.from(body) });
}

/** Runs in the page, before anything else does: a module scope with the part of `electron` that a sandboxed preload has. */
function runPreload(preload: (require: (name: string) => object, module: object, exports: object) => void): void {
  type Listener = (event: object, ...args: unknown[]) => void;
  const page = window as unknown as Record<string, unknown>;
  // As in Electron without `nodeIntegrationInSubFrames`: what a frame in the page holds has no preload, and no way out.
  if (window.parent !== window) return void delete page["standinInvoke"];
  const invokeBound = page["standinInvoke"] as (
    channel: string,
    args: unknown,
  ) => Promise<{ readonly value?: unknown; readonly failure?: string }>;
  const listeners = new Map<string, Set<Listener>>();

  const ipcRenderer = {
    async invoke(channel: string, ...args: unknown[]) {
      const answer = await invokeBound(channel, structuredClone(args));
      if (answer.failure !== undefined) throw new Error(answer.failure);
      return structuredClone(answer.value);
    },
    on(channel: string, listener: Listener) {
      listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener));
    },
    off: (channel: string, listener: Listener) => void listeners.get(channel)?.delete(listener),
  };
  const contextBridge = {
    exposeInMainWorld(name: string, api: object) {
      Object.defineProperty(window, name, { value: Object.freeze({ ...api }), enumerable: true });
    },
  };
  const deliver = (channel: string, args: readonly unknown[]) => {
    for (const listener of listeners.get(channel) ?? []) listener({}, ...structuredClone(args));
  };
  Object.defineProperty(window, "standinDeliver", { value: deliver });
  // The page has what the preload gives it, and not the way to the application itself.
  delete page["standinInvoke"];

  const requireElectron = (name: string) => {
    if (name !== "electron") throw new Error(`A sandboxed preload cannot require ${name}.`);
    return { contextBridge, ipcRenderer };
  };
  const module = { exports: {} };
  preload(requireElectron, module, module.exports);
}
