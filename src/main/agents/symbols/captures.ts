// Runs a language's query over a tree and sorts what it captures. The captures that a query may use:
//   @scope[.function|.class][.closed] · @owner.scope with @owner · @def|@type|@outer.<kind>[.type] with @name[, @owner, @self]
//   @local[.function][, @after] · @import|@module with @alias, @from · @reexport · @unbind · @package
//   @call · @ref · @member[.call] with @receiver or @qualifier · @skip. What each means is said at the type that it fills.

import type { Node, Query, QueryMatch } from "web-tree-sitter";
import type { SymbolKind } from "./facts.ts";
import type { Span } from "./nest.ts";

export interface NameMark extends Span {
  readonly name: string;
}

/** A region with names of its own. `closed`: locals from outside are not seen in it. `function`: hoisted names stop here. */
export interface ScopeMark extends Span {
  readonly isFunction: boolean;
  readonly isClass: boolean;
  readonly isClosed: boolean;
}

/** Methods of a type that is declared elsewhere, as Rust's `impl`. */
export interface OwnerMark extends Span {
  readonly name: string;
}

/** `@type`: holds members. `@outer`: a definition only where no function is around it. */
export interface DefinitionMark extends Span {
  readonly name: NameMark;
  readonly kind: SymbolKind;
  readonly isType: boolean;
  readonly isOuterOnly: boolean;
  /** Type that it is declared for, where that is part of its own head. */
  readonly owner: string | null;
  readonly pattern: number;
}

/** `visibleFrom`: where the name begins to stand for it; `null` = in all of its scope. `hoisted`: belongs to the function around. */
export interface LocalMark {
  readonly name: NameMark;
  readonly visibleFrom: number | null;
  readonly isHoisted: boolean;
  /** The object at hand, as Go's receiver. */
  readonly isSelf: boolean;
}

/** `name`: what it is called where it comes from, `null` = all of a module. `from`: the module, `null` = this same place. */
export interface ImportMark {
  readonly local: NameMark;
  readonly name: NameMark | null;
  readonly from: string | null;
}

/** A name that is used. `receiver`: what stands before the dot, as text. `isQualified`: that is a path of modules or types, never a value. */
export interface ReferenceMark extends NameMark {
  readonly rank: number;
  readonly isCall: boolean;
  readonly isMember: boolean;
  readonly receiver: string | null;
  readonly isQualified: boolean;
}

export interface Captures {
  readonly scopes: readonly ScopeMark[];
  readonly owners: readonly OwnerMark[];
  readonly definitions: readonly DefinitionMark[];
  readonly locals: readonly LocalMark[];
  readonly imports: readonly ImportMark[];
  readonly reexports: readonly { readonly name: NameMark; readonly from: string }[];
  readonly unbound: readonly NameMark[];
  /** In the order of the text, one a place; names that bind something are not among them. */
  readonly references: readonly ReferenceMark[];
  readonly package: string | null;
}

const definitionCapture = /^(?<how>def|type|outer)\.(?<kind>[a-z]+)(?<type>\.type)?$/u;
/** Of several captures of one place the strongest holds: `skip` before `member.call` before … `ref`. */
const ranks: Readonly<Record<string, number>> = { ref: 1, call: 2, member: 3, "member.call": 4, skip: 5 };

interface Sorting {
  readonly scopes: Map<string, ScopeMark>;
  readonly owners: OwnerMark[];
  readonly definitions: Map<number, DefinitionMark>;
  readonly locals: Map<number, LocalMark>;
  readonly imports: Map<number, ImportMark>;
  readonly reexports: { readonly name: NameMark; readonly from: string }[];
  readonly unbound: NameMark[];
  readonly references: Map<number, ReferenceMark>;
  /** Spans in which names are no references: module paths and package names. */
  readonly quiet: Span[];
  package: string | null;
}

/** The captures of one match by name; of a repeated one the last. */
type Caught = ReadonlyMap<string, Node>;

/** Sorts all that `query` finds below `root`; `text` is what the tree was parsed from. `null`: it took longer than `limitMs`, as in trees of absurd depth. */
export function readCaptures(query: Query, root: Node, text: string, limitMs: number): Captures | null {
  const deadline = performance.now() + limitMs;
  const isLate = (): boolean => performance.now() > deadline;
  // A query that is stopped answers with what it had; being late says that this may be so.
  const matches = query.matches(root, { progressCallback: isLate });
  if (isLate()) return null;
  const sorting: Sorting = {
    scopes: new Map(),
    owners: [],
    definitions: new Map(),
    locals: new Map(),
    imports: new Map(),
    reexports: [],
    unbound: [],
    references: new Map(),
    quiet: [],
    package: null,
  };
  for (const match of matches) sortMatch(sorting, match, text);
  return {
    scopes: [...sorting.scopes.values()],
    owners: sorting.owners,
    // What a variable is set to by importing is no definition.
    definitions: [...sorting.definitions.values()].filter(({ name }) => !sorting.imports.has(name.start)),
    locals: [...sorting.locals.values()],
    imports: [...sorting.imports.values()],
    reexports: sorting.reexports,
    unbound: sorting.unbound,
    references: keepReferences(sorting),
    package: sorting.package,
  };
}

function sortMatch(sorting: Sorting, match: QueryMatch, text: string): void {
  const caught: Caught = new Map(match.captures.map(({ name, node }) => [name, node]));
  for (const { name, node } of match.captures) {
    if (name.startsWith("scope")) addScope(sorting, name, node);
    else if (definitionCapture.test(name)) addDefinition(sorting, name, node, caught, match.patternIndex, text);
    else if (name.startsWith("local")) addLocal(sorting, name, node, caught, text);
    else if (name in ranks) addReference(sorting, name, node, caught, text);
    else addOther(sorting, name, node, caught, text);
  }
}

function addOther(sorting: Sorting, name: string, node: Node, caught: Caught, text: string): void {
  if (name === "import" || name === "module") addImport(sorting, name, node, caught, text);
  else if (name === "owner.scope")
    sorting.owners.push({ ...spanOf(node), name: lastPart(textOf(caught.get("owner") ?? node, text)) });
  else if (name === "unbind") sorting.unbound.push(nameOf(node, text));
  else if (name === "from") sorting.quiet.push(spanOf(node));
  else if (name === "reexport")
    sorting.reexports.push({ name: nameOf(node, text), from: textOf(caught.get("from") ?? node, text) });
  else if (name === "package") {
    sorting.quiet.push(spanOf(node));
    sorting.package = textOf(node, text);
  }
}

function addScope(sorting: Sorting, capture: string, node: Node): void {
  const words = capture.split(".");
  const key = `${node.startIndex}:${node.endIndex}`;
  const before = sorting.scopes.get(key);
  sorting.scopes.set(key, {
    ...spanOf(node),
    isFunction: words.includes("function") || before?.isFunction === true,
    isClass: words.includes("class") || before?.isClass === true,
    isClosed: words.includes("closed") || before?.isClosed === true,
  });
}

function addDefinition(
  sorting: Sorting,
  capture: string,
  node: Node,
  caught: Caught,
  pattern: number,
  text: string,
): void {
  const nameNode = caught.get("name");
  const words = definitionCapture.exec(capture)?.groups;
  if (nameNode === undefined || words === undefined) return;
  // The query's earlier pattern is the more particular one.
  if ((sorting.definitions.get(nameNode.startIndex)?.pattern ?? Number.POSITIVE_INFINITY) <= pattern) return;
  const owner = caught.get("owner");
  sorting.definitions.set(nameNode.startIndex, {
    ...spanOf(node),
    name: nameOf(nameNode, text),
    kind: words["kind"] as SymbolKind,
    isType: words["how"] === "type" || words["type"] !== undefined,
    isOuterOnly: words["how"] === "outer",
    owner: owner === undefined ? null : lastPart(textOf(owner, text)),
    pattern,
  });
  const self = caught.get("self");
  if (self !== undefined)
    sorting.locals.set(self.startIndex, {
      name: nameOf(self, text),
      visibleFrom: null,
      isHoisted: false,
      isSelf: true,
    });
}

function addLocal(sorting: Sorting, capture: string, node: Node, caught: Caught, text: string): void {
  const before = sorting.locals.get(node.startIndex);
  sorting.locals.set(node.startIndex, {
    name: nameOf(node, text),
    visibleFrom: caught.get("after")?.endIndex ?? before?.visibleFrom ?? null,
    isHoisted: capture === "local.function" || before?.isHoisted === true,
    isSelf: before?.isSelf === true,
  });
}

function addImport(sorting: Sorting, capture: string, node: Node, caught: Caught, text: string): void {
  const alias = caught.get("alias");
  if (alias === undefined && sorting.imports.has(node.startIndex)) return;
  const from = caught.get("from");
  const name = { ...nameOf(node, text), name: lastPart(textOf(node, text)) };
  sorting.imports.set(node.startIndex, {
    local: alias === undefined ? name : nameOf(alias, text),
    name: capture === "module" ? null : name,
    from: from === undefined ? null : textOf(from, text),
  });
}

function addReference(sorting: Sorting, capture: string, node: Node, caught: Caught, text: string): void {
  const rank = ranks[capture] ?? 0;
  if ((sorting.references.get(node.startIndex)?.rank ?? 0) >= rank) return;
  const qualifier = caught.get("qualifier");
  const receiver = qualifier ?? caught.get("receiver");
  sorting.references.set(node.startIndex, {
    ...nameOf(node, text),
    rank,
    isCall: capture.endsWith("call"),
    isMember: capture.startsWith("member"),
    receiver: receiver === undefined ? null : textOf(receiver, text),
    isQualified: qualifier !== undefined,
  });
}

/** Leaves out what binds a name or is part of a module's path, and puts the rest in order. */
function keepReferences(sorting: Sorting): readonly ReferenceMark[] {
  const binding = new Set([...sorting.definitions.keys(), ...sorting.locals.keys()]);
  for (const { local, name } of sorting.imports.values())
    for (const mark of [local, name ?? local]) binding.add(mark.start);
  for (const { start } of [...sorting.unbound, ...sorting.reexports.map(({ name }) => name)]) binding.add(start);
  const quiet = sorting.quiet.toSorted((left, right) => left.start - right.start);
  let next = 0;
  return [...sorting.references.values()]
    .toSorted((left, right) => left.start - right.start)
    .filter(({ start, rank }) => {
      while ((quiet[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
      const isQuiet = (quiet[next]?.start ?? Number.POSITIVE_INFINITY) <= start;
      return rank < (ranks["skip"] ?? 0) && !isQuiet && !binding.has(start);
    });
}

function spanOf(node: Node): Span {
  return { start: node.startIndex, end: node.endIndex };
}

/** The text without quotes and without the colon of a Ruby symbol. */
function textOf(node: Node, text: string): string {
  return text.slice(node.startIndex, node.endIndex).replace(/^["'`<:]|["'`>]$/gu, "");
}

function nameOf(node: Node, text: string): NameMark {
  return { ...spanOf(node), name: textOf(node, text) };
}

/** `c` of `a::b.c`, `a/b/c` or `a\b\c`. */
function lastPart(path: string): string {
  return path.split(/::|[./\\]/u).findLast((part) => part !== "") ?? path;
}
