// Loads grammars and keeps them for as long as their thread lives. web-tree-sitter runs only here, in the symbols thread.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Language as Grammar, Parser, Query, type Tree } from "web-tree-sitter";
import type { Language } from "./languages.ts";

/** From the sources, from the bundle and in an archive: the grammars lie where packages are found from this file. */
const { resolve } = createRequire(import.meta.url);

export interface Reader {
  /** The caller frees the tree. Broken code becomes error nodes; `null`: it took longer than `limitMs`. */
  parse(text: string, limitMs: number): Tree | null;
  readonly query: Query;
  /** The query without the patterns that an outline does not need. */
  readonly outlineQuery: Query;
}

export interface Grammars {
  /** Rejects when the grammar's file cannot be loaded or its query does not fit it. */
  open(language: Language): Promise<Reader>;
}

/** Starts web-tree-sitter. Rejects when its own file cannot be loaded. */
export async function createGrammars(): Promise<Grammars> {
  await Parser.init();
  const readers = new Map<string, Promise<Reader>>();
  return {
    open(language) {
      const known = readers.get(language.grammar);
      if (known !== undefined) return known;
      const opening = openReader(language);
      readers.set(language.grammar, opening);
      return opening;
    },
  };
}

async function openReader({ grammar, query }: Language): Promise<Reader> {
  const file = resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`);
  const loaded = await Grammar.load(await readFile(file));
  const parser = new Parser().setLanguage(loaded);
  return {
    query: new Query(loaded, query),
    outlineQuery: outlineOf(new Query(loaded, query), query),
    parse(text, limitMs) {
      const deadline = performance.now() + limitMs;
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
      // A parse that was stopped would go on with the next text.
      if (tree === null) parser.reset();
      return tree;
    },
  };
}

/** Most matches of a query are references; without them an outline costs a third. */
function outlineOf(query: Query, source: string): Query {
  for (let pattern = 0; pattern < query.patternCount(); pattern += 1) {
    const text = source.slice(query.startIndexForPattern(pattern), query.endIndexForPattern(pattern));
    if (!/@(?:scope|owner|name|import|module)\b/u.test(text)) query.disablePattern(pattern);
  }
  return query;
}
