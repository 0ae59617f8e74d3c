// An exploration as a model reads it: definitions, then callers from the surest to those that only share the name, then the
// other references. Says of each place how it was resolved; never shows more than 40 excerpts.

import { boundOutput, count, noteGaps } from "./answer.ts";
import type { Gathered } from "./ask.ts";
import { linkUses, qualifiedName, type LinkedUse, type LocatedDefinition } from "./link.ts";

const maxExcerpts = 40;
const maxDefinitions = 10;
const maxOtherNames = 20;
const maxNamedTargets = 3;

/** Another name that a query matched. */
export interface OtherName {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

/** `owner` narrows to definitions in it, when there are any. */
export function showExploration(
  wanted: { readonly name: string; readonly owner: string | null },
  others: readonly OtherName[],
  gathered: Gathered,
): string {
  const links = linkUses(gathered.files);
  const owned = links.definitions.filter(({ container }) => isOwner(container, wanted.owner));
  const definitions = owned.length > 0 ? owned : links.definitions;
  const uses = dropRepeats(
    links.uses.filter(
      ({ targets }) => definitions.length === 0 || targets.some((target) => definitions.includes(target)),
    ),
  );
  const groups = groupUses(uses);
  const head = [
    `Explored ${wanted.name}: ${count(definitions.length, "definition")}, ${groups.map(({ uses: of, noun }) => count(of.length, noun)).join(", ")} in ${count(gathered.fileCount, "source file")}.`,
    "Resolved by syntax and scope, not by types.",
    ...noteMissing(wanted, definitions, owned),
    ...noteGaps(onlyHolders(gathered)),
  ];
  const lines = [
    ...showDefinitions(definitions),
    ...showGroups(groups, maxExcerpts - Math.min(maxDefinitions, definitions.length), definitions),
  ];
  return boundOutput(head.join(" "), [...lines, ...showOthers(others)]);
}

function isOwner(container: string, owner: string | null): boolean {
  return owner === null || container === owner || container.endsWith(`.${owner}`);
}

/** Of the files without a grammar only those that hold the name are worth a word. */
function onlyHolders(gathered: Gathered): Gathered {
  return {
    ...gathered,
    files: gathered.files.filter(({ status, holdsName }) => status !== "unsupported" || holdsName),
  };
}

function noteMissing(
  { name, owner }: { readonly name: string; readonly owner: string | null },
  definitions: readonly LocatedDefinition[],
  owned: readonly LocatedDefinition[],
): readonly string[] {
  if (owned.length > 0) return [];
  if (definitions.length > 0) return [`None of them stands in ${owner ?? ""}; all of that name are shown.`];
  return [
    `No definition of ${name} was seen here: it may come from a package or another folder, be a local or field, or be made in a way that syntax does not show. searchText finds it as text.`,
  ];
}

interface Group {
  readonly title: string;
  readonly noun: string;
  readonly uses: readonly LinkedUse[];
}

function groupUses(uses: readonly LinkedUse[]): readonly Group[] {
  const of = (isCall: boolean, isSure: boolean) => uses.filter((use) => use.isCall === isCall && use.isSure === isSure);
  return [
    { title: "Callers", noun: "caller", uses: of(true, true) },
    { title: "Possible callers, by name only", noun: "possible caller", uses: of(true, false) },
    { title: "Other references", noun: "other reference", uses: of(false, true) },
    { title: "Possible references, by name only", noun: "possible reference", uses: of(false, false) },
  ];
}

/** One for each line and meaning. */
function dropRepeats(uses: readonly LinkedUse[]): readonly LinkedUse[] {
  const seen = new Set<string>();
  return uses.filter(({ path, line, isCall, isSure, targets }) => {
    const key = [path, line, isCall, isSure, ...targets.map((target) => `${target.path}:${target.line}`)].join("\n");
    return seen.size !== seen.add(key).size;
  });
}

function showDefinitions(definitions: readonly LocatedDefinition[]): readonly string[] {
  if (definitions.length === 0) return [];
  const shown = definitions.slice(0, maxDefinitions);
  const left = definitions.length - shown.length;
  return [
    `Definitions${left > 0 ? ` (${left} more left out)` : ""}:`,
    ...shown.flatMap((definition) => {
      const { path, line, endLine, kind, excerpt, callees } = definition;
      const rest = endLine - line + 1 - excerpt.length;
      const calls = callees.map(({ written, line: at }) => `${written} (${at})`).join(", ");
      return [
        `${path}:${line}: ${kind} ${qualifiedName(definition)}${endLine > line ? `, to line ${endLine}` : ""}`,
        ...excerpt.map((text, index) => `${String(line + index).padStart(5)}\t${text}`),
        ...(rest > 0 ? [`     \t… ${count(rest, "more line")}`] : []),
        ...(calls === "" ? [] : [`  calls, as written (line): ${calls}`]),
      ];
    }),
  ];
}

function showGroups(
  groups: readonly Group[],
  budget: number,
  definitions: readonly LocatedDefinition[],
): readonly string[] {
  let left = budget;
  return groups.flatMap(({ title, uses }) => {
    if (uses.length === 0) return [];
    const shown = uses.slice(0, left);
    left -= shown.length;
    const cut = uses.length - shown.length;
    const note = cut > 0 ? ` (${cut} more left out: name a path)` : "";
    return [`${title}${note}:`, ...shown.map((use) => showUse(use, definitions))];
  });
}

function showUse(
  { path, line, excerpt, within, name, written, targets, via }: LinkedUse,
  definitions: readonly LocatedDefinition[],
): string {
  const meant = targets.map((target) => qualifiedName(target));
  const more = meant.length > maxNamedTargets ? ` and ${meant.length - maxNamedTargets} more` : "";
  const notes = [
    within === "" ? "at the top of the file" : `in ${within}`,
    ...(written === name || written.endsWith(`.${name}`) ? [] : [`as ${written}`]),
    ...(via.kind === "import" ? [`imported from ${via.from}`] : []),
    ...(definitions.length > 1 ? [`of ${meant.slice(0, maxNamedTargets).join(", ")}${more}`] : []),
  ];
  return `${path}:${line}: ${excerpt}  [${notes.join("; ")}]`;
}

function showOthers(others: readonly OtherName[]): readonly string[] {
  if (others.length === 0) return [];
  const shown = others.slice(0, maxOtherNames);
  const left = others.length - shown.length;
  return [
    `Other names that match${left > 0 ? ` (${left} more left out)` : ""}:`,
    ...shown.map(({ name, path, line }) => `${path}:${line}: ${name}`),
  ];
}
