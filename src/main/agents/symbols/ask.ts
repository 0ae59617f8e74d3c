// Asks the symbols thread about the files below a place. The walk is here; reading and parsing is in a thread of its own for
// each question, which is ended with it: no answer can come from another root or from an older state of a file.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ResolvedPath } from "../tools/paths.ts";
import { walkTree } from "../tools/walk.ts";
import type { BatchAnswer, FileFacts, Question, ThreadSetup } from "./facts.ts";

const maxFiles = 5000;
const maxFileBytes = 1024 * 1024;
const batchSize = 50;
const maxThreadMemoryMb = 512;

/** Source files, known by extension, of which some have a grammar and the others are named as unsupported. */
const sourceFile =
  /\.(?:[cm]?[jt]s|[jt]sx|pyi?|go|rs|java|c|cc|cpp|cxx|h|hh|hpp|hxx|cs|rb|rake|php|sh|bash|kts?|swift|scala|sc|dart|lua|r|jl|exs?|erl|hrl|hs|mli?|fsx?|vb|clj[cs]?|groovy|gradle|m|mm|p[lm]|zig|nim|vue|svelte|astro|sql|ps1|psm1|zsh|fish|sol|proto|graphql|elm|cr|d|pas|f90|asm)$/iu;

export interface Gathered {
  readonly files: readonly FileFacts[];
  /** All that were looked at. */
  readonly fileCount: number;
  /** More files exist than may be looked at. */
  readonly isFull: boolean;
  /** The place was named although git ignores it. */
  readonly isIgnoredFolder: boolean;
}

/** `hasEnough`: asked after each batch. `signal`: its reason is what the promise rejects with. */
export interface Asking {
  readonly root: string;
  readonly place: ResolvedPath;
  readonly question: Question;
  readonly signal: AbortSignal;
  hasEnough(files: readonly FileFacts[]): boolean;
}

/** Asks about every source file at or below the place, in the order of the walk. Rejects with the signal's reason, or with what broke the thread; the thread has ended by then. */
export async function askThread({ root, place, question, signal, hasEnough }: Asking): Promise<Gathered> {
  signal.throwIfAborted();
  const { workerUrl } = await import("./worker.ts");
  const setup: ThreadSetup = { role: "coppice-symbols", root, question, maxFileBytes };
  const worker = new Worker(new URL(workerUrl), {
    workerData: setup,
    execArgv: [],
    name: "symbols",
    resourceLimits: { maxOldGenerationSizeMb: maxThreadMemoryMb },
  });
  // Heard from the start: a thread may break before it is asked anything, and an `error` nobody hears ends the process.
  const broken = new Promise<never>((_, reject) => worker.once("error", reject));
  broken.catch(() => undefined); // told through the race below
  const files: FileFacts[] = [];
  let fileCount = 0;
  let isFull = false;
  try {
    const { isIgnoredFolder, batches } = await findFiles(root, place);
    for await (const batch of batches) {
      signal.throwIfAborted();
      const wanted = batch.slice(0, maxFiles - fileCount);
      isFull = wanted.length < batch.length;
      if (wanted.length > 0) {
        const answer = once(worker, "message", { signal });
        worker.postMessage({ files: wanted });
        const [found] = (await Promise.race([answer, broken])) as [BatchAnswer];
        for (const fact of found.files) files.push(fact);
        fileCount += wanted.length;
      }
      if (isFull || hasEnough(files)) break;
    }
    return { files, fileCount, isFull, isIgnoredFolder };
  } finally {
    await worker.terminate();
  }
}

async function findFiles(
  root: string,
  place: ResolvedPath,
): Promise<{ readonly isIgnoredFolder: boolean; readonly batches: AsyncIterable<readonly string[]> }> {
  if (place.kind === "file") return { isIgnoredFolder: false, batches: inBatches(only(place.real)) };
  const { entries, isIgnoredFolder } = await walkTree(root, place.real);
  const sources = async function* (): AsyncGenerator<string> {
    for await (const { path, kind } of entries) if (kind === "file" && sourceFile.test(path)) yield path;
  };
  return { isIgnoredFolder, batches: inBatches(sources()) };
}

// A file that was asked for by name is looked at whatever its extension says.
async function* only(path: string): AsyncGenerator<string> {
  yield path;
}

async function* inBatches(paths: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let batch: string[] = [];
  for await (const path of paths) {
    batch.push(path);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
