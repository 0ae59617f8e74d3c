// What a seam does in a bundle that was built with them: counts, and ends the process where it was told to. Reads its orders
// from the environment; without any it lets everything pass.

import { readFileSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const dieAt = Number(process.env["COPPICE_SEAM_DIE"] ?? 0);
/** Gets the points that were passed, one a line; the last is that of the death. */
const noteFile = process.env["COPPICE_SEAM_NOTE"];
/** Names the points that do not count, one a line. */
const spareFile = process.env["COPPICE_SEAM_SPARE"];
const jumpAt = Number(process.env["COPPICE_SEAM_JUMP"] ?? 0);
const offsetMs = Number(process.env["COPPICE_CLOCK_OFFSET_MS"] ?? 0);

const spared = new Set(isMainThread && spareFile !== undefined ? readFileSync(spareFile, "utf8").split("\n") : []);
const passed: string[] = [];
let count = 0;

/** The wall clock of every thread of this process stands so far off; from the seam `jumpAt` on where one is named. */
const realNow = Date.now;
let isOff = jumpAt === 0;
if (offsetMs !== 0) Date.now = () => realNow() + (isOff ? offsetMs : 0);

/** Carries out what stands behind an `await`, between two points at which the process may die. Only the main thread has points. */
export async function passSeam<T>(site: string, act: () => Promise<T>): Promise<T> {
  if (!isMainThread) return act();
  point(`${site} before`);
  try {
    return await act();
  } finally {
    point(`${site} after`);
  }
}

function point(name: string): void {
  if (noteFile !== undefined) passed.push(name);
  if (spared.has(name)) return;
  count += 1;
  if (count === jumpAt) isOff = true;
  if (count !== dieAt) return;
  note();
  process.kill(process.pid, "SIGKILL");
  // Nothing more may happen until the signal has arrived.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function note(): void {
  if (noteFile !== undefined) writeFileSync(noteFile, passed.join("\n"));
}

if (isMainThread && noteFile !== undefined) process.on("exit", note);
