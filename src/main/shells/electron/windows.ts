// The windows: how one is made, where it stands, what happens when its page dies, and how the application speaks to the
// one in front. What a window may do is in security.ts.

import { join } from "node:path";

import { BrowserWindow, dialog, nativeTheme, screen } from "electron";

import type { WindowWish } from "../../../shared/contract/window.ts";
import type { Log } from "../../logging/log.ts";
import type { Host } from "../host.ts";
import { afterCrash } from "./crashes.ts";
import { pageUrl } from "./security.ts";
import { fitBounds, followWindowState, readWindowState, smallest, type WindowState } from "./windowState.ts";
import { Wishes } from "./wishes.ts";

/** `--ground` of styles/tokens.css, so that nothing flashes before the page has painted. */
const ground = { light: "#f2f1ec", dark: "#141210" };

/** A place that shows no run: whatever killed the page is not opened again by itself. */
const safeSearch = "?view=inbox";

/** How far a further window stands from the one before it, px. */
const offset = 28;

export interface WindowParts {
  /** Path of the built bridge. */
  readonly preload: string;
  /** Where the window's place is kept. */
  readonly stateFile: string;
  readonly isPackaged: boolean;
  readonly log: Log;
  /** Answers the window's page from now on. */
  onOpen(window: BrowserWindow, watch: Host["watch"]): void;
}

export class Windows {
  readonly #parts: WindowParts;
  readonly #open = new Map<BrowserWindow, Wishes>();
  /** In the order in which they had the focus, the last one in front. */
  #order: BrowserWindow[] = [];

  constructor(parts: WindowParts) {
    this.#parts = parts;
  }

  get count(): number {
    return this.#open.size;
  }

  isAnyFocused(): boolean {
    return [...this.#open.keys()].some((window) => window.isFocused());
  }

  /** The window that was last in front; `null` when all are closed. */
  front(): BrowserWindow | null {
    return this.#order.at(-1) ?? null;
  }

  /** Shows the window in front, or a new one, and asks it for something. */
  show(wish: WindowWish | null): void {
    const front = this.front();
    if (front?.isMinimized() === true) front.restore();
    front?.show();
    front?.focus();
    const window = front ?? this.open();
    if (wish !== null) this.#open.get(window)?.ask(wish);
  }

  /** Opens another window. It shows itself once there is something to see. */
  open(): BrowserWindow {
    const isFirst = this.count === 0;
    const state = isFirst ? readWindowState(this.#parts.stateFile) : null;
    const window = new BrowserWindow(this.#options(state));
    const wishes = new Wishes();
    this.#open.set(window, wishes);
    this.#order.push(window);
    window.on("focus", () => {
      this.#order = [...this.#order.filter((one) => one !== window), window];
    });
    window.on("closed", () => {
      this.#open.delete(window);
      this.#order = this.#order.filter((one) => one !== window);
    });
    window.once("ready-to-show", () => {
      if (state?.isMaximized === true) window.maximize();
      window.show();
    });
    window.webContents.on("did-navigate", () => wishes.forgetHeard());
    followWindowState(window, this.#parts.stateFile);
    reloadWhenGone(window, this.#parts.log);
    askWhenStuck(window, this.#parts.log);
    this.#parts.onOpen(window, (listener) => wishes.watch(listener));
    void window.loadURL(pageUrl);
    return window;
  }

  #options(state: WindowState | null): Electron.BrowserWindowConstructorOptions {
    const { preload, isPackaged } = this.#parts;
    const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
    const before = this.front()?.getNormalBounds();
    const saved =
      before === undefined ? (state?.bounds ?? null) : { ...before, x: before.x + offset, y: before.y + offset };
    return {
      ...fitBounds(saved, areas),
      minWidth: smallest.width,
      minHeight: smallest.height,
      fullscreen: state?.isFullScreen === true,
      show: false,
      title: "Coppice",
      backgroundColor: nativeTheme.shouldUseDarkColors ? ground.dark : ground.light,
      webPreferences: {
        preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
        devTools: !isPackaged,
      },
    };
  }
}

/** Where the built bridge is, seen from the built entry's folder. */
export function preloadIn(mainFolder: string): string {
  return join(mainFolder, "../preload/index.cjs");
}

/** A page that died leaves a white window; runs go on in this process, so it is loaded again. */
function reloadWhenGone(window: BrowserWindow, log: Log): void {
  const deaths: number[] = [];
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    if (reason === "clean-exit" || window.isDestroyed()) return;
    deaths.push(Date.now());
    const next = afterCrash(deaths);
    log.note("page.crashed", { reason, count: deaths.length, next });
    const load = (url: string) => void window.loadURL(url);
    if (next === "same") return load(window.webContents.getURL() || pageUrl);
    if (next === "safe") return load(`${pageUrl}${safeSearch}`);
    void askAfterCrashes(window).then((isWanted) => (isWanted ? load(`${pageUrl}${safeSearch}`) : window.destroy()));
  });
}

async function askAfterCrashes(window: BrowserWindow): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    type: "error",
    message: "This window keeps crashing.",
    detail: "Your runs go on. Load the window again, or close it and open another from the menu.",
    buttons: ["Load Again", "Close Window"],
    defaultId: 0,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** A page that answers nothing can be waited for or loaded again; its runs notice neither. */
function askWhenStuck(window: BrowserWindow, log: Log): void {
  let isAsking = false;
  window.on("unresponsive", () => {
    if (isAsking) return;
    isAsking = true;
    log.note("page.stuck");
    void dialog
      .showMessageBox(window, {
        type: "warning",
        message: "The window does not respond.",
        detail: "Your runs go on either way.",
        buttons: ["Wait", "Load Again"],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      })
      .then(({ response }) => {
        isAsking = false;
        if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
      });
  });
}
