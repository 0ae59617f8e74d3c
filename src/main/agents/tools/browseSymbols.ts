// The tool that outlines code: which symbols a file or folder defines, and where. Reads structure only, never types.

import { z } from "zod";
import { answerWithin, boundOutput, count, noteGaps, refuseFile, supportedLanguages } from "../symbols/answer.ts";
import { askThread, type Gathered } from "../symbols/ask.ts";
import type { FileFacts, SymbolFact } from "../symbols/facts.ts";
import { qualifiedName } from "../symbols/link.ts";
import type { Tool, ToolAnswer, ToolContext } from "./tool.ts";

const maxEntries = 300;
const maxBrowseMs = 10_000;
const maxName = 120;

const parameters = z.strictObject({
  path: z.string().min(1).optional().describe("File or folder, relative to the root. Default: the root."),
  query: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("Only symbols whose name holds every word of it, in any letter case."),
});
type Input = z.infer<typeof parameters>;

/** Carries out a browse that may take `limitMs`. */
export async function outlineFiles(input: Input, context: ToolContext, limitMs = maxBrowseMs): Promise<ToolAnswer> {
  return answerWithin(input.path, context, limitMs, async ({ place, signal }) => {
    const words = input.query?.toLowerCase().split(/\s+/u) ?? [];
    const gathered = await askThread({
      root: context.place.path,
      place,
      question: { kind: "outline", words },
      signal,
      hasEnough: (files) => countSymbols(files) > maxEntries,
    });
    return (
      refuseFile(place, gathered) ?? { outcome: "executed", output: showOutline(place.path, input.query, gathered) }
    );
  });
}

function countSymbols(files: readonly FileFacts[]): number {
  return files.reduce((sum, { symbols }) => sum + symbols.length, 0);
}

function showOutline(path: string, query: string | undefined, gathered: Gathered): string {
  const entries = gathered.files.flatMap((file) => file.symbols.map((symbol) => showSymbol(file.path, symbol)));
  const shown = entries.slice(0, maxEntries);
  const files = gathered.files.filter(({ symbols }) => symbols.length > 0).length;
  const what = query === undefined ? "" : ` with ${JSON.stringify(query)} in the name`;
  const found =
    entries.length === 0
      ? `No symbol${what} in ${count(gathered.fileCount, "source file")}.`
      : `${count(shown.length, "symbol")}${what} in ${count(files, "file")}.`;
  const cut = `Stopped at ${maxEntries} symbols; more exist: name a folder, a file or a query.`;
  const head = [
    `Outlined ${path}: ${found}`,
    ...(entries.length > shown.length ? [cut] : []),
    ...noteGaps(gathered),
    ...(entries.length === 0 ? ["searchText finds text of any kind."] : []),
  ];
  return boundOutput(head.join(" "), shown);
}

function showSymbol(path: string, symbol: SymbolFact): string {
  const name = qualifiedName(symbol);
  return `${path}:${symbol.line}: ${symbol.kind} ${name.length > maxName ? `${name.slice(0, maxName)}…` : name}`;
}

export const browseSymbols: Tool<Input> = Object.freeze({
  name: "browseSymbols",
  description: `Outlines code: "path:line: kind name" of functions, methods, classes, types and constants, by syntax. Fields, parameters and locals are left out, and so are functions kept in local variables. ${supportedLanguages}; files in other languages are named. What .gitignore names is left out. At most ${maxEntries} symbols; stops after ${maxBrowseMs / 1000} s.`,
  effect: "read",
  class: "pure",
  isConcurrencySafe: true,
  parameters,
  run: (input: Input, context: ToolContext) => outlineFiles(input, context),
});
