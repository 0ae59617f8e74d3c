// `npm run cases`: which test holds which case of docs/cases.md. Fails when a case that counts as covered has no test, when
// a test names a case that is not listed, and when an open case has a test after all.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

import { root } from "./setup.mjs";

/** @typedef {{ readonly id: string, readonly state: "covered" | "open", readonly why: string }} Case */
/** @typedef {{ readonly id: string, readonly file: string, readonly line: number, readonly title: string }} Mention */

const row = /^\| ([A-G]\d{2}) \|.*\| (covered|open: .+?) \|$/;
const mark = /\[([A-G]\d{2})\]/g;
const quoted = /"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`/g;

/** The cases of a list like docs/cases.md, in its order. @param {string} text @returns {readonly Case[]} */
export function readCases(text) {
  return text.split("\n").flatMap((line) => {
    const [, id, state] = row.exec(line) ?? [];
    if (id === undefined || state === undefined) return [];
    return state === "covered" ? [{ id, state, why: "" }] : [{ id, state: "open", why: state.slice("open: ".length) }];
  });
}

/** The cases that titles in a test file name. @param {string} file @param {string} text @returns {readonly Mention[]} */
export function readMentions(file, text) {
  return text.split("\n").flatMap((line, index) =>
    (line.match(quoted) ?? []).flatMap((literal) =>
      [...literal.matchAll(mark)].map(([, id = ""]) => ({ id, file, line: index + 1, title: titleOf(literal) })),
    ),
  );
}

/** What does not agree, one sentence each. @param {readonly Case[]} cases @param {readonly Mention[]} mentions */
export function findDisagreements(cases, mentions) {
  const known = new Set(cases.map(({ id }) => id));
  const held = new Set(mentions.map(({ id }) => id));
  return [
    ...cases.flatMap(({ id }, index) =>
      cases.findIndex((other) => other.id === id) < index ? [`${id} is listed twice in docs/cases.md.`] : [],
    ),
    ...cases.flatMap(({ id, state }) => {
      if (state === "covered" && !held.has(id)) return [`${id} counts as covered, and no test names it.`];
      return state === "open" && held.has(id) ? [`${id} counts as open, and a test names it.`] : [];
    }),
    ...mentions.flatMap(({ id, file, line }) =>
      known.has(id) ? [] : [`${file}:${line} names ${id}, which docs/cases.md does not list.`],
    ),
  ];
}

/** One line a test, under its case. @param {readonly Case[]} cases @param {readonly Mention[]} mentions */
export function tableOf(cases, mentions) {
  return cases.flatMap(({ id, state, why }) => {
    if (state === "open") return [`${id}  not covered: ${why}`];
    const own = mentions.filter((mention) => mention.id === id);
    return own.map(({ file, title }, index) => `${index === 0 ? id : "   "}  ${file}  ${title}`);
  });
}

/** @param {string} literal */
function titleOf(literal) {
  return literal.slice(1, -1).replaceAll(mark, "").trim();
}

/** @returns {readonly Mention[]} */
function readTests() {
  return ["src", "test", "e2e"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(?:test|spec)\.tsx?$/.test(name))
      .toSorted()
      .flatMap((name) => {
        const file = `${folder}/${name.replaceAll("\\", "/")}`;
        // The test of this script names cases that are none.
        return file === "test/cases.test.ts" ? [] : readMentions(file, readFileSync(join(root, file), "utf8"));
      }),
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const cases = readCases(readFileSync(join(root, "docs/cases.md"), "utf8"));
  const mentions = readTests();
  const problems = findDisagreements(cases, mentions);
  const open = cases.filter(({ state }) => state === "open").length;
  for (const line of tableOf(cases, mentions)) console.log(line);
  console.log(`\n${cases.length - open} of ${cases.length} cases covered, ${open} open`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length > 0 || cases.length === 0 ? 1 : 0;
}
