// Makes the data folder ready: there, private, writable, on a disk that locks. Never changes a folder that exists.

import { accessSync, closeSync, constants, fsyncSync, mkdirSync, openSync, statfsSync } from "node:fs";

import { StoreError } from "./failure.ts";

/** File system types of Linux's statfs(2) on which SQLite's locks and shared memory do not hold. Other systems give no type to go by, FUSE and 9p carry local disks as well: these pass. */
const networkFileSystems: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xfe534d42, "SMB"],
  [0xff534d42, "CIFS"],
  [0x5346414f, "AFS"],
  [0x00c36400, "Ceph"],
  [0x73757245, "Coda"],
]);

/** The name of the network file system that `type` (statfs `f_type`) or a UNC path stands for, else `null`. */
export function findNetworkFileSystem(
  folder: string,
  type: number,
  platform: NodeJS.Platform = process.platform,
): string | null {
  if (platform === "win32") return folder.startsWith("\\\\") ? "a network share" : null;
  // f_type is signed on some systems: the magic numbers are 32 bits without a sign.
  return platform === "linux" ? (networkFileSystems.get(type >>> 0) ?? null) : null;
}

/** Creates `folder` with mode 0700 when it is missing. Throws `STORE_UNAVAILABLE` with path and reason when it cannot be made or written, or lies on a network file system. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreError(
      {
        code: "STORE_UNAVAILABLE",
        message: `The data folder ${folder} cannot be written (${reason}). Check its permissions or set COPPICE_HOME.`,
      },
      error,
    );
  }
  const network = findNetworkFileSystem(folder, statfsSync(folder).type);
  if (network === null) return;
  throw new StoreError({
    code: "STORE_UNAVAILABLE",
    message: `The data folder ${folder} lies on ${network}, where file locks do not keep the journal safe. Set COPPICE_HOME to a folder on a local disk.`,
  });
}

/** Flushes a file or a folder to the disk. */
export function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
