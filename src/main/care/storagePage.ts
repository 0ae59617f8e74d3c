// How much of the disk the data folder takes, by what it is for. Counts as far as it gets in two seconds, and says so when
// that was not all.

import { opendir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { CareBodies } from "../../shared/contract/care.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { placesFolder } from "../engine/room.ts";

const limitMs = 2_000;

export async function storagePage(home: string, store: StorePort): Promise<CareBodies["storage"]> {
  const [rows, disk] = await Promise.all([store.listRuns(), store.diskUse()]);
  const deadline = performance.now() + limitMs;
  const worktrees = await sizeBelow([join(home, "runs"), placesFolder(home)], deadline);
  const searchIndex = await sizeBelow([join(home, "search")], deadline);
  return {
    folder: home,
    runCount: rows.length,
    finishedCount: rows.filter(({ status }) => status === "stopped").length,
    journal: disk.database + disk.wal,
    payloads: disk.payloads,
    worktrees: worktrees.bytes,
    searchIndex: searchIndex.bytes,
    isPartial: worktrees.isCut || searchIndex.isCut,
  };
}

interface Size {
  readonly bytes: number;
  readonly isCut: boolean;
}

async function sizeBelow(of: readonly string[], deadline: number): Promise<Size> {
  const folders = [...of];
  let bytes = 0;
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    // Runs come and go while it counts: what has just gone takes no room.
    const entries = await opendir(next).catch(() => null);
    if (entries === null) continue;
    for await (const entry of entries) {
      if (performance.now() > deadline) return { bytes, isCut: true };
      const path = join(next, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile())
        bytes += await stat(path).then(
          ({ size }) => size,
          () => 0,
        );
    }
  }
  return { bytes, isCut: false };
}
