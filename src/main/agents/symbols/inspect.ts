// What one file answers to a question: its outline, or the definitions and uses of a name.

import type { Query, Tree } from "web-tree-sitter";
import { readCaptures } from "./captures.ts";
import type { DefinitionFact, FileFacts, Question, SymbolFact, UseFact } from "./facts.ts";
import type { Language } from "./languages.ts";
import { buildScopes, type Definition, type Scopes } from "./scopes.ts";
import { readUses, type Use } from "./uses.ts";

const maxLine = 160;
const maxDefinitionLines = 8;
const maxCallees = 40;

/** Answers `question` for a parsed file. `tree` is of `text`, and `query` is the language's. `null`: querying took longer than `limitMs`. */
export function inspectFile(
  path: string,
  text: string,
  tree: Tree,
  query: Query,
  language: Language,
  question: Question,
  limitMs: number,
): FileFacts | null {
  const captures = readCaptures(query, tree.rootNode, text, limitMs);
  if (captures === null) return null;
  const scopes = buildScopes(captures, language);
  const lines = createLines(text);
  const outline = toSymbols(scopes.definitions, lines);
  const facts = {
    path,
    status: tree.rootNode.hasError ? ("partial" as const) : ("clean" as const),
    family: language.family,
    holdsName: true,
    package: captures.package,
  };
  if (question.kind === "outline") {
    const symbols = outline.map(([, symbol]) => symbol).filter(({ name }) => hasWords(name, question.words));
    return { ...facts, symbols, definitions: [], uses: [] };
  }
  const uses = readUses(captures, scopes, language);
  return {
    ...facts,
    symbols: [],
    definitions: outline
      .filter(([, { name }]) => name === question.name)
      .map(([definition, symbol]) => describeDefinition(definition, symbol, uses, lines)),
    uses: uses.filter(({ name }) => name === question.name).map((use) => describeUse(use, scopes, lines)),
  };
}

function hasWords(name: string, words: readonly string[]): boolean {
  const lower = name.toLowerCase();
  return words.every((word) => lower.includes(word));
}

/** Definitions in the order of the text; a variable that is set again is named once. */
function toSymbols(definitions: readonly Definition[], lines: Lines): readonly (readonly [Definition, SymbolFact])[] {
  const values = new Set<string>();
  return definitions
    .toSorted((left, right) => left.name.start - right.name.start)
    .flatMap((definition) => {
      const { kind, reach, name } = definition;
      const container = definition.container.join(".");
      const key = `${container} ${name.name}`;
      if ((kind === "constant" || kind === "variable") && values.size === values.add(key).size) return [];
      const line = lines.numberAt(name.start);
      // The last line is that of the last character, not of the line break that some grammars count in.
      const endLine = Math.max(line, lines.numberAt(Math.max(definition.start, definition.end - 1)));
      return [[definition, { name: name.name, container, kind, reach, line, endLine }] as const];
    });
}

function describeDefinition(
  definition: Definition,
  symbol: SymbolFact,
  uses: readonly Use[],
  lines: Lines,
): DefinitionFact {
  const callees = new Map<string, number>();
  for (const { written, start, isCall } of uses) {
    if (!isCall || start < definition.start || start >= definition.end || callees.size >= maxCallees) continue;
    if (!callees.has(written)) callees.set(written, lines.numberAt(start));
  }
  const count = Math.min(maxDefinitionLines, symbol.endLine - symbol.line + 1);
  return {
    ...symbol,
    excerpt: Array.from({ length: count }, (_, index) => lines.show(symbol.line + index, 0)),
    callees: [...callees].map(([written, line]) => ({ written, line })),
  };
}

function describeUse({ name, written, start, isCall, space, via }: Use, scopes: Scopes, lines: Lines): UseFact {
  const within = scopes.definitionAt(start);
  const line = lines.numberAt(start);
  return {
    name,
    written,
    line,
    excerpt: lines.show(line, start).trim(),
    within: within === null ? "" : [...within.container, within.name.name].join("."),
    isCall,
    space,
    via,
  };
}

interface Lines {
  /** The line of a position, from 1. */
  numberAt(position: number): number;
  /** The text of a line; of a long one the piece round `position`. */
  show(line: number, position: number): string;
}

function createLines(text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return {
    numberAt(position) {
      let low = 0;
      let high = starts.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((starts[middle] ?? 0) <= position) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    show(line, position) {
      const start = starts[line - 1] ?? 0;
      const whole = text.slice(start, (starts[line] ?? text.length + 1) - 1).replace(/\r$/u, "");
      if (whole.length <= maxLine) return whole;
      const from = Math.max(0, Math.min(position - start - maxLine / 4, whole.length - maxLine));
      return `${from > 0 ? "…" : ""}${whole.slice(from, from + maxLine)}${from + maxLine < whole.length ? "…" : ""}`;
    },
  };
}
