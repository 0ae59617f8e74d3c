// What the documents name is there: files, scripts, flags, codes, events with their fields, rooms, decisions.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { describe, expect, test } from "vitest";

import { rooms } from "../scripts/boundaries.ts";
import {
  brokenLinks,
  codeIn,
  declaredEvents,
  type Doc,
  documentedEvents,
  missingFiles,
  missingWords,
  readDocs,
  tableRows,
} from "./support/docs.ts";

const root = resolve(import.meta.dirname, "..");
const docs = readDocs(root);
const textOf = (path: string) => readFileSync(join(root, path), "utf8");
const files = ["src", "test", "e2e", "bench", "scripts"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
    (name) => `${folder}/${name.replaceAll("\\", "/")}`,
  ),
);
const codeOf = (folder: RegExp) =>
  files
    .filter((path) => folder.test(path) && /\.(?:tsx?|mjs)$/.test(path) && !path.startsWith("test/docs."))
    .map((path) => textOf(path))
    .join("\n");

describe("the documents", () => {
  test("tell each event of the journal with all of its fields, and no other", () => {
    const code = ["events", "records"].map((name) => textOf(`src/main/domain/${name}.ts`));
    expect(documentedEvents(textOf("docs/events.md"))).toEqual(declaredEvents("EventData", code));
  });

  test("lead to files that are there, and name such", () => {
    expect(docs.flatMap((doc) => [...brokenLinks(root, doc), ...missingFiles(files, doc)])).toEqual([]);
  });

  test("name scripts, flags and codes that are there", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: object };
    const code = codeOf(/^(?:src|scripts|test\/crash)\//);
    const flags = new Set(code.match(/--[a-z][a-z-]*/g));
    const codes = new Set(code.match(/[A-Z][A-Z\d]*_[A-Z\d_]+/g));
    expect(
      docs.flatMap((doc) => [
        ...missingWords(doc, /npm run (?:-s )?([a-z]\w*)/g, (name) => name in scripts),
        // `--max-…` stands for several.
        ...missingWords(doc, /(?<![\w-])(--[a-z][a-z-]*[a-z])(?![a-z-])/g, (flag) => flags.has(flag)),
        ...missingWords(doc, /`([A-Z][A-Z\d]*_[A-Z\d_]+)`/g, (name) => codes.has(name)),
      ]),
    ).toEqual([]);
  });

  test("have a row for each command, and no other", () => {
    const code = codeOf(/^src\/main\/(?:cli|shells\/terminal\/grammar\/)/);
    const commands = Array.from(code.matchAll(/\bcommand\(\s*"([a-z-]+)/g), ([, name = ""]) => name);
    const [, table = ""] = /^## Commands$([^]*?)^`/m.exec(textOf("README.md")) ?? [];
    const rows = tableRows(table).flatMap(([cell = ""]) => cell.match(/(?<=^`|, `)[a-z-]+/g) ?? []);
    expect([...new Set(rows)].toSorted()).toEqual(commands.toSorted());
  });

  test("say who may import whom as the rule has it", () => {
    const named = rooms.filter(({ at }) => !at.some((path) => path.startsWith("src/renderer/")));
    const told = new Map(tableRows(textOf("ARCHITECTURE.md")).map(([name, , imports = ""]) => [name, imports]));
    const wordsOf = (cell: string) => cell.replace(/^nothing$|,? and the package.*/, "").match(/[a-z]+/g) ?? [];
    expect(named.map(({ name }) => [name, wordsOf(told.get(name) ?? "").toSorted()])).toEqual(
      named.map(({ name, imports }) => [name, imports.toSorted()]),
    );
  });

  test("list each decision by its title, once", () => {
    const decisions = docs.filter(({ path }) => /^docs\/adr\/\d{4}-/.test(path));
    const lines = decisions.map(({ path, text }) => {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
      const name = path.slice("docs/adr/".length);
      expect(Number(name.slice(0, 4))).toBe(Number(number));
      return `- ${number} · [${title}](${name})`;
    });
    expect(textOf("docs/adr/README.md").match(/^- .*$/gm)).toEqual(lines);
  });
});

test("what is not there is found", () => {
  const doc: Doc = {
    path: "docs/planted.md",
    text: [
      "[a link](nowhere.md), [another](events.md#versions), `engine/{commit,nothing}.ts`, `--not-a-flag`, `--json`",
      "| `run.started` | lead | `epoch`, `more?` {`of`, `it`}, `state` `one\\|two` | it begins |",
      "| here | there |",
    ].join("\n"),
  };
  expect([
    brokenLinks(root, doc),
    missingFiles(files, doc),
    missingWords(doc, /(--[a-z-]+)/g, (flag) => flag === "--json"),
    documentedEvents(doc.text),
    declaredEvents("Events", [
      "interface Events { 'run.started': Begun }",
      "export interface Begun { epoch: number; more?: string }",
    ]),
    tableRows(doc.text).at(-1),
    codeIn("`one` and\n```\n`none`\n```"),
  ]).toEqual([
    ["docs/planted.md: nowhere.md"],
    ["docs/planted.md: engine/nothing.ts"],
    ["docs/planted.md: --not-a-flag"],
    { "run.started": ["epoch", "more?", "state"] },
    { "run.started": ["epoch", "more?"] },
    ["here", "there"],
    ["one"],
  ]);
});
