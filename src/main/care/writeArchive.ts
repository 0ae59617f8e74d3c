// Writes a run into a `.coppice` file: all of it or nothing, on the disk before it has its name.

import { randomUUID } from "node:crypto";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import yazl from "yazl";

import { WorkbenchError } from "../../shared/contract/errors.ts";
import type { RunId } from "../../shared/contract/ids.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import type { ArchivedEvent, ArchivedPayload } from "../engine/ports/store.ts";
import { StoreError } from "../store/failure.ts";
import {
  archiveFormat,
  archiveVersion,
  bundleName,
  type Manifest,
  type PartFacts,
  type PartName,
} from "./archiveFormat.ts";

/** What goes into an archive. Events and payloads are walked once, while it is written. */
export interface ArchiveContent {
  readonly app: string;
  readonly run: RunId;
  readonly title: string;
  /** Epoch ms. */
  readonly exportedAt: number;
  readonly events: Iterable<ArchivedEvent>;
  readonly payloads: Iterable<ArchivedPayload>;
  /** A git bundle of its refs; `null`: there is none. */
  readonly bundle: string | null;
}

export interface WrittenArchive {
  /** Of the file. */
  readonly bytes: number;
  readonly manifest: Manifest;
}

/** Writes an archive to `file`; one that stands there is replaced, whole by whole. Throws `ARCHIVE_UNWRITABLE`, and what walking the content throws. */
export async function writeArchive(file: string, content: ArchiveContent): Promise<WrittenArchive> {
  const half = `${file}.${randomUUID()}.half`;
  try {
    const manifest = await writeZip(half, content);
    await sync(half);
    await rename(half, file);
    await sync(dirname(file));
    return { bytes: (await stat(file)).size, manifest };
  } catch (cause) {
    await rm(half, { force: true });
    if (cause instanceof StoreError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new WorkbenchError("ARCHIVE_UNWRITABLE", `${file} cannot be written (${reason}).`, { cause });
  }
}

async function writeZip(path: string, content: ArchiveContent): Promise<Manifest> {
  const file = new yazl.ZipFile();
  const written = pipeline(file.outputStream, createWriteStream(path, { mode: 0o600 }));
  // A failure is thrown by whatever is awaited then; until that it is not one that nobody handles.
  written.catch(() => undefined);
  file.on("error", () => undefined);
  const zip: Zip = { file, written };
  const events = await addLines(zip, "events.ndjson", content.events);
  const payloads = await addLines(zip, "payloads.ndjson", content.payloads);
  // Git has packed it already.
  const bundle =
    content.bundle === null
      ? null
      : await addPart(zip, bundleName, createReadStream(content.bundle), { compress: false });
  const { app, run, title, exportedAt } = content;
  const manifest: Manifest = {
    format: archiveFormat,
    // As old a number as what it holds allows, so that an older Coppice reads it.
    version: bundle === null ? 1 : archiveVersion,
    app,
    run,
    title,
    exportedAt,
    events: events.count,
    parts: {
      "events.ndjson": events.facts,
      "payloads.ndjson": payloads.facts,
      ...(bundle === null ? {} : { [bundleName]: bundle }),
    },
  };
  file.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), "manifest.json");
  file.end();
  await written;
  return manifest;
}

interface Zip {
  readonly file: yazl.ZipFile;
  /** Fails where nothing can be written any more. */
  readonly written: Promise<void>;
}

/** Puts one part into the zip, item by item as a line of JSON. */
async function addLines(
  zip: Zip,
  name: PartName,
  items: Iterable<unknown>,
): Promise<{ readonly facts: PartFacts; readonly count: number }> {
  let count = 0;
  function* lines(): Generator<Buffer> {
    for (const item of items) {
      count += 1;
      yield Buffer.from(`${canonicalJson(item)}\n`);
    }
  }
  return { facts: await addPart(zip, name, lines()), count };
}

/** Puts one part into the zip, and resolves once all of it is through. */
async function addPart(
  { file, written }: Zip,
  name: PartName | typeof bundleName,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  options: { readonly compress?: boolean } = {},
): Promise<PartFacts> {
  const digest = createHash("sha256");
  let bytes = 0;
  async function* passed(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      digest.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(passed(), { objectMode: false });
  const ended = Promise.withResolvers<void>();
  source.once("close", ended.resolve).once("error", ended.reject);
  file.addReadStream(source, name, options);
  // Where nothing can be written any more, nothing is read any more either.
  await Promise.race([ended.promise, written]);
  return { sha256: digest.digest("hex"), bytes };
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
