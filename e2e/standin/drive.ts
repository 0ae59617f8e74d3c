// Starts the built desktop application on the stand-in for Electron and does what a person would: looks at its windows,
// chooses from its menu, answers its dialogs, clicks its notifications, quits it.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import type { Page } from "@playwright/test";

import type { FromApp, Happening } from "./link.ts";
import { adoptPage, type Deliver, toPageUrl } from "./page.ts";

/** A busy machine may take its time; a hanging application may not, ms. */
const limitMs = 60_000;

/** A question of the application, until it is answered. */
export interface OpenDialog {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
  readonly defaultId: number;
  /** Presses the button that is called so; resolves once the application has heard of it. */
  press(button: string): Promise<void>;
}

export interface AppOptions {
  readonly home: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Becomes the first window. */
  readonly page?: Page;
  /** Makes a page for each further window. */
  newPage(): Promise<Page>;
}

export class DesktopApp {
  readonly process: ChildProcess;
  /** All that was done to the desktop, in order. */
  readonly happenings: Happening[] = [];
  readonly pages = new Map<number, Page>();
  readonly #options: AppOptions;
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  readonly #watchers = new Set<() => void>();
  readonly #deliveries = new Map<number, Deliver>();
  readonly #dialogs: OpenDialog[] = [];
  readonly #folders: string[] = [];
  #free: Page | undefined;
  #lastId = 0;

  constructor(options: AppOptions) {
    this.#options = options;
    this.#free = options.page;
    const args = ["--import", "./e2e/standin/register.mjs", join("out", "main", "index.js"), ...(options.args ?? [])];
    this.process = spawn(process.execPath, args, {
      env: { ...process.env, COPPICE_HOME: options.home, ...options.env },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      serialization: "advanced",
    });
    this.process.on("message", (message) => this.#hear(message as FromApp));
    this.process.on("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("The application has quit."));
      this.#notify();
    });
  }

  /** The first happening of this kind, among those that were and those to come. */
  async happened(what: string, fits: (detail: never) => boolean = () => true): Promise<unknown> {
    return this.#until(`${what} to happen`, () => this.#find(what, fits));
  }

  /** How often something has happened so far. */
  count(what: string): number {
    return this.happenings.filter((one) => one.what === what).length;
  }

  /** The oldest question that is not answered yet. */
  dialog(): Promise<OpenDialog> {
    return this.#until("a dialog", () => this.#dialogs[0]);
  }

  /** What the person will choose when asked for a folder. */
  willChoose(folder: string): void {
    this.#folders.push(folder);
  }

  /** Has a person's act done: see windows.mjs and electron.mjs for what there is. */
  act(what: string, detail?: unknown): Promise<unknown> {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      if (!this.process.connected) return reject(new Error("The application has quit."));
      this.#waiting.set(id, { resolve, reject });
      this.process.send({ kind: "do", id, what, detail });
    });
  }

  /** The page of window `id`, counted from 1. */
  async page(id: number): Promise<Page> {
    return this.#until(`window ${id}`, () => this.pages.get(id));
  }

  /** The code with which it ends, by itself or after `act("app.quit")`. */
  async exitCode(): Promise<number | null> {
    if (!this.#hasEnded()) await once(this.process, "exit", { signal: AbortSignal.timeout(limitMs) });
    return this.process.exitCode;
  }

  /** Ends it as the system does, if it has not ended. */
  async stop(): Promise<number | null> {
    if (!this.#hasEnded()) this.process.kill("SIGTERM");
    return this.exitCode();
  }

  #hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  #find(what: string, fits: (detail: never) => boolean): unknown {
    const found = this.happenings.find((one) => one.what === what && fits(one.detail as never));
    return found && { detail: found.detail };
  }

  async #until<T>(what: string, look: () => T | undefined): Promise<T> {
    const deadline = AbortSignal.timeout(limitMs);
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#hasEnded()) throw new Error(`The application has ended; waited for ${what} in vain.`);
      await new Promise<void>((resolve, reject) => {
        const seen = () => {
          this.#watchers.delete(seen);
          resolve();
        };
        this.#watchers.add(seen);
        deadline.addEventListener("abort", () => reject(new Error(`Waited for ${what} in vain.`)));
      });
    }
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }

  #hear(message: FromApp): void {
    if (message.kind === "record") this.happenings.push({ what: message.what, detail: message.detail });
    else if (message.kind === "reply") this.#settle(message);
    else void this.#reply(message.id, this.#answer(message.what, message.detail as never));
    this.#notify();
  }

  async #reply(id: number, answer: Promise<unknown>): Promise<void> {
    const value = await answer;
    if (this.process.connected) this.process.send({ kind: "reply", id, value });
    this.#notify();
  }

  #settle({ id, value, failure }: Extract<FromApp, { kind: "reply" }>): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failure === undefined) waiting?.resolve(value);
    else waiting?.reject(new Error(failure));
  }

  async #answer(what: string, detail: never): Promise<unknown> {
    switch (what) {
      case "window.load":
        return this.#load(detail);
      case "window.send": {
        const { id, channel, args } = detail as { id: number; channel: string; args: readonly unknown[] };
        return this.#deliveries.get(id)?.(channel, args);
      }
      case "window.close": {
        const { id } = detail as { id: number };
        const page = this.pages.get(id);
        this.pages.delete(id);
        // The test's own page is the test's to close.
        return page === this.#options.page ? undefined : page?.close();
      }
      case "dialog":
        return this.#open(detail);
      case "dialog.open": {
        const folder = this.#folders.shift();
        return folder === undefined ? { canceled: true, filePaths: [] } : { canceled: false, filePaths: [folder] };
      }
      default:
        throw new Error(`Nobody here can answer ${what}.`);
    }
  }

  async #load({ id, url, preload }: { readonly id: number; readonly url: string; readonly preload: string }) {
    const known = this.pages.get(id);
    const page = known ?? this.#free ?? (await this.#options.newPage());
    if (page === this.#free) this.#free = undefined;
    if (known === undefined)
      this.#deliveries.set(id, await adoptPage(page, id, preload, (what, detail) => this.act(what, detail)));
    // A test may lead its page elsewhere meanwhile; that load is the one that counts then.
    await page.goto(toPageUrl(url)).catch(() => undefined);
    this.pages.set(id, page);
  }

  #open(options: Omit<OpenDialog, "press">): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const dialog: OpenDialog = {
      ...options,
      press: async (button) => {
        const response = options.buttons.indexOf(button);
        if (response === -1) throw new Error(`There is no button ${button}, but ${options.buttons.join(", ")}.`);
        this.#dialogs.splice(this.#dialogs.indexOf(dialog), 1);
        resolve({ response, checkboxChecked: false });
        await promise;
        // It may quit over the answer.
        await this.act("app.listen").catch(() => undefined);
      },
    };
    this.#dialogs.push(dialog);
    return promise;
  }
}

/** Starts the application and waits for its first window. */
export async function startApp(options: AppOptions): Promise<DesktopApp> {
  const app = new DesktopApp(options);
  await app.page(1);
  return app;
}
