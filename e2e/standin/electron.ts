// A stand-in for the module `electron`, as far as Coppice uses it: everything that it does to a desktop is told to the
// driver, everything that a person would do comes from there. It refuses what it does not model.

import { EventEmitter } from "node:events";
import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { allow, ask, cancelable, record, strict } from "./link.ts";
import { BrowserWindow, ipc, protocol, screen, session, tellWindowsTo } from "./windows.ts";

const root = resolve(import.meta.dirname, "../..");
const ready = Promise.withResolvers<void>();

class App extends EventEmitter {
  readonly isPackaged = false;
  #userData = join(tmpdir(), "coppice-standin");
  #isQuitting = false;

  whenReady(): Promise<void> {
    return ready.promise;
  }
  getAppPath(): string {
    return root;
  }
  setPath(name: "userData", path: string): void {
    if (name === "userData") this.#userData = path;
  }
  setName(name: string): void {
    record("app.named", name);
  }
  setAppUserModelId(id: string): void {
    record("app.modelId", id);
  }
  enableSandbox(): void {
    record("app.sandboxed");
  }
  setAboutPanelOptions(options: unknown): void {
    record("app.about", options);
  }
  setAsDefaultProtocolClient(...args: readonly unknown[]): boolean {
    record("app.protocol", args);
    return true;
  }
  setBadgeCount(count: number): boolean {
    record("app.badge", count);
    return true;
  }

  /** One process for each `userData`: a second one leaves its arguments for the first. */
  requestSingleInstanceLock(): boolean {
    mkdirSync(this.#userData, { recursive: true });
    const lock = join(this.#userData, "standin.lock");
    const letter = join(this.#userData, "standin.letter");
    if (!takeLock(lock)) {
      writeFileSync(letter, JSON.stringify({ argv: process.argv, folder: process.cwd() }));
      return false;
    }
    const watcher = watch(this.#userData, (_kind, name) => {
      if (name === "standin.letter") this.#read(letter);
    });
    watcher.unref();
    process.on("exit", () => rmSync(lock, { force: true }));
    return true;
  }

  #read(letter: string): void {
    try {
      const { argv, folder } = JSON.parse(readFileSync(letter, "utf8")) as { argv: string[]; folder: string };
      rmSync(letter);
      this.emit("second-instance", {}, argv, folder);
    } catch {
      // Half written, or read already: the next change tells.
    }
  }

  quit(): void {
    if (this.#isQuitting) return;
    const before = cancelable();
    this.emit("before-quit", before);
    if (before.defaultPrevented) return;
    this.#isQuitting = true;
    const areClosed = BrowserWindow.getAllWindows().every((window) => window.close());
    const will = cancelable();
    if (areClosed) this.emit("will-quit", will);
    this.#isQuitting = false;
    if (areClosed && !will.defaultPrevented) this.exit(0);
  }

  exit(code = 0): void {
    this.emit("quit", {}, code);
    process.exit(code);
  }

  /** While it quits, nobody misses the windows. */
  override emit(event: string | symbol, ...args: readonly unknown[]): boolean {
    return event === "window-all-closed" && this.#isQuitting ? false : super.emit(event, ...args);
  }
}

function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (isAlive(Number(readFileSync(lock, "utf8")))) return false;
    writeFileSync(lock, String(process.pid));
    return true;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const application = new App();
export const app = strict("app", application);
tellWindowsTo(application);

/** To be called once the entry has been loaded. */
export function becomeReady(): void {
  ready.resolve();
  application.emit("ready");
  record("app.ready");
}

export const ipcMain = strict("ipcMain", { handle: ipc.handle, removeHandler: ipc.removeHandler });

export const dialog = strict("dialog", {
  /** The window, where it is named, makes no difference here. */
  showMessageBox: (...args: readonly unknown[]) => ask("dialog", args.at(-1)),
  showOpenDialog: (...args: readonly unknown[]) => ask("dialog.open", args.at(-1)),
  showErrorBox: (title: string, content: string) => record("dialog.error", { title, content }),
});

interface MenuEntry {
  readonly id?: string;
  readonly label?: string;
  readonly role?: string;
  readonly accelerator?: string;
  readonly submenu?: readonly MenuEntry[];
  readonly click?: () => void;
}

let menu: readonly MenuEntry[] = [];
export const Menu = strict("Menu", {
  buildFromTemplate: (template: readonly MenuEntry[]) => template,
  setApplicationMenu(template: readonly MenuEntry[]) {
    menu = template;
    record("menu.shown", plain(template));
  },
});

function plain(entries: readonly MenuEntry[]): readonly object[] {
  return entries.map(({ click: _click, submenu, ...entry }) =>
    submenu ? { ...entry, submenu: plain(submenu) } : entry,
  );
}

allow("menu.click", (name: string) => {
  const entry = menu.flatMap(({ submenu }) => submenu ?? []).find(({ id, role }) => id === name || role === name);
  if (entry === undefined) throw new Error(`The menu has no ${name}.`);
  if (entry.role === "quit") application.quit();
  else entry.click?.();
});

const notifications: Notification[] = [];
export class Notification extends EventEmitter {
  readonly #options: { readonly title: string; readonly body: string };
  readonly #id = notifications.push(this);

  constructor(options: { readonly title: string; readonly body: string }) {
    super();
    this.#options = options;
  }
  static isSupported(): boolean {
    return true;
  }
  show(): void {
    record("notification.shown", { id: this.#id, ...this.#options });
  }
  close(): void {
    record("notification.closed", { id: this.#id });
  }
}
allow("notification.click", (id: number) => notifications[id - 1]?.emit("click"));

export const shell = strict("shell", {
  openExternal: (url: string) => Promise.resolve(record("shell.openExternal", url)),
  openPath(path: string) {
    record("shell.openPath", path);
    return Promise.resolve("");
  },
  showItemInFolder: (path: string) => record("shell.showItemInFolder", path),
});

const turned = (bytes: Buffer) => Buffer.from(bytes.map((byte) => byte ^ 0x5a));
export const safeStorage = strict("safeStorage", {
  isEncryptionAvailable: () => true,
  getSelectedStorageBackend: () => "gnome_libsecret",
  encryptString: (text: string) => turned(Buffer.from(text)),
  decryptString: (bytes: Buffer) => turned(bytes).toString(),
});

export const nativeTheme = strict("nativeTheme", { shouldUseDarkColors: false });
export const powerMonitor = new EventEmitter();
allow("power.shutdown", () => powerMonitor.emit("shutdown"));
allow("app.quit", () => application.quit());
/** Answers once everything before it has been heard. */
allow("app.listen", () => null);

export { BrowserWindow, protocol, screen, session };
