// Which definitions a use may mean, across files. Sure where syntax, scopes and imports say so; else possible, by name.

import type { DefinitionFact, FileFacts, SymbolKind, UseFact } from "./facts.ts";

export interface LocatedDefinition extends DefinitionFact {
  readonly path: string;
  readonly family: string | null;
  readonly package: string | null;
}

export interface LinkedUse extends UseFact {
  readonly path: string;
  /** Empty only where no definition of the name was found at all. */
  readonly targets: readonly LocatedDefinition[];
  readonly isSure: boolean;
}

export interface Links {
  readonly definitions: readonly LocatedDefinition[];
  readonly uses: readonly LinkedUse[];
}

interface Link {
  readonly targets: readonly LocatedDefinition[];
  readonly isSure: boolean;
}

const valueKinds: ReadonlySet<SymbolKind> = new Set(["constant", "property", "variable"]);
const callableKinds: ReadonlySet<SymbolKind> = new Set(["function", "macro", "method"]);
/** Files that are known by the name of their folder. */
const folderFiles: ReadonlySet<string> = new Set(["__init__", "index", "lib", "mod"]);

/**
 * Links every use of the files to the definitions in them. A use that can mean none of them is left out; where there are none, all are kept.
 *
 * How precise that is, counted on the traps in test/fixtures/languages: uses resolved, uses told by name only (the type of `x` in
 * `x.save()` is not known), true uses not seen (held in a variable, called by their text), and uses that are told wrongly (in Java
 * an inherited method hides a static import). Shadowed names, comments and strings give none. The fixtures are ours, so this shows
 * what kinds of code are understood, not how often they occur.
 *
 * | fixture    | resolved | by name | not seen | wrong |
 * | typescript | 12 |  1 |  1 |  0 |
 * | tsx        |  4 |  1 |  1 |  0 |
 * | javascript |  9 |  2 |  1 |  0 |
 * | python     |  9 |  1 |  1 |  0 |
 * | go         |  4 |  2 |  1 |  0 |
 * | rust       | 11 |  2 |  1 |  0 |
 * | java       |  5 |  4 |  1 |  1 |
 * | cpp        |  7 |  2 |  1 |  0 |
 * | csharp     |  5 |  3 |  1 |  0 |
 * | ruby       |  5 |  5 |  1 |  0 |
 * | php        |  7 |  2 |  1 |  0 |
 * | bash       |  3 |  2 |  1 |  0 |
 */
export function linkUses(files: readonly FileFacts[]): Links {
  const definitions = files.flatMap((file) =>
    file.definitions.map((definition) => ({
      ...definition,
      path: file.path,
      family: file.family,
      package: file.package,
    })),
  );
  const uses = files.flatMap((file) =>
    file.uses.flatMap((use) => {
      const meant = definitions.filter(({ kind, family }) => family === file.family && isInSpace(kind, use.space));
      const { targets, isSure } = linkUse(use, file, meant);
      return targets.length === 0 && definitions.length > 0 ? [] : [{ ...use, path: file.path, targets, isSure }];
    }),
  );
  return { definitions, uses };
}

/** The definition's name with what it stands in: `Store.save`. */
export function qualifiedName({ container, name }: { readonly container: string; readonly name: string }): string {
  return container === "" ? name : `${container}.${name}`;
}

function isInSpace(kind: SymbolKind, space: UseFact["space"]): boolean {
  if (space === "any") return true;
  return space === "callable" ? !valueKinds.has(kind) : !callableKinds.has(kind);
}

const sure = (targets: readonly LocatedDefinition[]): Link => ({ targets, isSure: true });
const possible = (targets: readonly LocatedDefinition[]): Link => ({ targets, isSure: false });

function linkUse({ via }: UseFact, file: FileFacts, all: readonly LocatedDefinition[]): Link {
  const free = all.filter(({ reach }) => reach === "file");
  const members = all.filter(({ reach }) => reach === "member");
  const ownedBy = (owner: string | null) => members.filter((definition) => ownerOf(definition) === owner);
  if (all.length === 0) return possible([]);
  switch (via.kind) {
    case "definition":
      return sure(all.filter((one) => one.path === file.path && qualifiedName(one) === via.qualified));
    case "import": {
      const source = lastPart(via.from);
      const named = all.filter((one) => one.reach !== "nested" && isFrom(one, source, file));
      return named.length > 0 ? sure(named) : possible(free);
    }
    case "self": {
      const own = ownedBy(via.owner);
      return via.owner !== null && own.length > 0 ? sure(own) : possible(members);
    }
    case "bare": {
      const own = via.owner === null ? [] : ownedBy(via.owner);
      if (own.length > 0) return sure(own);
      const together = free.filter((one) => file.package !== null && one.package === file.package);
      if (together.length > 0) return sure(together);
      // In a class it may also be inherited.
      return possible(via.owner === null ? free : [...free, ...members]);
    }
    case "path":
      return linkPath(via.owner, via.from, via.mayBeModule, { free, members, all, file });
    case "value":
      return possible(members);
  }
}

interface Candidates {
  readonly free: readonly LocatedDefinition[];
  readonly members: readonly LocatedDefinition[];
  readonly all: readonly LocatedDefinition[];
  readonly file: FileFacts;
}

/** `Store.save`, `disk::save`, `files.save`: through a type, a namespace or a module. */
function linkPath(
  owner: string | null,
  from: string | null,
  mayBeModule: boolean,
  { free, members, all, file }: Candidates,
): Link {
  const owned = all.filter((one) => one.reach !== "nested" && owner !== null && ownerOf(one) === owner);
  if (owned.length > 0) return sure(owned);
  if (!mayBeModule) return possible(members);
  const module = owner ?? (from === null ? null : lastPart(from));
  const inModule = free.filter((one) => module !== null && isFrom(one, module, file));
  if (inModule.length > 0) return sure(inModule);
  if (module === null && free.length === 1) return sure(free);
  // A function of a module that was not found by name, or a method of an object that was imported.
  return possible(owner === null ? free : [...free, ...members]);
}

/** Whether a definition lies in the module, package, namespace or type that is named `source`. */
function isFrom(definition: LocatedDefinition, source: string, user: FileFacts): boolean {
  const owner = ownerOf(definition);
  if (owner !== null) return owner === source;
  const parts = definition.path.split("/");
  const stem = (parts.at(-1) ?? "").replace(/\..*$/u, "");
  const folder = parts.at(-2) ?? "";
  const hasPackages = user.package !== null && definition.package !== null;
  return (
    stem === source ||
    (folderFiles.has(stem) && folder === source) ||
    (definition.package !== null && lastPart(definition.package) === source) ||
    (hasPackages && folder === source)
  );
}

function ownerOf({ container }: DefinitionFact): string | null {
  return container === "" ? null : lastPart(container);
}

/** `store` of `./lib/store.ts`, `app.lib.store`, `crate::lib::store` and `App\store`. */
function lastPart(path: string): string {
  const module = path.includes("/") ? path.replace(/\.[a-z]+$/u, "") : path;
  return module.split(/::|[./\\]/u).findLast((part) => part !== "") ?? module;
}
