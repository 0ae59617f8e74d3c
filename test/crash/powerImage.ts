// A disk as it may stand after the power was cut: it holds all that was synced, and of what was written since then any part, by
// sectors and in any order. Acts on nothing: calls in, bytes out.

import { dirname } from "node:path";

import type { SystemCall } from "./trace.ts";

/** What a disk writes whole or not at all, bytes. */
const sectorBytes = 512;

export interface Disk {
  /** Takes a call that has returned. A name lasts once it is given; that it was taken lasts once its folder is synced. */
  take(call: SystemCall): void;
  /** Its files by path, as chance leaves them if the power is cut now. */
  cut(chance: () => number): ReadonlyMap<string, Buffer>;
}

interface File {
  synced: Buffer;
  /** Written since, in order. */
  pending: SystemCall[];
  isUnlinked: boolean;
}

/** A disk without files. */
export function createDisk(): Disk {
  const files = new Map<string, File>();

  function write(call: SystemCall): void {
    const file = files.get(call.path);
    if (file && !file.isUnlinked) file.pending.push(call);
    else files.set(call.path, { synced: Buffer.alloc(0), pending: [call], isUnlinked: false });
  }
  function sync(path: string): void {
    const file = files.get(path);
    if (file) Object.assign(file, { synced: file.pending.reduce(applyWhole, file.synced), pending: [] });
    for (const [name, { isUnlinked }] of files) if (isUnlinked && dirname(name) === path) files.delete(name);
  }
  return {
    take(call) {
      if (call.name === "pwrite64" || call.name === "ftruncate") write(call);
      else if (call.name === "fsync" || call.name === "fdatasync") sync(call.path);
      else if (call.name === "unlink") Object.assign(files.get(call.path) ?? {}, { isUnlinked: true });
    },
    cut: (chance) =>
      new Map(
        [...files]
          .filter(([, { isUnlinked }]) => !isUnlinked || chance() < 0.5)
          .map(([path, { synced, pending }]) => [path, pending.reduce(applyPart(chance), Buffer.from(synced))]),
      ),
  };
}

function applyWhole(bytes: Buffer, call: SystemCall): Buffer {
  if (call.name === "ftruncate") return ofLength(bytes, call.number);
  const next = ofLength(bytes, Math.max(bytes.length, call.number + call.bytes.length));
  call.bytes.copy(next, call.number);
  return next;
}

/** Half of the writes come whole; of the others each sector comes or does not. */
function applyPart(chance: () => number): (bytes: Buffer, call: SystemCall) => Buffer {
  return (bytes, call) => {
    if (chance() < 0.5) return applyWhole(bytes, call);
    if (call.name === "ftruncate") return bytes;
    const end = call.number + call.bytes.length;
    const next = ofLength(bytes, Math.max(bytes.length, end));
    for (let from = call.number; from < end;) {
      const to = Math.min(end, from - (from % sectorBytes) + sectorBytes);
      if (chance() < 0.5) call.bytes.copy(next, from, from - call.number, to - call.number);
      from = to;
    }
    return next;
  };
}

/** The bytes themselves where they have that length; else a copy, with zeros behind what there was. */
function ofLength(bytes: Buffer, length: number): Buffer {
  if (bytes.length === length) return bytes;
  const next = Buffer.alloc(length);
  bytes.copy(next);
  return next;
}
