import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { GitPort } from "../engine/ports/git.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { Care } from "./care.ts";
import type { Ports } from "./liveRun.ts";

test("a run that begins while the garbage is collected keeps its folder; what is left of others goes, read-only or not", async () => {
  const home = mkdtempSync(join(tmpdir(), "coppice-care-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const rows = [{ run: "goes-on", status: "waiting" }];
  const begin = (run: string) => {
    rows.push({ run, status: "running" });
    mkdirSync(join(home, "runs", run));
  };
  for (const name of ["gone", "goes-on"]) mkdirSync(join(home, "runs", name), { recursive: true });
  const store = {
    listRuns: async () => {
      const listed = [...rows];
      begin(`begun-after-${rows.length}`);
      return listed;
    },
    sweepPayloads: async () => ({ payloads: 0, bytes: 0 }),
  } as unknown as StorePort;
  const removed: string[] = [];
  // What removes a work place, since commands leave read-only folders behind.
  const git = { removeFolder: async (path: string) => removed.push(basename(path)) } as unknown as GitPort;
  const care = new Care({ home, store, git } as Ports);
  expect([await care.collectGarbage(0), removed]).toEqual([{ pins: 0, folders: 1, payloads: 0, bytes: 0 }, ["gone"]]);
});
