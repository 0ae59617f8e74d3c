// The window: its size, its ground, its preload. What it may do is in security.ts.

import { BrowserWindow, nativeTheme } from "electron";

import { pageUrl } from "./security.ts";

/** `--ground` of styles/tokens.css, so that nothing flashes before the page has painted. */
const ground = { light: "#f2f1ec", dark: "#141210" };

/** How often a page that died is loaded again before the window closes: more would only die again. */
const maxReloads = 2;

/** Makes the window and starts loading its page; it shows itself once there is something to see. `preload` is the path of the built bridge. */
export function openMainWindow(preload: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 480,
    minHeight: 360,
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
    },
  });
  window.once("ready-to-show", () => window.show());
  reloadWhenGone(window);
  void window.loadURL(pageUrl);
  return window;
}

/** A page that died leaves a white window; runs go on in this process, so it is simply loaded again. */
function reloadWhenGone(window: BrowserWindow): void {
  let reloadCount = 0;
  window.webContents.on("render-process-gone", (_event, { reason }) => {
    if (reason === "clean-exit" || window.isDestroyed()) return;
    reloadCount += 1;
    if (reloadCount > maxReloads) window.destroy();
    else void window.loadURL(pageUrl);
  });
}
