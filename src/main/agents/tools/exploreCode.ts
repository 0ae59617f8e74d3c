// The tool that explores one symbol: where it is defined, who calls it, what it calls, where else it is named.
// What it says is resolved by syntax and scope; what only shares the name is marked so.

import { z } from "zod";
import { answerWithin, refuseFile, supportedLanguages, type Answering } from "../symbols/answer.ts";
import { askThread } from "../symbols/ask.ts";
import type { FileFacts } from "../symbols/facts.ts";
import { showExploration, type OtherName } from "../symbols/exploration.ts";
import type { Tool, ToolAnswer, ToolContext } from "./tool.ts";

const maxExploreMs = 10_000;
/** Symbols that a query may match before the search for more of them ends. */
const maxMatches = 2000;

const parameters = z
  .strictObject({
    symbol: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe("Exact name, in its letter case, alone or with its owner: save, Store.save, disk::save."),
    query: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe(
        "Words that the name holds, in any letter case, when it is not known exactly. The best match is explored.",
      ),
    path: z.string().min(1).optional().describe("Only this file or folder, relative to the root. Default: the root."),
  })
  .refine(({ symbol, query }) => (symbol === undefined) !== (query === undefined), "give either symbol or query");
type Input = z.infer<typeof parameters>;

/** Carries out an exploration that may take `limitMs`. */
export async function exploreSymbol(input: Input, context: ToolContext, limitMs = maxExploreMs): Promise<ToolAnswer> {
  return answerWithin(input.path, context, limitMs, async (answering) => {
    const root = context.place.path;
    if (input.symbol !== undefined) return explore(root, splitSymbol(input.symbol), [], answering);
    const query = input.query ?? "";
    const matches = await findNames(root, query, answering);
    if (!Array.isArray(matches)) return matches;
    const [best, ...others] = matches;
    if (best !== undefined) return explore(root, { name: best.name, owner: null }, others, answering);
    // Nothing is defined under such a name, but it may be used: of a package, or in a language without a grammar.
    return explore(root, { name: query, owner: null }, [], answering);
  });
}

interface Wanted {
  readonly name: string;
  /** Only definitions whose container ends with it, such as `Store`; `null` = any. */
  readonly owner: string | null;
}

/** `Store.save`, `Store::save`, `Store#save` and `save()`. A `#` at the start of a name is JavaScript's. */
function splitSymbol(symbol: string): Wanted {
  const parts = symbol
    .replace(/\(\)$/u, "")
    .split(/::|[.\\]|(?<=[\p{L}\p{N}_])#/u)
    .filter((part) => part !== "");
  const name = parts.at(-1) ?? symbol;
  return { name, owner: parts.length > 1 ? parts.slice(0, -1).join(".") : null };
}

async function explore(
  root: string,
  wanted: Wanted,
  others: readonly OtherName[],
  { place, signal }: Answering,
): Promise<ToolAnswer> {
  const question = { kind: "explore", name: wanted.name } as const;
  const gathered = await askThread({ root, place, question, signal, hasEnough: () => false });
  const refusal = refuseFile(place, gathered);
  return refusal ?? { outcome: "executed", output: showExploration(wanted, others, gathered) };
}

/** Names that hold the query's words, best first: equal, then beginning with it, then shorter. A refusal when the place cannot be read as code. */
async function findNames(root: string, query: string, { place, signal }: Answering): Promise<OtherName[] | ToolAnswer> {
  const words = query.toLowerCase().split(/\s+/u);
  const gathered = await askThread({
    root,
    place,
    question: { kind: "outline", words },
    signal,
    hasEnough: (files) => files.reduce((sum, { symbols }) => sum + symbols.length, 0) > maxMatches,
  });
  const refusal = refuseFile(place, gathered);
  if (refusal !== null) return refusal;
  const joined = words.join("");
  const rank = ({ name }: OtherName): number => {
    const lower = name.toLowerCase();
    return (lower === joined ? 0 : lower.startsWith(joined) ? 1000 : 2000) + name.length;
  };
  return firstOfEach(gathered.files).toSorted((left, right) => rank(left) - rank(right));
}

function firstOfEach(files: readonly FileFacts[]): readonly OtherName[] {
  const names = new Map<string, OtherName>();
  for (const { path, symbols } of files) {
    for (const { name, line } of symbols) if (!names.has(name)) names.set(name, { name, path, line });
  }
  return [...names.values()];
}

export const exploreCode: Tool<Input> = Object.freeze({
  name: "exploreCode",
  description: `Explores one symbol: its definitions, callers, callees and other references, each as "path:line: text". Resolved by syntax and scope, not by types: shadowed names, comments and strings are never reported, an import alias is followed in its file, and a method call x.foo() is listed as a possible caller of every method foo, marked "by name". Dynamic dispatch, re-exports under other names, reflection and generated code are not seen. ${supportedLanguages}; files in other languages that hold the name are named. At most 40 excerpts; stops after ${maxExploreMs / 1000} s.`,
  effect: "read",
  class: "pure",
  isConcurrencySafe: true,
  parameters,
  run: (input: Input, context: ToolContext) => exploreSymbol(input, context),
});
