// Which name means what where: definitions with what they stand in, scopes with what they bind, and the look-up through them.
// Works on marks of one file; never reads text.

import type { Captures, DefinitionMark, NameMark, OwnerMark, ScopeMark } from "./captures.ts";
import type { Reach, SymbolKind } from "./facts.ts";
import type { Language } from "./languages.ts";
import { buildNest, type Nest, type Span } from "./nest.ts";

/** A definition in its place. `container` and `owner`: see `SymbolFact`; `owner` is the last name of the container. */
export interface Definition extends Span {
  readonly name: NameMark;
  readonly kind: SymbolKind;
  readonly container: readonly string[];
  readonly reach: Reach;
}

export type Target =
  | { readonly kind: "local"; readonly isSelf: boolean }
  | { readonly kind: "definition"; readonly definition: Definition }
  | { readonly kind: "import"; readonly name: string | null; readonly from: string | null };

export interface Scopes {
  readonly definitions: readonly Definition[];
  /** The definition that a position stands in, innermost; `null` at the top of the file. */
  definitionAt(position: number): Definition | null;
  /** Name of the innermost type around a position. */
  ownerAt(position: number): string | null;
  /** What a plain name stands for; `null` when nothing in the file binds it. */
  find(name: string, position: number, isCall: boolean): Target | null;
}

interface Binding {
  readonly visibleFrom: number;
  readonly target: Target;
}

interface Scope extends ScopeMark {
  readonly bindings: Map<string, Binding[]>;
}

/** What a definition may stand in: another definition, or the methods of a type declared elsewhere. */
interface Container extends Span {
  readonly name: string;
  readonly isType: boolean;
  readonly mark: DefinitionMark | OwnerMark;
}

const functionKinds: ReadonlySet<SymbolKind> = new Set(["constructor", "function", "method"]);
const valueKinds: ReadonlySet<SymbolKind> = new Set(["constant", "property", "variable"]);
const memberKinds: ReadonlySet<SymbolKind> = new Set(["constructor", "method", "property"]);

/** Builds the scopes of one file. */
export function buildScopes(captures: Captures, language: Language): Scopes {
  const scopes = buildNest<Scope>(captures.scopes.map((mark) => ({ ...mark, bindings: new Map() })));
  const marks = captures.definitions.filter((mark) => !mark.isOuterOnly || !isInFunction(scopes, mark));
  const containers = buildNest<Container>([
    ...marks.map((mark) => ({ start: mark.start, end: mark.end, name: mark.name.name, isType: mark.isType, mark })),
    ...captures.owners.map((mark) => ({ ...mark, isType: true, mark })),
  ]);
  const placed = new Map(marks.map((mark) => [mark, placeDefinition(mark, containers)] as const));
  const definitions = [...placed.values()];
  bindAll(scopes, definitions, captures, language);
  return {
    definitions,
    definitionAt(position) {
      for (const { mark } of containers.around(position)) {
        const definition = "kind" in mark ? placed.get(mark) : undefined;
        if (definition !== undefined) return definition;
      }
      return null;
    },
    ownerAt(position) {
      for (const { isType, name, mark } of containers.around(position)) {
        if ("owner" in mark && mark.owner !== null) return mark.owner;
        if (isType) return name;
      }
      return null;
    },
    find: (name, position, isCall) => find(scopes, language, name, position, isCall),
  };
}

function isInFunction(scopes: Nest<Scope>, mark: Span): boolean {
  for (const scope of scopes.around(mark.start)) if (scope.isFunction && isWider(scope, mark)) return true;
  return false;
}

function isWider(outer: Span, inner: Span): boolean {
  return outer.start < inner.start || outer.end > inner.end;
}

function placeDefinition(mark: DefinitionMark, containers: Nest<Container>): Definition {
  const around = [...containers.around(mark.start)].filter(
    (container) => container.mark !== mark && isWider(container, mark),
  );
  const isMember = mark.owner !== null || around[0]?.isType === true || memberKinds.has(mark.kind);
  const isNested = around.some(({ mark: outer }) => "kind" in outer && functionKinds.has(outer.kind));
  return {
    start: mark.start,
    end: mark.end,
    name: mark.name,
    kind: mark.kind === "function" && isMember ? "method" : mark.kind,
    container: [...around.map(({ name }) => name).toReversed(), ...(mark.owner === null ? [] : [mark.owner])],
    reach: isMember ? "member" : isNested ? "nested" : "file",
  };
}

function bindAll(
  scopes: Nest<Scope>,
  definitions: readonly Definition[],
  captures: Captures,
  language: Language,
): void {
  const taken = new Set<number>();
  for (const definition of definitions) {
    taken.add(definition.name.start);
    if (definition.reach === "member" && (!language.hasImplicitReceiver || definition.kind === "constructor")) continue;
    // A definition is known around itself, not only within.
    const scope = firstScope(scopes, definition.start, (scope) => isWider(scope, definition));
    bind(scope, definition.name.name, 0, { kind: "definition", definition });
  }
  // What imports, and what defines, is captured as a local too, by the wider pattern.
  for (const { local, name, from } of captures.imports) {
    taken.add(local.start);
    const scope = firstScope(scopes, local.start, () => true);
    bind(scope, local.name, 0, { kind: "import", name: name?.name ?? null, from });
  }
  for (const { name, visibleFrom, isHoisted, isSelf } of captures.locals) {
    if (taken.has(name.start)) continue;
    const scope = firstScope(scopes, name.start, (scope) => !isHoisted || scope.isFunction);
    bind(scope, name.name, visibleFrom ?? 0, { kind: "local", isSelf });
  }
  for (const { name, start } of captures.unbound) {
    firstScope(scopes, start, ({ isFunction }) => isFunction)?.bindings.delete(name);
  }
}

/** The innermost scope that is meant, or else the file's own. */
function firstScope(scopes: Nest<Scope>, position: number, isMeant: (scope: Scope) => boolean): Scope | undefined {
  for (const scope of scopes.around(position)) if (isMeant(scope)) return scope;
  return scopes.spans[0];
}

function bind(scope: Scope | undefined, name: string, visibleFrom: number, target: Target): void {
  const before = scope?.bindings.get(name);
  if (before === undefined) scope?.bindings.set(name, [{ visibleFrom, target }]);
  else before.push({ visibleFrom, target });
}

function find(scopes: Nest<Scope>, language: Language, name: string, position: number, isCall: boolean): Target | null {
  let hasLeftFunction = false;
  let hasLeftClosed = false;
  for (const scope of scopes.around(position)) {
    // Where members need a receiver, a class body's own names end at its functions.
    const isSeen = !scope.isClass || language.hasImplicitReceiver || !hasLeftFunction;
    const bindings = isSeen ? (scope.bindings.get(name) ?? []) : [];
    const meant = bindings.filter(
      ({ visibleFrom, target }) =>
        visibleFrom <= position && !(target.kind === "local" && hasLeftClosed) && isInSpace(target, isCall, language),
    );
    const found = meant.toSorted((left, right) => right.visibleFrom - left.visibleFrom)[0];
    if (found !== undefined) return found.target;
    hasLeftFunction ||= scope.isFunction;
    hasLeftClosed ||= scope.isClosed;
  }
  return null;
}

/** Whether a target can be meant, where calls and variables have names of their own. */
function isInSpace(target: Target, isCall: boolean, language: Language): boolean {
  if (!language.keepsCallsApart || target.kind === "import") return true;
  if (target.kind === "local") return !isCall;
  const { kind } = target.definition;
  if (isCall) return !valueKinds.has(kind);
  return language.callsWithoutParentheses || !functionKinds.has(kind);
}
