// Windows of the stand-in: each is a page in Chromium that the driver holds. Their page comes from the application's own
// protocol handler, and their requests are put before the handlers that the application has set.

import { EventEmitter } from "node:events";
import { readFile } from "node:fs/promises";

import { createStandinIpc } from "../../test/support/standinIpc.ts";
import { allow, ask, cancelable, record, strict } from "./link.ts";

const area = { x: 0, y: 0, width: 1280, height: 800 };
export const screen = strict("screen", { getAllDisplays: () => [{ id: 1, workArea: area }] });

export const ipc = createStandinIpc();

const windows = new Map<number, BrowserWindow>();
let lastId = 0;

let application = new EventEmitter();
/** Whom windows tell what happens to them. */
export function tellWindowsTo(app: EventEmitter): void {
  application = app;
}

interface Frame {
  url: string;
}

class WebContents extends EventEmitter {
  readonly id: number;
  readonly mainFrame: Frame = { url: "" };
  isGone = false;
  mayOpen: (details: Frame) => { readonly action: string } = () => ({ action: "allow" });

  constructor(id: number) {
    super();
    this.id = id;
  }

  getURL(): string {
    return this.mainFrame.url;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }

  send(channel: string, ...args: readonly unknown[]): void {
    void ask("window.send", { id: this.id, channel, args });
  }

  setWindowOpenHandler(handler: WebContents["mayOpen"]): void {
    this.mayOpen = handler;
  }

  forcefullyCrashRenderer(): void {
    this.emit("render-process-gone", {}, { reason: "killed", exitCode: 9 });
  }
}

interface WindowOptions {
  readonly width: number;
  readonly height: number;
  readonly webPreferences: { readonly preload: string };
}

export class BrowserWindow extends EventEmitter {
  readonly id = (lastId += 1);
  readonly webContents = new WebContents(this.id);
  readonly #options: WindowOptions;
  #isOpen = true;
  #isFocused = false;
  isShown = false;

  constructor(options: WindowOptions) {
    super();
    this.#options = options;
    windows.set(this.id, this);
    application.emit("web-contents-created", {}, this.webContents);
    application.emit("browser-window-created", {}, this);
    record("window.opened", { id: this.id, ...options });
  }

  static getAllWindows(): readonly BrowserWindow[] {
    return [...windows.values()];
  }

  async loadURL(url: string): Promise<void> {
    const preload = await readFile(this.#options.webPreferences.preload, "utf8");
    await ask("window.load", { id: this.id, url, preload });
  }

  show(): void {
    this.isShown = true;
    this.focus();
  }

  focus(): void {
    for (const window of windows.values()) window.setFocus(window === this);
  }

  setFocus(isFocused: boolean): void {
    if (this.#isFocused === isFocused) return;
    this.#isFocused = isFocused;
    this.emit(isFocused ? "focus" : "blur");
    application.emit(isFocused ? "browser-window-focus" : "browser-window-blur", {}, this);
    record(isFocused ? "window.focused" : "window.blurred", { id: this.id });
  }

  isFocused(): boolean {
    return this.#isFocused;
  }

  isMinimized(): boolean {
    return false;
  }

  isMaximized(): boolean {
    return false;
  }

  isFullScreen(): boolean {
    return false;
  }

  isDestroyed(): boolean {
    return !this.#isOpen;
  }

  getNormalBounds() {
    const { width, height } = this.#options;
    return { x: 40, y: 40, width, height };
  }

  /** Whether nobody has prevented it. */
  close(): boolean {
    const event = cancelable();
    this.emit("close", event);
    if (!event.defaultPrevented) this.destroy();
    return !event.defaultPrevented;
  }

  destroy(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.webContents.isGone = true;
    windows.delete(this.id);
    this.webContents.emit("destroyed");
    this.emit("closed");
    void ask("window.close", { id: this.id });
    if (windows.size === 0) application.emit("window-all-closed");
  }
}

type Answering = (request: Request) => Response | Promise<Response>;
type Deciding = (details: Frame, decide: (answer: { readonly cancel?: boolean }) => void) => void;
const protocols = new Map<string, Answering>();
let beforeRequest: Deciding = (_details, decide) => decide({});

export const session = strict("session", {
  defaultSession: strict("session.defaultSession", {
    protocol: strict("session.protocol", {
      handle: (scheme: string, handler: Answering) => void protocols.set(`${scheme}:`, handler),
    }),
    webRequest: strict("session.webRequest", {
      onBeforeRequest: (listener: Deciding) => void (beforeRequest = listener),
    }),
    setPermissionRequestHandler: () => record("session.permissions"),
    setPermissionCheckHandler: () => record("session.permissions"),
    setDevicePermissionHandler: () => record("session.permissions"),
  }),
});

export const protocol = strict("protocol", {
  registerSchemesAsPrivileged: (schemes: unknown) => record("protocol.registered", schemes),
});

interface OfWindow {
  readonly id: number;
}

function requireWindow({ id }: OfWindow): BrowserWindow {
  const window = windows.get(id);
  if (window === undefined) throw new Error(`There is no window ${id}.`);
  return window;
}

/** What the world outside would answer, to whoever gets there. */
const outside: Answering = () =>
  new Response("outside", { headers: { "access-control-allow-origin": "*", "content-type": "text/plain" } });

allow("page.request", async ({ url, method }: Frame & { readonly method: string }) => {
  const { cancel } = await new Promise<{ readonly cancel?: boolean }>((resolve) => beforeRequest({ url }, resolve));
  if (cancel === true) return null;
  const handler = protocols.get(new URL(url).protocol) ?? outside;
  const { status, headers, ...response } = await read(await handler(new Request(url, { method })));
  return { status, headers, ...response };
});

async function read(response: Response) {
  const body = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

allow("page.navigating", (of: OfWindow & Frame) => {
  const event = cancelable({ url: of.url });
  requireWindow(of).webContents.emit("will-navigate", event);
  record("page.navigating", { url: of.url, isAllowed: !event.defaultPrevented });
  return !event.defaultPrevented;
});
allow("page.opening", (of: OfWindow & Frame) => {
  const isAllowed = requireWindow(of).webContents.mayOpen(of).action === "allow";
  record("page.opening", { url: of.url, isAllowed });
  return isAllowed;
});
/** `isNew`: another document, and not the same at another address. */
allow("page.navigated", ({ id, url, isNew }: OfWindow & Frame & { readonly isNew: boolean }) => {
  const window = windows.get(id);
  if (window === undefined) return;
  window.webContents.mainFrame.url = url;
  if (!isNew) return;
  window.webContents.emit("did-navigate", {}, url);
  if (!window.isShown) window.emit("ready-to-show");
});
interface Invocation extends OfWindow, Frame {
  /** Whether it is the window's own frame that asks, and none in it. */
  readonly isMain: boolean;
  readonly channel: string;
  readonly args: readonly unknown[];
}
allow("page.invoke", async ({ id, channel, args, url, isMain }: Invocation) => {
  const { webContents } = requireWindow({ id });
  const senderFrame = isMain && url === webContents.mainFrame.url ? webContents.mainFrame : { url };
  try {
    return { value: await ipc.invoke({ sender: webContents, senderFrame }, channel, args) };
  } catch (error) {
    return { failure: String(error) };
  }
});
allow("window.close", (of: OfWindow) => void requireWindow(of).close());
allow("window.focus", (of: OfWindow) => requireWindow(of).focus());
allow("window.blur", () => {
  for (const window of windows.values()) window.setFocus(false);
});
allow("window.crash", (of: OfWindow) => {
  requireWindow(of).webContents.emit("render-process-gone", {}, { reason: "crashed", exitCode: 5 });
});
