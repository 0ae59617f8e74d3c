// Each language against its fixture in test/fixtures/languages: the lines say what is true of them.
//   `= function save` an entry of the outline · `= caller|reference Store.save` resolved · `= possible|maybe …` by name only
//   `! caller save` true, and not seen · `? caller save` said, and not true

import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { createGrammars, type Grammars } from "./grammars.ts";
import { inspectFile } from "./inspect.ts";
import { languageOf, languages } from "./languages.ts";
import { linkUses, qualifiedName } from "./link.ts";

const root = resolve(import.meta.dirname, "../../../../test/fixtures/languages");
const folders = [
  "typescript",
  "tsx",
  "javascript",
  "python",
  "go",
  "rust",
  "java",
  "cpp",
  "csharp",
  "ruby",
  "php",
  "bash",
];
const explored: Readonly<Record<string, string>> = { tsx: "Card", go: "Save", csharp: "Save" };
const limitMs = 15_000;

let grammars: Grammars;
beforeAll(async () => {
  grammars = await createGrammars();
});

interface Fixture {
  readonly path: string;
  readonly text: string;
}

/** Fixtures end in `.txt`, so that no tool of this project takes them for its own code. */
function readFixtures(folder: string): readonly Fixture[] {
  return readdirSync(join(root, folder)).map((name) => ({
    path: name.replace(/\.txt$/u, ""),
    text: readFileSync(join(root, folder, name), "utf8"),
  }));
}

/** The marks of one kind: `path:line what`. */
function readMarks(fixtures: readonly Fixture[], sign: "=" | "!" | "?"): string[] {
  return fixtures.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, index) => {
      const marks = /(?:\/\/|#|\/\*)(?<all>[=!?] .*?)(?: \*\/\})?$/u.exec(line)?.groups?.["all"] ?? "";
      return marks
        .split("; ")
        .map((mark, at) => (at === 0 || /^(?:\/\/)?[=!?] /u.test(mark) ? mark.replace(/^\/\//u, "") : `= ${mark}`))
        .filter((mark) => mark.startsWith(`${sign} `))
        .map((mark) => `${path}:${index + 1} ${sortTargets(mark.slice(2))}`);
    }),
  );
}

function sortTargets(mark: string): string {
  const [kind = "", ...targets] = mark.split(/ |, /u);
  return `${kind} ${targets.toSorted().join(", ")}`;
}

async function inspect(fixture: Fixture, question: Parameters<typeof inspectFile>[5]) {
  const language = languageOf(fixture.path);
  if (language === null) throw new Error(`${fixture.path} has no grammar`);
  const { parse, query } = await grammars.open(language);
  const tree = parse(fixture.text, limitMs);
  if (tree === null) throw new Error(`${fixture.path} was not parsed`);
  const facts = inspectFile(fixture.path, fixture.text, tree, query(question.kind), language, question, limitMs);
  tree.delete();
  if (facts === null) throw new Error(`${fixture.path} was not read`);
  return facts;
}

async function findOutline(fixtures: readonly Fixture[]): Promise<string[]> {
  const files = await Promise.all(fixtures.map((fixture) => inspect(fixture, { kind: "outline", words: [] })));
  return files.flatMap(({ path, symbols }) =>
    symbols.map((symbol) => `${path}:${symbol.line} ${symbol.kind} ${qualifiedName(symbol)}`),
  );
}

async function findUses(folder: string, fixtures: readonly Fixture[]): Promise<string[]> {
  const question = { kind: "explore", name: explored[folder] ?? "save" } as const;
  const files = await Promise.all(fixtures.map((fixture) => inspect(fixture, question)));
  const { uses } = linkUses(files);
  const found = uses.map(({ path, line, isCall, isSure, targets }) => {
    const names = targets.map((target) => qualifiedName(target).split(".").slice(-2).join("."));
    const kind = isSure ? (isCall ? "caller" : "reference") : isCall ? "possible" : "maybe";
    return `${path}:${line} ${kind} ${[...new Set(names)].toSorted().join(", ")}`;
  });
  return [...new Set(found)];
}

const isUse = (mark: string) => / (?:caller|reference|possible|maybe) /u.test(mark);
const isResolved = (mark: string) => / (?:caller|reference) /u.test(mark);

describe.each(folders)("%s", (folder) => {
  const fixtures = readFixtures(folder);
  const said = [...readMarks(fixtures, "="), ...readMarks(fixtures, "?")];

  test("is outlined exactly as its fixture says", async () => {
    expect((await findOutline(fixtures)).toSorted()).toEqual(said.filter((mark) => !isUse(mark)).toSorted());
  });

  test("has exactly the callers and references that its fixture says, and none in a comment, a string or under a shadowing name", async () => {
    expect((await findUses(folder, fixtures)).toSorted()).toEqual(said.filter(isUse).toSorted());
  });
});

test("the table in link.ts is what the fixtures measure", () => {
  const rows = folders.map((folder) => {
    const fixtures = readFixtures(folder);
    const found = readMarks(fixtures, "=").filter(isUse);
    const resolved = found.filter(isResolved).length;
    const counts = [
      resolved,
      found.length - resolved,
      readMarks(fixtures, "!").length,
      readMarks(fixtures, "?").length,
    ];
    return ` * | ${[folder.padEnd(10), ...counts.map((number) => String(number).padStart(2))].join(" | ")} |`;
  });
  expect(readFileSync(join(import.meta.dirname, "link.ts"), "utf8")).toContain(rows.join("\n"));
});

test("every language that has a grammar has a fixture", () => {
  const used = folders.flatMap((folder) => readFixtures(folder).map(({ path }) => languageOf(path)?.name));
  expect([...new Set(used)]).toEqual(languages.map(({ name }) => name));
});
