import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { createKeyStore, type Encryption } from "./secrets.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coppice-keys-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Electron's, with a keychain of its own under each name. */
function encryption(backend: string, owner = "me"): Encryption {
  const seal = (text: string) => Buffer.from(`${owner}:${[...text].toReversed().join("")}`);
  return {
    isEncryptionAvailable: () => backend !== "none",
    getSelectedStorageBackend: () => backend as ReturnType<Encryption["getSelectedStorageBackend"]>,
    encryptString: seal,
    decryptString(sealed) {
      const [by, text = ""] = sealed.toString().split(":");
      if (by !== owner) throw new Error("Error while decrypting the ciphertext provided to safeStorage.decryptString.");
      return [...text].toReversed().join("");
    },
  };
}

const file = () => join(home, "settings", "keys.json");

test("a key is kept sealed, for its owner alone, found again after a restart, and forgotten", async () => {
  const keys = createKeyStore(encryption("gnome_libsecret"), home, "linux");
  expect(await keys.keep("openai", "sk-secret")).toMatchObject({ ok: true });
  expect(await keys.keep("local", "other")).toMatchObject({ ok: true });
  expect(readFileSync(file(), "utf8")).not.toContain("sk-secret");
  expect(statSync(file()).mode & 0o077).toBe(0);
  const again = createKeyStore(encryption("gnome_libsecret"), home, "linux");
  expect([again.place, await again.find("openai"), await again.find("unknown")]).toEqual([
    "the keyring of this desktop",
    "sk-secret",
    null,
  ]);
  await again.forget("openai");
  expect([await again.find("openai"), await again.find("local")]).toEqual([null, "other"]);
});

test("without a keychain nothing is kept, in plain text least of all, and the person is told what to do", async () => {
  for (const backend of ["basic_text", "unknown", "none"]) {
    const keys = createKeyStore(encryption(backend), home, "linux");
    const kept = await keys.keep("openai", "sk-secret");
    expect(kept).toMatchObject({ ok: false, error: { code: "NO_KEYCHAIN" } });
    expect([
      keys.place,
      await keys.find("openai"),
      kept.ok || kept.error.message.includes("environment variable"),
    ]).toEqual([null, null, true]);
    expect(statSync(file(), { throwIfNoEntry: false })).toBeUndefined();
  }
});

test("keys that cannot be read just now are not taken for none, and not written over", async () => {
  // What is no file reads like a disk that fails.
  mkdirSync(file(), { recursive: true });
  const keys = createKeyStore(encryption("kwallet6"), home, "linux");
  expect(await keys.find("openai")).toBeNull();
  await expect(keys.keep("openai", "sk-new")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  expect(readdirSync(dirname(file()))).toEqual(["keys.json"]);
});

test("what another account sealed, or nobody can read, counts as not there", async () => {
  await createKeyStore(encryption("kwallet6", "another"), home, "linux").keep("openai", "sk-secret");
  const keys = createKeyStore(encryption("kwallet6"), home, "linux");
  expect(await keys.find("openai")).toBeNull();
  writeFileSync(file(), "{");
  expect(await keys.find("openai")).toBeNull();
  expect(await keys.keep("openai", "sk-new")).toMatchObject({ ok: true });
  expect(await keys.find("openai")).toBe("sk-new");
});
