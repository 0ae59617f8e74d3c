// Electron's entry: composes the workbench and puts it on the desktop. Listens on no port.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { app, dialog, safeStorage, session } from "electron";

import type { WindowWish } from "../shared/contract/window.ts";
import type { LoginEnvironment } from "./engine/ports/command.ts";
import { type Log, openLog } from "./logging/log.ts";
import { noteAbandoned } from "./shells/abandonedRuns.ts";
import { dataFolder } from "./shells/dataFolder.ts";
import { openDesktop } from "./shells/electron/desktop.ts";
import { readLaunch, wishOf } from "./shells/electron/launch.ts";
import { isFromShell, loginShell, readLoginEnvironment } from "./shells/electron/loginShell.ts";
import { createKeyStore } from "./shells/electron/secrets.ts";
import { forbidNavigation, registerScheme, secureSession } from "./shells/electron/security.ts";
import { preloadIn } from "./shells/electron/windows.ts";
import { readRendererFiles } from "./shells/rendererFiles.ts";
import { appVersion } from "./version.ts";
import { openWorkbench } from "./workbench.ts";

/** How long closing the journal may hold up quitting, in ms. */
const closeLimitMs = 10_000;

const home = dataFolder(process.env);

// One process for each data folder: a second start shows the first. Electron's own files lie beside the journal.
mkdirSync(join(home, "desktop"), { recursive: true, mode: 0o700 });
app.setPath("userData", join(home, "desktop"));
app.setName("Coppice");
app.setAppUserModelId("coppice");
app.enableSandbox();
registerScheme();
forbidNavigation(app);

if (app.requestSingleInstanceLock()) {
  // Not awaited: Electron is not ready before this module is.
  void app.whenReady().then(start).catch(fail);
} else {
  app.quit();
}

/** A link that starts the application on a Mac comes as an event, before anybody is there to follow it. */
let firstLink: WindowWish | null = null;
app.once("open-url", (event, url) => {
  event.preventDefault();
  firstLink = wishOf(url);
});

async function start(): Promise<void> {
  const log = openLog(home);
  noteFailures(log);
  const login = askLoginShell();
  const keys = createKeyStore(safeStorage, home);
  const workbench = await openWorkbench({ home, keys, ...(login === null ? {} : { login }) });
  if (!workbench.ok) {
    dialog.showErrorBox("Coppice cannot open its journal", workbench.error.message);
    return app.exit(1);
  }
  const { source, runs } = workbench.value;
  secureSession(session.defaultSession, await readRendererFiles(join(import.meta.dirname, "../renderer")), log);
  closeBeforeQuit(async () => {
    await workbench.value.close();
    log.close();
  });
  registerLinks();
  app.setAboutPanelOptions({ applicationName: "Coppice", applicationVersion: appVersion() });
  await openDesktop(
    {
      source,
      log,
      home,
      version: appVersion(),
      preload: preloadIn(import.meta.dirname),
      stateFile: join(home, "desktop", "window.json"),
      drivenRuns: () => runs.drivenHere(),
      placeOf: (run, agent) => workbench.value.placeOf(run, agent),
    },
    firstLink ?? readLaunch(process.argv.slice(1), process.cwd(), app.getAppPath()),
  );
  workbench.value.keepUp();
  noteAbandoned(log, await runs.resumeAbandoned());
}

/** From a dock or a menu the application gets a short PATH. The window does not wait for the answer; commands do, and git has it from then on. `null`: a shell has started us, or there is none. */
function askLoginShell(): Promise<LoginEnvironment> | null {
  const shell = process.platform === "win32" || isFromShell(process.env) ? null : loginShell(process.env);
  if (shell === null) return null;
  const login = readLoginEnvironment({ shell, env: process.env });
  void login.then(({ variables }) => {
    if (variables?.["PATH"] !== undefined) process.env["PATH"] = variables["PATH"];
  });
  return login;
}

function fail(error: unknown): void {
  dialog.showErrorBox("Coppice could not start", error instanceof Error ? error.message : String(error));
  app.exit(1);
}

/** `coppice://…` leads here. From a checkout the program is Electron itself, which must be told what to open. */
function registerLinks(): void {
  if (process.defaultApp) app.setAsDefaultProtocolClient("coppice", process.execPath, [app.getAppPath()]);
  else app.setAsDefaultProtocolClient("coppice");
}

function noteFailures(log: Log): void {
  process.on("uncaughtExceptionMonitor", (error) => log.note("process.failed", { error: error.name }));
  app.on("child-process-gone", (_event, { type, reason }) => log.note("process.gone", { type, reason }));
}

/** Quitting waits for the journal, but not for ever: whatever is cut off here is what recovery is for. */
function closeBeforeQuit(close: () => Promise<void>): void {
  let isClosed = false;
  let isClosing = false;
  app.on("will-quit", (event) => {
    if (isClosed) return;
    event.preventDefault();
    if (isClosing) return;
    isClosing = true;
    const limit = new Promise((resolve) => setTimeout(resolve, closeLimitMs));
    void Promise.race([close(), limit]).finally(() => {
      isClosed = true;
      app.quit();
    });
  });
}
