// Keys of model servers, encrypted by the system's own keychain through Electron. Where there is none, Electron would keep
// them in plain text under a fixed password: that is refused.

import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { SafeStorage } from "electron";
import { z } from "zod";

import { WorkbenchError } from "../../../shared/contract/errors.ts";
import { fail, type Result, succeed } from "../../../shared/lib/result.ts";
import type { KeyStore } from "../../engine/ports/keys.ts";
import { replaceFile, withFileLock } from "../../settings/settingsFile.ts";

export type Encryption = Pick<
  SafeStorage,
  "isEncryptionAvailable" | "getSelectedStorageBackend" | "encryptString" | "decryptString"
>;

/** Name of a provider to its key, encrypted, in base64. */
const keysFile = z.record(z.string(), z.string());

const places: { readonly [platform: string]: string } = {
  darwin: "the keychain of this Mac",
  win32: "the credentials of this Windows account",
};

/** Keeps keys in `settings/keys.json` of the data folder, readable to this account on this machine alone. `app` must be ready. */
export function createKeyStore(
  encryption: Encryption,
  home: string,
  platform: NodeJS.Platform = process.platform,
): KeyStore {
  const folder = join(home, "settings");
  const file = join(folder, "keys.json");
  const obstacle = findObstacle(encryption, platform);

  async function change(act: (keys: Record<string, string>) => void): Promise<Result<null>> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await withFileLock(`${file}.lock`, async () => {
      const keys = { ...(await readKeys(file)) };
      act(keys);
      await replaceFile(file, `${JSON.stringify(keys, null, 2)}\n`);
    });
    return succeed(null);
  }

  return {
    place: obstacle === null ? (places[platform] ?? "the keyring of this desktop") : null,
    async find(name) {
      const sealed = obstacle === null ? (await readKeys(file).catch(() => noKeys))[name] : undefined;
      if (sealed === undefined) return null;
      try {
        return encryption.decryptString(Buffer.from(sealed, "base64"));
      } catch {
        // Sealed by another account or a keychain that is gone: to whoever asks, it is not there.
        return null;
      }
    },
    async keep(name, key) {
      if (obstacle !== null) return fail({ code: "NO_KEYCHAIN", message: obstacle });
      const sealed = encryption.encryptString(key).toString("base64");
      return change((keys) => void (keys[name] = sealed));
    },
    forget: (name) => change((keys) => void delete keys[name]),
  };
}

/** Why nothing can be kept here, and what to do instead. */
function findObstacle(encryption: Encryption, platform: NodeJS.Platform): string | null {
  const instead = "Put the key into an environment variable before you start Coppice, and name the variable.";
  if (!encryption.isEncryptionAvailable())
    return `This desktop offers no keychain, and Coppice never writes a key to a file in plain text. ${instead}`;
  if (platform === "linux" && ["basic_text", "unknown"].includes(encryption.getSelectedStorageBackend()))
    return `No keyring is running on this desktop (such as GNOME Keyring or KWallet), and Coppice never writes a key to a file in plain text. Start one, or: ${instead}`;
  return null;
}

const noKeys: Readonly<Record<string, string>> = {};

/** A file that is not there, or holds something else, holds no key. Throws `STORE_UNAVAILABLE` where the system cannot read it: the keys in it may be whole. */
async function readKeys(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    return keysFile.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (cause) {
    const isOfSystem = cause instanceof Error && "code" in cause && "syscall" in cause;
    if (!isOfSystem || cause.code === "ENOENT") return noKeys;
    const message = `${file} cannot be read (${cause.message}), so no key was changed.`;
    throw new WorkbenchError("STORE_UNAVAILABLE", message, { cause });
  }
}
