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
  const zip = new yazl.ZipFile();
  const written = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
  // A failure is thrown by whatever is awaited then; until that it is not one that nobody handles.
  written.catch(() => undefined);
  zip.on("error", () => undefined);
  const events = await addPart(zip, "events.ndjson", content.events, written);
  const payloads = await addPart(zip, "payloads.ndjson", content.payloads, written);
  const bundle = content.bundle === null ? null : await addBundle(zip, content.bundle, written);
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
  zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), "manifest.json");
  zip.end();
  await written;
  return manifest;
}

/** Puts the bundle into the zip as it is: git has packed it already. */
async function addBundle(zip: yazl.ZipFile, file: string, written: Promise<void>): Promise<PartFacts> {
  const digest = createHash("sha256");
  let bytes = 0;
  async function* passed(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      digest.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const source = Readable.from(passed(), { objectMode: false });
  const ended = Promise.withResolvers<void>();
  source.once("close", ended.resolve).once("error", ended.reject);
  zip.addReadStream(source, bundleName, { compress: false });
  await Promise.race([ended.promise, written]);
  return { sha256: digest.digest("hex"), bytes };
}

/** Puts one part into the zip, line by line, and resolves once all of it is through. */
async function addPart(
  zip: yazl.ZipFile,
  name: PartName,
  items: Iterable<unknown>,
  written: Promise<void>,
): Promise<{ readonly facts: PartFacts; readonly count: number }> {
  const digest = createHash("sha256");
  let [bytes, count] = [0, 0];
  function* lines(): Generator<Buffer> {
    for (const item of items) {
      const line = Buffer.from(`${canonicalJson(item)}\n`);
      digest.update(line);
      bytes += line.length;
      count += 1;
      yield line;
    }
  }
  const source = Readable.from(lines(), { objectMode: false });
  const ended = Promise.withResolvers<void>();
  source.once("close", ended.resolve).once("error", ended.reject);
  zip.addReadStream(source, name);
  // Where nothing can be written any more, nothing is read any more either.
  await Promise.race([ended.promise, written]);
  return { facts: { sha256: digest.digest("hex"), bytes }, count };
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
