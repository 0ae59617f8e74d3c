// `npm run cases`: which test holds which case of docs/cases.md. Fails when a case that counts as covered has no test, when
// a test names a case that is not listed, and when an open case has a test after all.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

export interface Case {
  readonly id: string;
  readonly state: "covered" | "open";
  /** What an open case still lacks. */
  readonly why: string;
}

/** A title that names a case. */
export interface Mention {
  readonly id: string;
  /** From the project's root. */
  readonly file: string;
  readonly line: number;
  /** Without the marks. */
  readonly title: string;
}

const row = /^\| ([A-G]\d{2}) \|.*\| (covered|open: .+?) \|$/;
const mark = /\[([A-G]\d{2})\]/g;
const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g;

/** The cases of a list like docs/cases.md, in its order. */
export function readCases(text: string): readonly Case[] {
  return text.split("\n").flatMap((line) => {
    const [, id, state = ""] = row.exec(line) ?? [];
    return id === undefined ? [] : [caseOf(id, state)];
  });
}

function caseOf(id: string, state: string): Case {
  return state === "covered" ? { id, state, why: "" } : { id, state: "open", why: state.slice("open: ".length) };
}

/** The cases that the titles in a test file name. */
export function readMentions(file: string, text: string): readonly Mention[] {
  return text.split("\n").flatMap((line, index) =>
    (line.match(quoted) ?? []).flatMap((literal) =>
      [...literal.matchAll(mark)].map(([, id = ""]) => ({
        id,
        file,
        line: index + 1,
        title: literal.slice(1, -1).replaceAll(mark, "").trim(),
      })),
    ),
  );
}

/** What does not agree, one sentence each. */
export function findDisagreements(cases: readonly Case[], mentions: readonly Mention[]): readonly string[] {
  const ids = cases.map(({ id }) => id);
  const held = new Set(mentions.map(({ id }) => id));
  return [
    ...ids.filter((id, index) => ids.indexOf(id) < index).map((id) => `${id} is listed twice in docs/cases.md.`),
    ...cases.flatMap(({ id, state }) => {
      if (state === "covered" && !held.has(id)) return [`${id} counts as covered, and no test names it.`];
      return state === "open" && held.has(id) ? [`${id} counts as open, and a test names it.`] : [];
    }),
    ...mentions
      .filter(({ id }) => !ids.includes(id))
      .map(({ id, file, line }) => `${file}:${line} names ${id}, which docs/cases.md does not list.`),
  ];
}

/** One line a test, under its case. */
export function tableOf(cases: readonly Case[], mentions: readonly Mention[]): readonly string[] {
  return cases.flatMap(({ id, state, why }) => {
    if (state === "open") return [`${id}  not covered: ${why}`];
    const own = mentions.filter((mention) => mention.id === id);
    return own.map(({ file, title }, index) => `${index === 0 ? id : "   "}  ${file}  ${title}`);
  });
}

function readTests(root: string): readonly Mention[] {
  return ["src", "test", "e2e"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      // The test of this script names cases that are none.
      .filter((file) => /\.(?:test|spec)\.tsx?$/.test(file) && file !== "test/cases.test.ts")
      .toSorted()
      .flatMap((file) => readMentions(file, readFileSync(join(root, file), "utf8"))),
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(import.meta.dirname, "..");
  const cases = readCases(readFileSync(join(root, "docs/cases.md"), "utf8"));
  const mentions = readTests(root);
  const problems = findDisagreements(cases, mentions);
  const openCount = cases.filter(({ state }) => state === "open").length;
  for (const line of tableOf(cases, mentions)) console.log(line);
  console.log(`\n${cases.length - openCount} of ${cases.length} cases covered, ${openCount} open`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 || cases.length === 0 ? 1 : 0;
}
