// What the symbols thread finds out about files, and how it is asked. Types only: the thread and the process that asks
// share no code, so that the bundler gives the thread a file that pulls in nothing else.

export type SymbolKind =
  | "class"
  | "constant"
  | "constructor"
  | "enum"
  | "function"
  | "interface"
  | "macro"
  | "method"
  | "module"
  | "namespace"
  | "property"
  | "struct"
  | "trait"
  | "type"
  | "variable";

/** Who can mean a definition by its plain name: its file and who imports it, only through an owner, or only its own function. */
export type Reach = "file" | "member" | "nested";

/** A named thing of the outline. */
export interface SymbolFact {
  readonly name: string;
  /** Names of what it stands in, joined by dots: `Store`, `outer.inner`; empty at the top of a file. */
  readonly container: string;
  readonly kind: SymbolKind;
  readonly reach: Reach;
  /** First and last line, from 1. */
  readonly line: number;
  readonly endLine: number;
}

/**
 * What a name in the code stands for, as far as syntax and scopes tell.
 * `definition`: bound in its own file · `import`: bound by an import, under this name there · `bare`: nothing in the file binds it ·
 * `self`: through this, self or super · `path`: through a type or module of this name · `value`: through something whose type is unknown.
 */
export type Via =
  | { readonly kind: "definition"; readonly qualified: string }
  | { readonly kind: "import"; readonly name: string; readonly from: string }
  | { readonly kind: "bare"; readonly owner: string | null }
  | { readonly kind: "self"; readonly owner: string | null }
  | {
      readonly kind: "path";
      readonly owner: string | null;
      readonly from: string | null;
      readonly mayBeModule: boolean;
    }
  | { readonly kind: "value" };

/** A place that names a symbol. */
export interface UseFact {
  /** The symbol's own name, where an alias is written. */
  readonly name: string;
  /** As written: `keep`, `store.save`. */
  readonly written: string;
  readonly line: number;
  /** The line's text, bounded. */
  readonly excerpt: string;
  /** Qualified name of the definition that it stands in; empty at the top of a file. */
  readonly within: string;
  readonly isCall: boolean;
  /** Where variables and callables have names of their own: which of the two is meant. */
  readonly space: "any" | "callable" | "value";
  readonly via: Via;
}

/** A definition that was asked for by name. */
export interface DefinitionFact extends SymbolFact {
  readonly excerpt: readonly string[];
  /** Calls in its body, one for each thing called, with the first line. Its parameters and locals are left out. */
  readonly callees: readonly { readonly written: string; readonly line: number }[];
}

/** `clean`: read whole · `partial`: parts of it do not parse · the others were not read. */
export type FileStatus = "clean" | "partial" | "unsupported" | "large" | "slow" | "unreadable" | "binary";

export interface FileFacts {
  readonly path: string;
  readonly status: FileStatus;
  /** Its language's; `null` without a grammar. Names mean nothing from one family to another. */
  readonly family: string | null;
  /** For an unsupported file: whether the name that was asked for occurs in its text. */
  readonly holdsName: boolean;
  /** Package or namespace that the file declares. */
  readonly package: string | null;
  readonly symbols: readonly SymbolFact[];
  readonly definitions: readonly DefinitionFact[];
  readonly uses: readonly UseFact[];
}

/** `outline`: symbols whose name holds every word, in any letter case · `explore`: definitions and uses of one name. */
export type Question =
  | { readonly kind: "outline"; readonly words: readonly string[] }
  | { readonly kind: "explore"; readonly name: string };

/** Where the thread works. */
export interface ThreadSetup {
  readonly role: "coppice-symbols";
  /** Absolute. */
  readonly root: string;
  readonly question: Question;
  readonly maxFileBytes: number;
}

/** What a batch of files gave: the files with something to tell, and how many had nothing. */
export interface BatchAnswer {
  readonly files: readonly FileFacts[];
  readonly silentCount: number;
}
