// What each used name of a file stands for. Resolves by syntax and scope; types are not known here, and it says so in `Via`.

import type { Captures, ReferenceMark } from "./captures.ts";
import type { UseFact, Via } from "./facts.ts";
import type { Language } from "./languages.ts";
import type { Scopes } from "./scopes.ts";

/** A use in its file; `name` is the symbol's own where an alias is written. */
export interface Use {
  readonly name: string;
  readonly written: string;
  readonly start: number;
  readonly isCall: boolean;
  readonly space: UseFact["space"];
  readonly via: Via;
}

const maxWritten = 80;
/** Aliases of aliases are followed this far: `alias a b` and `alias b a` have no end. */
const maxAliases = 8;
const pathPattern = /^[\p{L}\p{N}_]+(?:(?:\.|::|\\)[\p{L}\p{N}_]+)*$/u;

/** All uses that are no local variable, in the order of the text. */
export function readUses(captures: Captures, scopes: Scopes, language: Language): readonly Use[] {
  const imported = captures.imports.flatMap(({ name, from }): readonly Use[] => {
    if (name === null) return [];
    const via = from === null ? null : ({ kind: "import", name: name.name, from } as const);
    const use = { name: name.name, written: name.name, start: name.start, isCall: false, space: "any" as const };
    // An alias beside what it names, as in Ruby: what the name would mean there.
    return via === null ? resolvePlain(use, scopes, language, true) : [{ ...use, via }];
  });
  const passedOn = captures.reexports.map(({ name, from }): Use => {
    const via = { kind: "import", name: name.name, from } as const;
    return { name: name.name, written: name.name, start: name.start, isCall: false, space: "any", via };
  });
  const used = captures.references.flatMap((mark) =>
    mark.isMember ? [resolveMember(mark, scopes, language)] : resolveReference(mark, scopes, language),
  );
  return [...imported, ...passedOn, ...used].toSorted((left, right) => left.start - right.start);
}

function resolveReference(mark: ReferenceMark, scopes: Scopes, language: Language): readonly Use[] {
  const isLocal = scopes.find(mark.name, mark.start, mark.isCall)?.kind === "local";
  if (isLocal) return [];
  const isCall = mark.isCall || (language.callsWithoutParentheses && /^[\p{Ll}_]/u.test(mark.name));
  const use = { name: mark.name, written: mark.name, start: mark.start, isCall, space: spaceOf(isCall, language) };
  return resolvePlain(use, scopes, language, isCall);
}

function spaceOf(isCall: boolean, language: Language): UseFact["space"] {
  if (!language.keepsCallsApart) return "any";
  return isCall ? "callable" : "value";
}

/** A plain name, with its aliases followed. Empty: it is a local. */
function resolvePlain(use: Omit<Use, "via">, scopes: Scopes, language: Language, isCall: boolean): readonly Use[] {
  let { name } = use;
  for (let step = 0; step < maxAliases; step += 1) {
    const target = scopes.find(name, use.start, isCall);
    if (target === null) {
      const owner = language.hasImplicitReceiver ? scopes.ownerAt(use.start) : null;
      return [{ ...use, name, via: { kind: "bare", owner } }];
    }
    if (target.kind === "local") return [];
    if (target.kind === "definition") {
      const { container, name: own } = target.definition;
      return [{ ...use, name: own.name, via: { kind: "definition", qualified: [...container, own.name].join(".") } }];
    }
    // A module that is called by its own name exports one thing, which its file is usually named after.
    const original = target.name ?? name;
    if (target.from !== null)
      return [{ ...use, name: original, via: { kind: "import", name: original, from: target.from } }];
    if (original === name) return [{ ...use, name, via: { kind: "bare", owner: null } }];
    name = original;
  }
  return [];
}

function resolveMember(mark: ReferenceMark, scopes: Scopes, language: Language): Use {
  const receiver = mark.receiver?.replaceAll(/\s+/gu, " ") ?? "";
  const written =
    receiver.length > maxWritten ? `….${mark.name}` : receiver === "" ? mark.name : `${receiver}.${mark.name}`;
  // `self.keep()` may name an alias of a method.
  const target = language.hasImplicitReceiver ? scopes.find(mark.name, mark.start, true) : null;
  // `self::save` is of the module, `self.save` of the object.
  const isModule = mark.isQualified && language.moduleWords.includes(receiver);
  const isSelf = language.selfWords.includes(receiver) && !isModule;
  const isAlias = isSelf && target?.kind === "import" && target.from === null && target.name !== null;
  const name = isAlias ? (target.name ?? mark.name) : mark.name;
  const via = isSelf
    ? ({ kind: "self", owner: scopes.ownerAt(mark.start) } as const)
    : viaReceiver(mark, receiver, scopes, language);
  return {
    name,
    written,
    start: mark.start,
    isCall: mark.isCall,
    space: spaceOf(mark.isCall, language) === "callable" ? "callable" : "any",
    via,
  };
}

function viaReceiver(mark: ReferenceMark, receiver: string, scopes: Scopes, language: Language): Via {
  const path = receiver.replace(/^(?:::|\\)/u, "").replace(/(?:::|\\)$/u, "");
  if (!pathPattern.test(path)) return { kind: "value" };
  const parts = path.split(/::|[.\\]/u);
  const [head = "", last = ""] = [parts[0], parts.at(-1)];
  if (mark.isQualified && language.moduleWords.includes(head)) {
    return { kind: "path", owner: language.moduleWords.includes(last) ? null : last, from: null, mayBeModule: true };
  }
  const mayBeModule = mark.isQualified || language.importsModules;
  const target = scopes.find(head, mark.start, false);
  if (target === null) return { kind: "path", owner: last, from: null, mayBeModule };
  if (target.kind === "local") {
    return target.isSelf && parts.length === 1
      ? { kind: "self", owner: scopes.ownerAt(mark.start) }
      : { kind: "value" };
  }
  if (target.kind === "definition") return { kind: "path", owner: last, from: null, mayBeModule: mark.isQualified };
  const owner = parts.length > 1 ? last : target.name;
  return { kind: "path", owner, from: target.from, mayBeModule: mayBeModule || target.name === null };
}
