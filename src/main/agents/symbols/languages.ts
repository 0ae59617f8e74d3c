// The languages that have a grammar here, by file extension. What is particular to one is data: its query and a few habits.

import { bashQuery } from "./queries/bash.ts";
import { cppQuery } from "./queries/cpp.ts";
import { csharpQuery } from "./queries/csharp.ts";
import { goQuery } from "./queries/go.ts";
import { javaQuery } from "./queries/java.ts";
import { javascriptQuery, tsxQuery, typescriptQuery } from "./queries/ecmascript.ts";
import { phpQuery } from "./queries/php.ts";
import { pythonQuery } from "./queries/python.ts";
import type { LanguageQuery } from "./queries/query.ts";
import { rubyQuery } from "./queries/ruby.ts";
import { rustQuery } from "./queries/rust.ts";

export interface Language {
  readonly name: string;
  /** Languages of one family import from each other. */
  readonly family: string;
  /** Of `tree-sitter-<grammar>.wasm`. */
  readonly grammar: string;
  readonly extensions: readonly string[];
  readonly query: LanguageQuery;
  /** Words that stand for the object or class at hand. */
  readonly selfWords: readonly string[];
  /** Words that stand for a module at the head of a path. */
  readonly moduleWords: readonly string[];
  /** A bare name in a class may be the class's own member. */
  readonly hasImplicitReceiver: boolean;
  /** Variables and callables have names of their own: a call never means a local variable. */
  readonly keepsCallsApart: boolean;
  /** A name without parentheses may be a call. */
  readonly callsWithoutParentheses: boolean;
  /** What is imported by name may be a module. */
  readonly importsModules: boolean;
}

const plain = {
  selfWords: ["this", "super"],
  moduleWords: [] as readonly string[],
  hasImplicitReceiver: false,
  keepsCallsApart: false,
  callsWithoutParentheses: false,
  importsModules: false,
};

export const languages: readonly Language[] = [
  {
    ...plain,
    name: "TypeScript",
    family: "ecmascript",
    grammar: "typescript",
    extensions: ["ts", "mts", "cts"],
    query: typescriptQuery,
  },
  { ...plain, name: "TSX", family: "ecmascript", grammar: "tsx", extensions: ["tsx"], query: tsxQuery },
  {
    ...plain,
    name: "JavaScript",
    family: "ecmascript",
    grammar: "javascript",
    extensions: ["js", "mjs", "cjs", "jsx"],
    query: javascriptQuery,
  },
  {
    ...plain,
    name: "Python",
    family: "python",
    grammar: "python",
    extensions: ["py", "pyi"],
    query: pythonQuery,
    selfWords: ["self", "cls", "super()"],
    importsModules: true,
  },
  { ...plain, name: "Go", family: "go", grammar: "go", extensions: ["go"], query: goQuery, selfWords: [] },
  {
    ...plain,
    name: "Rust",
    family: "rust",
    grammar: "rust",
    extensions: ["rs"],
    query: rustQuery,
    selfWords: ["self", "Self"],
    moduleWords: ["crate", "super", "self"],
    importsModules: true,
  },
  {
    ...plain,
    name: "Java",
    family: "java",
    grammar: "java",
    extensions: ["java"],
    query: javaQuery,
    hasImplicitReceiver: true,
    keepsCallsApart: true,
  },
  {
    ...plain,
    name: "C++",
    family: "cpp",
    grammar: "cpp",
    extensions: ["cpp", "cc", "cxx", "hpp", "hh", "hxx", "h"],
    query: cppQuery,
    hasImplicitReceiver: true,
    importsModules: true,
  },
  {
    ...plain,
    name: "C#",
    family: "c-sharp",
    grammar: "c-sharp",
    extensions: ["cs"],
    query: csharpQuery,
    selfWords: ["this", "base"],
    hasImplicitReceiver: true,
  },
  {
    ...plain,
    name: "Ruby",
    family: "ruby",
    grammar: "ruby",
    extensions: ["rb", "rake"],
    query: rubyQuery,
    selfWords: ["self"],
    hasImplicitReceiver: true,
    keepsCallsApart: true,
    callsWithoutParentheses: true,
  },
  {
    ...plain,
    name: "PHP",
    family: "php",
    grammar: "php",
    extensions: ["php"],
    query: phpQuery,
    selfWords: ["$this", "self", "static", "parent"],
    keepsCallsApart: true,
  },
  {
    ...plain,
    name: "Bash",
    family: "bash",
    grammar: "bash",
    extensions: ["sh", "bash"],
    query: bashQuery,
    selfWords: [],
    keepsCallsApart: true,
  },
];

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((extension) => [extension, language])),
);

/** The language of a path by its extension, in any letter case; `null` when there is no grammar for it. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot < 0 ? null : (byExtension.get(name.slice(dot + 1).toLowerCase()) ?? null);
}
