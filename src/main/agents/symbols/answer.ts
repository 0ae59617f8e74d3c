// How the symbol tools answer: within a size, and with what was not looked into. Never lets a limit look like "not found".

import { toolError, type ToolAnswer, type ToolContext } from "../tools/tool.ts";
import { answerRefusal, resolveInside, type ResolvedPath } from "../tools/paths.ts";
import type { FileFacts, FileStatus } from "./facts.ts";
import type { Gathered } from "./ask.ts";

const maxOutputBytes = 40_000;
const maxNamedFiles = 8;

/** For the tools' descriptions. */
export const supportedLanguages =
  "TypeScript, TSX, JavaScript, Python, Go, Rust, Java, C++, C#, Ruby, PHP and Bash, by file extension";

export interface Answering {
  readonly place: ResolvedPath;
  /** The context's own, and the time limit. */
  readonly signal: AbortSignal;
}

/**
 * Resolves `path` below the node's own root and runs `work` for at most `limitMs`. Codes of the answer: the jail's, `NOT_FOUND`,
 * `SYMBOLS_TIMEOUT`, `SYMBOLS_FAILED`. Never rejects.
 */
export async function answerWithin(
  path: string | undefined,
  context: ToolContext,
  limitMs: number,
  work: (answering: Answering) => Promise<ToolAnswer>,
): Promise<ToolAnswer> {
  const place = await resolveInside(context.place.path, path ?? ".");
  if (!place.ok) return answerRefusal(place.error);
  if (place.value.kind === "missing") return toolError("NOT_FOUND", `There is no file or folder ${place.value.path}.`);
  const limit = AbortSignal.timeout(limitMs);
  try {
    return await work({ place: place.value, signal: AbortSignal.any([context.signal, limit]) });
  } catch (error) {
    if (context.signal.aborted) return { outcome: "cancelled", output: "Reading symbols was cancelled." };
    if (limit.aborted) {
      const message = `Reading symbols of ${place.value.path} was stopped after ${limitMs / 1000} s; nothing of it is shown.`;
      return toolError("SYMBOLS_TIMEOUT", message, "Name a smaller folder or a file, or use searchText.");
    }
    const message = `Reading symbols broke off: ${error instanceof Error ? error.message : String(error)}`;
    return toolError("SYMBOLS_FAILED", message, "Use searchText and readFile instead.");
  }
}

/** The refusal of a file that was asked for by name and cannot be read as code; `null` when it can. */
export function refuseFile(place: ResolvedPath, { files }: Gathered): ToolAnswer | null {
  const status = place.kind === "file" ? files[0]?.status : undefined;
  if (status === undefined || status === "clean" || status === "partial") return null;
  const [code, why] = refusals[status];
  return toolError(code, `${place.path} ${why}`, "Use readFile or searchText for it.");
}

const refusals: Readonly<Record<Exclude<FileStatus, "clean" | "partial">, readonly [code: string, why: string]>> = {
  unsupported: [
    "UNSUPPORTED_LANGUAGE",
    `is in a language that symbols are not read from: there is a grammar for ${supportedLanguages}. This says nothing about what is in it.`,
  ],
  large: ["FILE_TOO_LARGE", "is larger than 1 MB, so its symbols are not read."],
  slow: ["PARSE_TIMEOUT", "took longer than 2 s to parse, so its symbols are not read."],
  binary: ["NOT_TEXT", "is not a text file."],
  unreadable: ["FILE_UNREADABLE", "could not be read."],
};

/** Sentences on what was not looked into, or only in part. */
export function noteGaps({ files, fileCount, isFull, isIgnoredFolder }: Gathered): readonly string[] {
  const of = (...statuses: readonly FileStatus[]) => files.filter(({ status }) => statuses.includes(status));
  const note = (found: readonly FileFacts[], say: (names: string) => string) =>
    found.length === 0 ? [] : [say(nameFiles(found))];
  return [
    ...note(of("partial"), (names) => `Partial: syntax errors, so symbols may be missing or misplaced, in ${names}.`),
    ...note(of("unsupported"), (names) => `Not looked into, no grammar for the language: ${names}.`),
    ...note(of("large"), (names) => `Not looked into, larger than 1 MB: ${names}.`),
    ...note(of("slow"), (names) => `Not looked into, took longer than 2 s to parse: ${names}.`),
    ...note(of("unreadable", "binary"), (names) => `Not looked into, unreadable or not text: ${names}.`),
    ...(isFull ? [`Stopped after ${fileCount} source files; more exist: name a folder.`] : []),
    ...(isIgnoredFolder ? ["This folder is ignored by git; all of it was looked into."] : []),
  ];
}

function nameFiles(files: readonly FileFacts[]): string {
  const names = files.slice(0, maxNamedFiles).map(({ path }) => path);
  const more = files.length - names.length;
  return `${count(files.length, "file")} (${names.join(", ")}${more > 0 ? ` and ${more} more` : ""})`;
}

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Head and lines as one text of at most 40 KB. Whole lines are left out at the end, and the head says how many. */
export function boundOutput(head: string, lines: readonly string[]): string {
  let left = maxOutputBytes - Buffer.byteLength(head) - 200;
  const kept: string[] = [];
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const cut = lines.length - kept.length;
  return [
    cut > 0 ? `${head} The last ${count(cut, "line")} did not fit and were left out: name a folder or file.` : head,
    ...kept,
  ].join("\n");
}
