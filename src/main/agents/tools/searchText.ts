// The tool that searches file contents, line by line. The walk is here; matching is in a worker, which is ended when it takes too long.

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { globParameter, makeGlobTest } from "./glob.ts";
import { answerRefusal, resolveInside, type ResolvedPath } from "./paths.ts";
import { searchWorkerSource, type Found, type Hit, type SearchSetup } from "./searchWorker.ts";
import { toolError, type Tool, type ToolAnswer, type ToolContext } from "./tool.ts";
import { walkTree } from "./walk.ts";

const plainResults = 100;
const maxResults = 500;
const maxSearchMs = 10_000;
const batchSize = 100;
const maxFileBytes = 16 * 1024 * 1024;
const maxLine = 300;

const parameters = z.strictObject({
  query: z.string().min(1).describe("Text to find in a line, case-sensitive."),
  regex: z.boolean().optional().describe("Take the query as a JavaScript regular expression. Default: plain text."),
  path: z.string().min(1).optional().describe("Folder or file, relative to the root. Default: the root."),
  glob: globParameter.optional().describe("Only files that match, such as *.ts or src/**/*.css."),
  maxResults: z.int().min(1).max(maxResults).optional().describe(`Default ${plainResults}.`),
});
type Input = z.infer<typeof parameters>;

interface Outcome {
  readonly hits: readonly Hit[];
  readonly searched: number;
  readonly skipped: number;
  readonly isFull: boolean;
  readonly isIgnoredFolder: boolean;
}

/** The query as the source of a regular expression; `null` when it is not one. */
function toPattern(input: Input): string | null {
  if (input.regex !== true) return input.query.replace(/[\\^$.*+?()[\]{}|/-]/gu, String.raw`\$&`);
  try {
    return new RegExp(input.query).source;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

async function* batchFiles(
  root: string,
  place: ResolvedPath,
  glob: string | undefined,
): AsyncGenerator<{ readonly files: readonly string[]; readonly isIgnoredFolder: boolean }> {
  if (place.kind === "file") {
    yield { files: [place.real], isIgnoredFolder: false };
    return;
  }
  const isWanted = makeGlobTest(glob, place.real);
  const { entries, isIgnoredFolder } = await walkTree(root, place.real);
  let files: string[] = [];
  for await (const { path, kind } of entries) {
    if (kind !== "file" || !isWanted(path)) continue;
    files.push(path);
    if (files.length < batchSize) continue;
    yield { files, isIgnoredFolder };
    files = [];
  }
  yield { files, isIgnoredFolder };
}

/** Searches in order until all is searched or enough is found. Rejects with the signal's reason when it aborts, and with the worker's error. */
async function search(
  setup: SearchSetup,
  place: ResolvedPath,
  glob: string | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  const worker = new Worker(searchWorkerSource, {
    eval: true,
    workerData: setup,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // Heard from the start: a worker may break before it is asked anything, and an `error` nobody hears ends the process.
  const broken = new Promise<never>((_, reject) => worker.once("error", reject));
  broken.catch(() => undefined); // told through the race below
  try {
    let total: Outcome = { hits: [], searched: 0, skipped: 0, isFull: false, isIgnoredFolder: false };
    for await (const { files, isIgnoredFolder } of batchFiles(setup.root, place, glob)) {
      signal.throwIfAborted();
      const answer = once(worker, "message", { signal });
      worker.postMessage({ files });
      const [found] = (await Promise.race([answer, broken])) as [Found];
      total = {
        hits: [...total.hits, ...found.hits],
        searched: total.searched + found.searched,
        skipped: total.skipped + found.skipped,
        isFull: found.isFull,
        isIgnoredFolder,
      };
      if (found.isFull) break;
    }
    return total;
  } finally {
    await worker.terminate();
  }
}

function showOutcome(input: Input, outcome: Outcome): string {
  const files = new Set(outcome.hits.map((hit) => hit.path)).size;
  const notes = [
    ...(outcome.isFull ? [`Stopped at ${outcome.hits.length}: more lines match; narrow the query, path or glob.`] : []),
    ...(outcome.skipped > 0 ? [`${outcome.skipped} files were too large or unreadable.`] : []),
    ...(outcome.isIgnoredFolder ? ["This folder is ignored by git; all of it was searched."] : []),
  ];
  const scope = `${outcome.searched} text ${outcome.searched === 1 ? "file" : "files"} searched; what git ignores is left out unless named`;
  const head =
    outcome.hits.length === 0
      ? `Found nothing for ${JSON.stringify(input.query)} (${scope}).`
      : `Found ${outcome.hits.length} matching ${outcome.hits.length === 1 ? "line" : "lines"} in ${files} ${files === 1 ? "file" : "files"} for ${JSON.stringify(input.query)}.`;
  return [[head, ...notes].join(" "), ...outcome.hits.map((hit) => `${hit.path}:${hit.line}: ${hit.text}`)].join("\n");
}

/** Carries out a search that may take `limitMs`. */
export async function searchFiles(input: Input, context: ToolContext, limitMs = maxSearchMs): Promise<ToolAnswer> {
  const place = await resolveInside(context.place.path, input.path ?? ".");
  if (!place.ok) return answerRefusal(place.error);
  if (place.value.kind === "missing") return toolError("NOT_FOUND", `There is no file or folder ${place.value.path}.`);
  if (input.regex !== true && /[\r\n]/u.test(input.query))
    return toolError(
      "BAD_QUERY",
      "The query holds a line break; lines are searched one by one.",
      "Search for one of the lines.",
    );
  const pattern = toPattern(input);
  if (pattern === null)
    return toolError("BAD_REGEX", `${JSON.stringify(input.query)} is not a regular expression in JavaScript syntax.`);
  const limit = AbortSignal.timeout(limitMs);
  const setup = {
    root: context.place.path,
    pattern,
    maxResults: input.maxResults ?? plainResults,
    maxFileBytes,
    maxLine,
  };
  try {
    const outcome = await search(setup, place.value, input.glob, AbortSignal.any([context.signal, limit]));
    return { outcome: "executed", output: showOutcome(input, outcome) };
  } catch (error) {
    if (context.signal.aborted) return { outcome: "cancelled", output: "The search was cancelled." };
    if (limit.aborted)
      return toolError(
        "SEARCH_TIMEOUT",
        `The search was stopped after ${limitMs / 1000} s.`,
        "Name a folder or glob, or use a simpler expression.",
      );
    return toolError(
      "SEARCH_FAILED",
      `The search broke off: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

export const searchText: Tool<Input> = Object.freeze({
  name: "searchText",
  description: `Finds lines in files: "path:line: text". Plain text unless regex is true. What .gitignore names, binary files and .git are left out. Stops after ${maxSearchMs / 1000} s.`,
  effect: "read",
  class: "pure",
  isConcurrencySafe: true,
  parameters,
  run: (input: Input, context: ToolContext) => searchFiles(input, context),
});
