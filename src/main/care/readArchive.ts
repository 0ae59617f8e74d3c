// Reads a `.coppice` file and believes nothing of it: neither names nor sizes, nor that it is one. Writes nothing;
// whether what it holds is a whole journal is for the store to prove.

import { createHash, type Hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { StringDecoder } from "node:string_decoder";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { z } from "zod";

import { WorkbenchError } from "../../shared/contract/errors.ts";
import type { RunId } from "../../shared/contract/ids.ts";
import { countSteps, type TellProgress } from "../../shared/contract/progress.ts";
import type { ArchivedRun } from "../engine/ports/store.ts";
import {
  archiveFormat,
  archiveVersion,
  bundleName,
  eventShape,
  type Manifest,
  manifestShape,
  type PartFacts,
  partNames,
  type PartName,
  payloadShape,
} from "./archiveFormat.ts";

/** Bytes: of the file, and of all that is in it once unpacked. A run of 50,000 events takes a tenth of it. */
const largest = { file: 512 * 1024 * 1024, unpacked: 1024 * 1024 * 1024, manifest: 1024 * 1024 };

/**
 * Reads an archive. What it says is of the right shape and as its manifest sums it up; whether it is a whole journal is
 * for the store to prove. `tell` hears how many bytes of it have been read. Its bundle is there if it should be, and looked into only by `extractBundle`. Throws
 * `ARCHIVE_UNREADABLE` (no such file, or the system cannot read it), `ARCHIVE_FOREIGN` (not one of ours), `ARCHIVE_TOO_NEW`, `ARCHIVE_TOO_LARGE`,
 * `ARCHIVE_DAMAGED`.
 */
export function readArchive(file: string, tell: TellProgress = () => undefined): Promise<ArchivedRun> {
  return withArchive(file, async (opened) => {
    const { manifest } = opened;
    const bytes = partNames.reduce((sum, name) => sum + manifest.parts[name].bytes, 0);
    const step = countSteps(bytes, "byte", tell);
    const events = await readPart(opened, "events.ndjson", eventShape, step);
    const payloads = await readPart(opened, "payloads.ndjson", payloadShape, step);
    if (events.length !== manifest.events)
      throw damaged(file, `it holds ${events.length} events, not ${manifest.events}`);
    return { root: manifest.run as RunId, events, payloads };
  });
}

/** Takes the bundle of an archive out into `to`, which need not be whole when this throws; false when it has none. Throws as `readArchive` does, and `ARCHIVE_UNWRITABLE`. */
export function extractBundle(file: string, to: string): Promise<boolean> {
  return withArchive(file, async (opened) => {
    const told = opened.manifest.parts[bundleName];
    if (told === undefined) return false;
    const digest = createHash("sha256");
    const passed = async function* (source: AsyncIterable<Buffer>) {
      for await (const chunk of source) {
        digest.update(chunk);
        yield chunk;
      }
    };
    try {
      const source = await openEntry(opened.zip, entryOf(opened, bundleName, told), file);
      await pipeline(source, passed, createWriteStream(to, { mode: 0o600 }));
    } catch (cause) {
      throw unwritable(to, cause) ?? troubleWith(file, cause, damaged);
    }
    if (digest.digest("hex") !== told.sha256) throw damaged(file, `${bundleName} is not what was exported`);
    return true;
  });
}

/** What went wrong in reading: of the disk, or else of the file, as `otherwise` tells it. */
function troubleWith(file: string, cause: unknown, otherwise: typeof damaged | typeof foreign): WorkbenchError {
  if (cause instanceof WorkbenchError) return cause;
  return cause instanceof Error && "syscall" in cause ? unreadable(file, cause) : otherwise(file, reasonOf(cause));
}

function unreadable(file: string, cause: unknown): WorkbenchError {
  return new WorkbenchError("ARCHIVE_UNREADABLE", `${file} cannot be read (${reasonOf(cause)}).`, { cause });
}

/** Opens an archive, reads its manifest and holds its entries to that. */
async function withArchive<T>(file: string, act: (opened: Opened) => Promise<T>): Promise<T> {
  const { size } = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (size > largest.file) throw tooLarge(file, size, largest.file);
  const zip = await openZip(file);
  try {
    const entries = await listEntries(zip, file);
    const manifest = readManifest(await readWhole(zip, entries.manifest, file), file);
    const opened = { zip, entries, manifest, file };
    const bundle = manifest.parts[bundleName];
    if (bundle !== undefined) entryOf(opened, bundleName, bundle);
    else if (entries.parts.has(bundleName)) throw damaged(file, `its manifest does not name ${bundleName}`);
    return await act(opened);
  } finally {
    zip.close();
  }
}

/** Throws unless the part is there and as long as it should be. */
function entryOf({ entries, file }: Opened, name: PartName | typeof bundleName, told: PartFacts): Entry {
  const entry = entries.parts.get(name);
  if (!entry) throw damaged(file, `it has no ${name}`);
  if (entry.uncompressedSize !== told.bytes) throw damaged(file, `${name} is not as long as its manifest says`);
  return entry;
}

function openZip(file: string): Promise<ZipFile> {
  const { promise, resolve, reject } = Promise.withResolvers<ZipFile>();
  // Sizes are held to what the zip declares, and names that lead out of a folder are refused as they are read.
  yauzl.open(
    file,
    { lazyEntries: true, autoClose: false, validateEntrySizes: true, strictFileNames: true },
    (error, zip) => (error ? reject(troubleWith(file, error, foreign)) : resolve(zip)),
  );
  return promise;
}

interface Opened {
  readonly zip: ZipFile;
  readonly entries: Entries;
  readonly manifest: Manifest;
  readonly file: string;
}

interface Entries {
  readonly manifest: Entry;
  readonly parts: ReadonlyMap<string, Entry>;
}

/** The entries by name; only those that an archive has, each once, and none that would unpack to more than it may. */
function listEntries(zip: ZipFile, file: string): Promise<Entries> {
  const { promise, resolve, reject } = Promise.withResolvers<Entries>();
  const found = new Map<string, Entry>();
  let unpacked = 0;
  zip.on("error", (error: Error) => reject(troubleWith(file, error, foreign)));
  zip.on("entry", (entry: Entry) => {
    const name = entry.fileName;
    unpacked += entry.uncompressedSize;
    const isOurs = name === "manifest.json" || name === bundleName || partNames.some((known) => known === name);
    if (!isOurs || found.has(name)) return reject(foreign(file, `it holds ${JSON.stringify(name).slice(0, 100)}`));
    if (unpacked > largest.unpacked) return reject(tooLarge(file, unpacked, largest.unpacked));
    found.set(name, entry);
    zip.readEntry();
  });
  zip.on("end", () => {
    const manifest = found.get("manifest.json");
    if (!manifest) return reject(foreign(file, "it has no manifest.json"));
    if (manifest.uncompressedSize > largest.manifest)
      return reject(tooLarge(file, manifest.uncompressedSize, largest.manifest));
    resolve({ manifest, parts: found });
  });
  zip.readEntry();
  return promise;
}

function openEntry(zip: ZipFile, entry: Entry, file: string): Promise<Readable> {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>();
  zip.openReadStream(entry, (error, stream) => (error ? reject(troubleWith(file, error, damaged)) : resolve(stream)));
  return promise;
}

async function readWhole(zip: ZipFile, entry: Entry, file: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of await openEntry(zip, entry, file)) chunks.push(chunk as Buffer);
  } catch (cause) {
    throw troubleWith(file, cause, damaged);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readManifest(text: string, file: string): Manifest {
  const value = parse(text);
  const known = z.object({ format: z.literal(archiveFormat), version: z.number() }).safeParse(value);
  if (!known.success) throw foreign(file, "its manifest is not that of a run");
  if (known.data.version > archiveVersion)
    throw new WorkbenchError(
      "ARCHIVE_TOO_NEW",
      `${file} was written by a newer Coppice (format ${known.data.version}, this one reads ${archiveVersion}). Update Coppice, then import again.`,
    );
  const manifest = manifestShape.safeParse(value);
  if (!manifest.success) throw damaged(file, `its manifest is incomplete (${issueOf(manifest.error)})`);
  return manifest.data;
}

async function readPart<T>(
  opened: Opened,
  name: PartName,
  shape: z.ZodType<T>,
  step: (bytes: number) => void,
): Promise<readonly T[]> {
  const { zip, manifest, file } = opened;
  const told = manifest.parts[name];
  const entry = entryOf(opened, name, told);
  const digest = createHash("sha256");
  const items: T[] = [];
  try {
    for await (const line of linesOf(await openEntry(zip, entry, file), digest, step)) {
      const item = shape.safeParse(parse(line));
      if (!item.success) throw damaged(file, `line ${items.length + 1} of ${name}: ${issueOf(item.error)}`);
      items.push(item.data);
    }
  } catch (cause) {
    throw troubleWith(file, cause, damaged);
  }
  if (digest.digest("hex") !== told.sha256) throw damaged(file, `${name} is not what was exported`);
  return items;
}

/** The lines of a part; what passes is hashed and counted. */
async function* linesOf(source: Readable, digest: Hash, step: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  for await (const chunk of source as AsyncIterable<Buffer>) {
    digest.update(chunk);
    step(chunk.length);
    const lines = (rest + decoder.write(chunk)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  rest += decoder.end();
  if (rest !== "") yield rest;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is no JSON has no shape either, and whoever asked says so.
    return undefined;
  }
}

function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.join(".") || "it"}: ${issue.message}` : "";
}

function foreign(file: string, what: string): WorkbenchError {
  return new WorkbenchError(
    "ARCHIVE_FOREIGN",
    `${file} is no run that Coppice exported: ${what.replace(/\.+$/, "")}. Nothing was imported.`,
  );
}

function damaged(file: string, what: string): WorkbenchError {
  return new WorkbenchError(
    "ARCHIVE_DAMAGED",
    `${file} is damaged: ${what.replace(/\.+$/, "")}. Nothing was imported; export the run again.`,
  );
}

/** The error of whoever could not write to `path`; `null` for any other, of reading or unpacking. */
function unwritable(path: string, cause: unknown): WorkbenchError | null {
  if (
    !(cause instanceof Error) ||
    !("path" in cause ? cause.path === path : "syscall" in cause && cause.syscall === "write")
  )
    return null;
  return new WorkbenchError("ARCHIVE_UNWRITABLE", `${path} cannot be written (${cause.message}).`, { cause });
}

function tooLarge(file: string, bytes: number, most: number): WorkbenchError {
  const megabytes = (count: number) => `${Math.ceil(count / 1_048_576)} MiB`;
  return new WorkbenchError(
    "ARCHIVE_TOO_LARGE",
    `${file} takes ${megabytes(bytes)} where at most ${megabytes(most)} are read. Nothing was imported.`,
  );
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
