// Reads the project's documents for what they name, so that each can be held against the code: fields of events, files,
// scripts, flags, codes. Knows nothing of what a sentence means.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { parseSync } from "vite";

export interface Doc {
  /** From the project's root. */
  readonly path: string;
  readonly text: string;
}

/** The names of an event's fields by its type, sorted. */
export interface EventFields {
  readonly [type: string]: readonly string[];
}

interface Node {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Every page that is written by hand, and those that commands write. */
export function readDocs(root: string): readonly Doc[] {
  const pages = readdirSync(join(root, "docs"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".md"))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const paths = ["README.md", "ARCHITECTURE.md", "AGENTS.md", "CHANGELOG.md", ...pages.toSorted()];
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Links to files that are not there. */
export function brokenLinks(root: string, { path, text }: Doc): readonly string[] {
  return Array.from(text.matchAll(/(?:\]\(|src(?:set)?=")([^)"#:\s]+)(?:#[^)"]*)?[)"]/g), ([, target = ""]) => target)
    .filter((target) => !existsSync(join(root, dirname(path), target)))
    .map((target) => `${path}: ${target}`);
}

/** Files of code that are named in backticks, with `{a,b}` for several, and that no path of `files` ends with. */
export function missingFiles(files: readonly string[], { path, text }: Doc): readonly string[] {
  return (
    codeIn(text)
      // `x.test.ts` stands for any.
      .filter((code) => /^[\w./{},-]+\.(?:tsx?|mjs|css)$/.test(code) && !code.startsWith("x."))
      .flatMap(expandBraces)
      .filter((code) => !files.some((file) => file === code || file.endsWith(`/${code}`)))
      .map((code) => `${path}: ${code}`)
  );
}

/** What `pattern` finds, by its first group, and `isThere` does not know. */
export function missingWords(
  { path, text }: Doc,
  pattern: RegExp,
  isThere: (word: string) => boolean,
): readonly string[] {
  const words = new Set(Array.from(text.matchAll(pattern), ([, word = ""]) => word));
  return [...words].filter((word) => !isThere(word)).map((word) => `${path}: ${word}`);
}

/** The cells of every line of a table. */
export function tableRows(text: string): readonly (readonly string[])[] {
  return (text.match(/^\| .* \|$/gm) ?? []).map((line) => line.slice(2, -2).split(" | "));
}

/** What stands between single backticks, outside of blocks of code. */
export function codeIn(text: string): readonly string[] {
  return Array.from(text.replaceAll(/^```[^]*?^```/gm, "").matchAll(/`([^`\n]+)`/g), ([, code = ""]) => code);
}

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
function expandBraces(text: string): readonly string[] {
  const [whole, before = "", choices = "", after = ""] = /^([^{]*)\{([^{}]+)\}(.*)$/.exec(text) ?? [];
  return whole === undefined ? [text] : choices.split(",").flatMap((choice) => expandBraces(before + choice + after));
}

/** The fields of each type in the tables of `docs/events.md`, an optional one with its `?`. */
export function documentedEvents(text: string): EventFields {
  const rows = Array.from(text.matchAll(/^\| `([a-z]+\.[a-z]+)` \| [a-z]+ \| (.*?) \| /gm));
  return Object.fromEntries(rows.map(([, type = "", data = ""]) => [type, topFields(data).toSorted()]));
}

/** The first name of each part between commas, whatever stands in brackets or further names behind it. */
function topFields(data: string): readonly string[] {
  let depth = 0;
  let isCode = false;
  let outer = "";
  for (const sign of data) {
    if (sign === "`") isCode = !isCode;
    if (sign === "{" || sign === "[") depth++;
    if (depth === 0 && !(isCode && sign === ",")) outer += sign;
    if (sign === "}" || sign === "]") depth--;
  }
  return outer.split(",").flatMap((part) => /`([A-Za-z]+\??)`/.exec(part)?.[1] ?? []);
}

/** The same of the interface `name` in TypeScript, whose members are the types; the interfaces that these name are in `code` too. */
export function declaredEvents(name: string, code: readonly string[]): EventFields {
  const interfaces = new Map(code.flatMap((text) => interfacesOf(text)));
  const fields = (members: readonly Node[]) => members.map((one) => keyOf(one) + (one["optional"] === true ? "?" : ""));
  return Object.fromEntries(
    (interfaces.get(name) ?? []).map((member) => {
      const type = (member["typeAnnotation"] as Node)["typeAnnotation"] as Node;
      const named = ((type["typeName"] as Node | undefined)?.["name"] as string | undefined) ?? "";
      const members = (type["members"] as readonly Node[] | undefined) ?? interfaces.get(named) ?? [];
      return [keyOf(member), fields(members).toSorted()];
    }),
  );
}

function interfacesOf(text: string): readonly (readonly [string, readonly Node[]])[] {
  const { program } = parseSync("events.ts", text);
  const body = program.body as unknown as readonly Node[];
  return body.flatMap((statement) => {
    const declared = (statement["declaration"] ?? statement) as Node | null;
    if (declared?.type !== "TSInterfaceDeclaration") return [];
    return [
      [(declared["id"] as Node)["name"] as string, (declared["body"] as Node)["body"] as readonly Node[]] as const,
    ];
  });
}

function keyOf(member: Node): string {
  const key = member["key"] as Node;
  return String(key["value"] ?? key["name"]);
}
