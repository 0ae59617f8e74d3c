// Puts a seam into every `await` of a source: a named point before the awaited act and one after it. Pure: text in, text out.
// What may be awaited in these rooms without passing a seam does not exist, so a new await is a new point by itself.

import { parseSync } from "vite";

/** The rooms whose awaits are seams: all that act on the world, and what composes them. */
export const seamRooms = ["engine", "store", "git", "agents", "models", "sandbox", "settings", "runs"].map(
  (room) => `src/main/${room}/`,
);

export interface Seamed {
  readonly text: string;
  /** `FILE:LINE` of each await, in order. */
  readonly sites: readonly string[];
}

/** The name under which a seam is called in a rewritten source. */
export const seamName = "passSeam";

interface Span {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** `file` is the name that sites get, relative to the project. Throws when the source does not parse, or awaits where no seam can stand. */
export function addSeams(source: string, file: string): Seamed {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error) throw new Error(`${file} does not parse: ${error.message}`);
  const sites: string[] = [];
  const insertions: Insertion[] = [];
  for (const node of awaitsIn(program)) {
    const { argument } = node;
    if (holds(argument, "YieldExpression"))
      throw new Error(`${file}:${lineAt(source, node.start)} awaits a yield, where no seam can stand; name it first.`);
    const site = `${file}:${lineAt(source, node.start)}`;
    sites.push(site);
    insertions.push({ at: argument.start, text: `${seamName}(${JSON.stringify(site)}, async () => (` });
    insertions.push({ at: argument.end, text: "))" });
  }
  return { text: insertAll(source, insertions), sites };
}

type AwaitNode = Span & { readonly argument: Span };

function awaitsIn(root: unknown): readonly AwaitNode[] {
  const found: AwaitNode[] = [];
  visit(root, (node) => {
    if (node.type === "AwaitExpression") found.push(node as AwaitNode);
  });
  return found;
}

function holds(root: unknown, type: string): boolean {
  let isFound = false;
  visit(root, (node) => {
    isFound ||= node.type === type;
  });
  return isFound;
}

function visit(value: unknown, look: (node: Span) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, look);
  else if (typeof value === "object" && value !== null) {
    if ("type" in value && "start" in value) look(value as Span);
    for (const child of Object.values(value)) visit(child, look);
  }
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}

/** From the end to the beginning, so that no insertion moves another; at one place an opening goes outside what was opened before. */
function insertAll(source: string, insertions: readonly Insertion[]): string {
  let text = source;
  const ordered = insertions
    .map((insertion, index) => ({ ...insertion, index }))
    .toSorted((left, right) => right.at - left.at || right.index - left.index);
  for (const { at, text: inserted } of ordered) text = text.slice(0, at) + inserted + text.slice(at);
  return text;
}
