// Loads grammars and keeps them for as long as their thread lives. web-tree-sitter runs only here, in the symbols thread.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Language as Grammar, Parser, Query, type Tree } from "web-tree-sitter";
import type { Language } from "./languages.ts";

/** From the sources, from the bundle and in an archive: the grammars lie where packages are found from this file. */
const grammarFolder = fileURLToPath(new URL("wasm/", import.meta.resolve("@vscode/tree-sitter-wasm/package.json")));

export interface Reader {
  /** The caller frees the tree. Broken code becomes error nodes; `null`: it took longer than `limitMs`. */
  parse(text: string, limitMs: number): Tree | null;
  /** What an outline needs, or all of it. Compiled when it is first asked for, which takes longer than a small file. */
  query(extent: "outline" | "explore"): Query;
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
  const loaded = await Grammar.load(await readFile(join(grammarFolder, `tree-sitter-${grammar}.wasm`)));
  const queries = new Map<string, Query>();
  const parser = new Parser().setLanguage(loaded);
  return {
    query(extent) {
      const known = queries.get(extent);
      if (known !== undefined) return known;
      const compiled = new Query(loaded, extent === "outline" ? query.names : query.names + query.uses);
      queries.set(extent, compiled);
      return compiled;
    },
    parse(text, limitMs) {
      const deadline = performance.now() + limitMs;
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
      // A parse that was stopped would go on with the next text.
      if (tree === null) parser.reset();
      return tree;
    },
  };
}
