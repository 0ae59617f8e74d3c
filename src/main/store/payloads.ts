// Payloads by their content: equal data is stored once, data over 1 MB as a file beside the journal.
// A file is on disk before the row that names it; the order is never the other way round.

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { canonicalJson } from "../../shared/lib/json.ts";
import type { Json } from "../../shared/lib/json.ts";
import type { ArchivedPayload } from "../engine/ports/store.ts";
import { codeOf, StoreError, unreadFailure } from "./failure.ts";
import { syncPath } from "./folder.ts";
import { sha256 } from "./hashChain.ts";
import type { Connection } from "./openDatabase.ts";

/** Bytes of canonical JSON above which a payload is a file. */
const largestRow = 1_048_576;

export interface Payload {
  readonly hash: string;
  /** Canonical JSON. */
  readonly text: string;
  readonly isFile: boolean;
}

export interface Payloads {
  /** Puts other text in the place of a payload, in the current transaction. What it was is out of the file once that is compacted. */
  erase(hash: string, text: string): void;
  /** Enters a payload that was carried here from another store, as it is, in the current transaction. `at`: epoch ms. Whether it fits its hash is the caller's to prove. */
  bringIn(payload: ArchivedPayload, at: number): void;
  /** Hashes `data` and puts it into a file when it is large. Call it before the transaction, so that no lock is held meanwhile. Throws TypeError for data JSON cannot hold. */
  prepare(data: unknown): Payload;
  /** Enters a prepared payload, in the current transaction. */
  insert(payload: Payload): void;
}

function writeFile(folder: string, payload: Payload): void {
  const path = payloadPath(folder, payload.hash);
  if (existsSync(path) && statSync(path).size === Buffer.byteLength(payload.text)) return;
  mkdirSync(payloadFolder(folder), { recursive: true, mode: 0o700 });
  const half = `${path}.${process.pid}.half`;
  try {
    const handle = openSync(half, "w", 0o600);
    try {
      writeFileSync(handle, payload.text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(half, path);
  } catch (error) {
    rmSync(half, { force: true });
    throw error;
  }
  syncPath(payloadFolder(folder));
}

/** Where the large payloads lie. The folder is there once the first was written. */
export function payloadFolder(folder: string): string {
  return join(folder, "payloads");
}

/** Where a large payload lies. */
export function payloadPath(folder: string, hash: string): string {
  return join(payloadFolder(folder), `${hash}.json`);
}

export function createPayloads(db: Connection, folder: string): Payloads {
  const insert = db.prepare<[string, string | null]>(
    "INSERT INTO payloads (hash, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING",
  );
  const bring = db.prepare<[string, string | null, number | null]>(
    "INSERT INTO payloads (hash, bytes, erased_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  const replace = db.prepare<[string, number, string]>("UPDATE payloads SET bytes = ?, erased_at = ? WHERE hash = ?");
  return {
    erase(hash, text) {
      replace.run(text, Date.now(), hash);
    },
    bringIn({ hash, text, isErased }, at) {
      if (!/^[0-9a-f]{64}$/.test(hash))
        throw new StoreError({ code: "INVALID_APPEND", message: `${hash.slice(0, 80)} is no hash of a payload.` });
      const isFile = Buffer.byteLength(text) > largestRow;
      if (isFile) writeFile(folder, { hash, text, isFile });
      bring.run(hash, isFile ? null : text, isErased ? at : null);
    },
    prepare(data) {
      const text = canonicalJson(data);
      const payload = { hash: sha256(text), text, isFile: Buffer.byteLength(text) > largestRow };
      if (payload.isFile) writeFile(folder, payload);
      return payload;
    },
    insert(payload) {
      const { hash, text, isFile } = payload;
      // Another process may have swept the file since `prepare`, as one that no row names. It does so under the write
      // lock, which is ours now: what is looked at here stays.
      if (isFile) writeFile(folder, payload);
      insert.run(hash, isFile ? null : text);
    },
  };
}

/** The canonical JSON of a stored payload. `bytes` is the row's text, `null` for one that is a file. Throws `PAYLOAD_MISSING` when the file is gone, `STORE_UNAVAILABLE` when the system cannot read it. */
export function readText(folder: string, hash: string, bytes: string | null): string {
  if (bytes !== null) return bytes;
  const path = payloadPath(folder, hash);
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const failure =
      codeOf(error) === "ENOENT"
        ? {
            code: "PAYLOAD_MISSING",
            message: `The payload file ${path} is gone. Restore it from a backup of the data folder.`,
          }
        : unreadFailure(error instanceof Error ? error.message : String(error));
    throw new StoreError(failure, error);
  }
}

/** The same, or `null` where the file is gone. */
export function findText(folder: string, hash: string, bytes: string | null): string | null {
  try {
    return readText(folder, hash, bytes);
  } catch (error) {
    if (error instanceof StoreError && error.code === "PAYLOAD_MISSING") return null;
    throw error;
  }
}

/** The data of a stored payload, as `readText`; `PAYLOAD_MISSING` also where what stands there is no data. */
export function readPayload(folder: string, hash: string, bytes: string | null): Json {
  const text = readText(folder, hash, bytes);
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const message = `The data of payload ${hash} is not what was written. \`coppice doctor\` says more.`;
    throw new StoreError({ code: "PAYLOAD_MISSING", message }, error);
  }
}
