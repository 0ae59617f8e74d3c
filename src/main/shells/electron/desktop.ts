// Puts the application on the desktop: windows, their answers, the menu, notifications, links, and quitting. Everything
// that is decided is decided in the files beside it; this ties Electron's events to them.

import { app, BrowserWindow, dialog, ipcMain, Menu, Notification, powerMonitor, shell } from "electron";

import type { AgentId, RunId } from "../../../shared/contract/ids.ts";
import type { Settings, SettingsSnapshot } from "../../../shared/contract/settings.ts";
import type { RunSnapshot } from "../../../shared/contract/snapshots.ts";
import type { WindowWish } from "../../../shared/contract/window.ts";
import type { Result } from "../../../shared/lib/result.ts";
import type { Log } from "../../logging/log.ts";
import type { ShellSource } from "../../pages/topicSource.ts";
import { type Host, sourceOn } from "../host.ts";
import type { Notice } from "./attention.ts";
import { findEditor } from "./editors.ts";
import { createDesktopCalls } from "./host.ts";
import { answerIpc } from "./ipc.ts";
import { folderWish, readLaunch, wishOf } from "./launch.ts";
import { menuTemplate } from "./menu.ts";
import { startNotifier } from "./notifier.ts";
import { askToQuit, quitButton } from "./quit.ts";
import { isOwnFrame } from "./security.ts";
import { Windows } from "./windows.ts";

export interface DesktopOptions {
  readonly source: ShellSource;
  readonly log: Log;
  /** The data folder. */
  readonly home: string;
  readonly version: string;
  readonly preload: string;
  readonly stateFile: string;
  /** The runs that this process drives. */
  drivenRuns(): readonly RunId[];
  placeOf(run: RunId, agent: AgentId | null): Promise<Result<string>>;
}

/** Opens the first window and stays until the application quits. `first`: what it was started for. */
export async function openDesktop(options: DesktopOptions, first: WindowWish | null): Promise<void> {
  const { source, log } = options;
  const ipc = answerIpc(ipcMain, isOwnFrame, log);
  const windows: Windows = new Windows({
    preload: options.preload,
    stateFile: options.stateFile,
    isPackaged: app.isPackaged,
    log,
    onOpen: (window, watch) => {
      const host: Host = { call: createCalls(options, window, windows), watch };
      ipc.admit(window.webContents, sourceOn(host, source));
    },
  });
  followLaunches(windows);
  askBeforeQuit(options, windows);
  await followMenu(options, windows);
  windows.show(first);

  const notifier = await startNotifier(source, {
    showBadge: (count) => void app.setBadgeCount(count),
    showNotice,
    isWatched: () => windows.isAnyFocused(),
    minutes: () => new Date().getHours() * 60 + new Date().getMinutes(),
    open: (search) => windows.show({ kind: "go", search }),
  });
  app.on("browser-window-focus", () => notifier.clear());
  app.on("will-quit", () => {
    notifier.close();
    ipc.close();
  });
}

function createCalls(options: DesktopOptions, window: BrowserWindow, windows: Windows): Host["call"] {
  return createDesktopCalls({
    version: options.version,
    editor: findEditor(process.env),
    shell,
    log: options.log,
    chooseFolder: () => dialog.showOpenDialog(window, { properties: ["openDirectory"] }),
    ask: (question) => dialog.showMessageBox(window, question),
    openWindow: () => void windows.open(),
    placeOf: options.placeOf,
  });
}

/** A second start, a link, a folder dropped on the icon: all end at the window in front. */
function followLaunches(windows: Windows): void {
  app.on("second-instance", (_event, argv, folder) =>
    windows.show(readLaunch(argv.slice(1), folder, app.getAppPath())),
  );
  app.on("open-url", (event, url) => {
    event.preventDefault();
    windows.show(wishOf(url));
  });
  app.on("open-file", (event, path) => {
    event.preventDefault();
    windows.show(folderWish(path, app.getAppPath()));
  });
  app.on("activate", () => {
    if (windows.count === 0) windows.open();
  });
}

/** Keeps the menu at the person's own keys. */
async function followMenu({ source, home }: DesktopOptions, windows: Windows): Promise<void> {
  const show = (keys: Settings["keys"]) =>
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(
        menuTemplate({
          platform: process.platform,
          isPackaged: app.isPackaged,
          keys,
          act: (action) => windows.show({ kind: "act", action }),
          openWindow: () => void windows.open(),
          showDataFolder: () => void shell.openPath(home),
        }),
      ),
    );
  // The contract says of each topic what its snapshots are.
  const keysOf = (snapshot: unknown) => (snapshot as SettingsSnapshot).settings.keys;
  const answer = await source.subscribe("settings", (snapshot) => show(keysOf(snapshot)));
  show(answer.ok ? keysOf(answer.value.first) : {});
}

/** Shown until it is clicked, taken away or dismissed; held, or it would be collected with its click. */
function showNotice({ title, body }: Notice, onClick: () => void): () => void {
  if (!Notification.isSupported()) return () => {};
  const notification = new Notification({ title, body });
  notification.on("click", onClick);
  notification.show();
  for (const window of BrowserWindow.getAllWindows()) if (process.platform === "win32") window.flashFrame(true);
  return () => notification.close();
}

/** Work is interrupted only when the person says so, or the machine goes down. */
function askBeforeQuit({ source, drivenRuns }: DesktopOptions, windows: Windows): void {
  let isDecided = false;
  let isAsking = false;
  const decide = () => {
    isDecided = true;
    app.quit();
  };
  const ask = async () => {
    isAsking = true;
    const question = askToQuit(await readRuns(source, drivenRuns()));
    const window = windows.front();
    const answer =
      question === null
        ? null
        : await (window ? dialog.showMessageBox(window, question) : dialog.showMessageBox(question));
    isAsking = false;
    if (answer === null || answer.response === quitButton) return decide();
    if (windows.count === 0) windows.open();
  };
  app.on("before-quit", (event) => {
    if (isDecided || drivenRuns().length === 0) return;
    event.preventDefault();
    if (!isAsking) void ask();
  });
  // Closing the last window quits, so it is asked before the window is gone.
  app.on("browser-window-created", (_event, window) =>
    window.on("close", (event) => {
      if (isDecided || process.platform === "darwin" || windows.count > 1 || drivenRuns().length === 0) return;
      event.preventDefault();
      app.quit();
    }),
  );
  app.on("window-all-closed", () => {
    if (process.platform !== "darwin") app.quit();
  });
  // Nobody is there to answer.
  powerMonitor.on("shutdown", decide);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, decide);
}

async function readRuns(source: ShellSource, runs: readonly RunId[]): Promise<readonly RunSnapshot[]> {
  const answers = await Promise.all(runs.map((run) => source.subscribe(`run/${run}`, () => {})));
  return answers.flatMap((answer) => {
    if (!answer.ok) return [];
    answer.value.unsubscribe();
    return [answer.value.first as RunSnapshot];
  });
}
