// For tests: starts the fixture process and waits for its reports. Ends what it started when the test ends.

import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { onTestFinished } from "vitest";

import type { StorePort } from "../engine/ports/store.ts";
import { requireStore } from "./fixture.ts";
import type { Order, Report } from "./fixtureProcess.ts";

/** A folder that is gone after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "coppice-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that is closed after the test. */
export async function openForTest(folder: string): Promise<StorePort> {
  const store = await requireStore(folder);
  onTestFinished(() => store.close());
  return store;
}

export interface Child {
  send(order: Order): void;
  /** The next report of this kind that nobody has waited for yet. */
  next<K extends Report["report"]>(kind: K): Promise<Extract<Report, { report: K }>>;
  /** Everything reported so far. */
  readonly reports: readonly Report[];
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<void>;
}

/** Starts a process with the store in `folder` open. */
export async function startChild(folder: string): Promise<Child> {
  const child = fork(new URL("./fixtureProcess.ts", import.meta.url), [folder], {
    execArgv: [],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const reports: Report[] = [];
  let unread: Report[] = [];
  const waiters: (() => void)[] = [];
  child.on("message", (report: Report) => {
    reports.push(report);
    unread.push(report);
    for (const wake of waiters.splice(0)) wake();
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await exited;
  };
  onTestFinished(kill);
  const next: Child["next"] = async (kind) => {
    for (;;) {
      const found = unread.find((report) => report.report === kind);
      if (found) {
        unread = unread.filter((report) => report !== found);
        return found as Extract<Report, { report: typeof kind }>;
      }
      await new Promise<void>((wake) => waiters.push(wake));
    }
  };
  await next("open");
  return { send: (order) => void child.send(order), next, reports, kill };
}
