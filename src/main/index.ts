// Electron's entry: composes the workbench and opens a window on it. Listens on no port.

import { join } from "node:path";

import { app, dialog, ipcMain, session } from "electron";
import type { BrowserWindow } from "electron";

import { dataFolder } from "./shells/dataFolder.ts";
import { answerIpc } from "./shells/electron/ipc.ts";
import { forbidNavigation, isOwnFrame, registerScheme, secureSession } from "./shells/electron/security.ts";
import { openMainWindow } from "./shells/electron/window.ts";
import { readRendererFiles } from "./shells/rendererFiles.ts";
import type { ShellSource } from "./pages/topicSource.ts";
import { openWorkbench } from "./workbench.ts";

/** How long closing the journal may hold up quitting, in ms. */
const closeLimitMs = 10_000;

registerScheme();
forbidNavigation(app);

// One process, one window: a second start shows the first.
if (app.requestSingleInstanceLock()) await start();
else app.quit();

async function start(): Promise<void> {
  await app.whenReady();
  const workbench = await openWorkbench({ home: dataFolder(process.env) });
  if (!workbench.ok) {
    dialog.showErrorBox("Coppice cannot open its journal", workbench.error.message);
    return app.exit(1);
  }
  const { source } = workbench.value;
  secureSession(session.defaultSession, await readRendererFiles(join(import.meta.dirname, "../renderer")));
  closeBeforeQuit(() => workbench.value.close());

  let window = show(source);
  app.on("second-instance", () => {
    if (window.isDestroyed()) window = show(source);
    if (window.isMinimized()) window.restore();
    window.focus();
  });
  app.on("activate", () => {
    if (window.isDestroyed()) window = show(source);
  });
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
}

function show(source: ShellSource): BrowserWindow {
  const window = openMainWindow(join(import.meta.dirname, "../preload/index.cjs"));
  const stopAnswering = answerIpc(ipcMain, window.webContents, source, isOwnFrame);
  window.once("closed", stopAnswering);
  return window;
}

/** Quitting waits for the journal, but not for ever: whatever is cut off here is what recovery is for. */
function closeBeforeQuit(close: () => Promise<void>): void {
  let isClosed = false;
  app.on("will-quit", (event) => {
    if (isClosed) return;
    event.preventDefault();
    const limit = new Promise((resolve) => setTimeout(resolve, closeLimitMs));
    void Promise.race([close(), limit]).finally(() => {
      isClosed = true;
      app.quit();
    });
  });
}
