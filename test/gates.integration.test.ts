// Each gate of `npm run check` turns red: a tree full of violations is laid in a temporary folder, under our own
// configuration, and the compiler, the linter, the formatter and knip each have to name the planted file.

import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const tree = mkdtempSync(join(tmpdir(), "coppice-gates-"));

/** What the compiler must refuse, and the code that it does so with. */
const typePlants: readonly (readonly [path: string, line: string, code: string])[] = [
  ["src/shared/lib/usesNode.ts", 'import "node:fs";', "TS2882"],
  ["src/shared/contract/usesDom.ts", "export const a = () => document.title;", "TS2584"],
  ["src/main/domain/usesTimer.ts", "export const a = () => setTimeout(() => 1, 1);", "TS2304"],
  ["src/main/engine/usesDom.ts", "export const a = () => document.title;", "TS2584"],
  ["src/renderer/app/usesNode.ts", "export const a = () => process.pid;", "TS2591"],
  ["src/main/engine/unchecked.ts", "export const a = (all: string[]): string => all[0];", "TS2322"],
  ["src/main/engine/optional.ts", "export const a: { b?: string } = { b: undefined };", "TS2375"],
  ["src/main/engine/enumeration.ts", "export enum A { B }", "TS1294"],
  ["src/main/engine/unused.ts", "const a = 1;", "TS6133"],
  ["src/main/engine/typeOnly.ts", 'import { PathLike } from "node:fs";\nexport type A = PathLike;', "TS1484"],
];

/** What the linter must refuse, by which rule, and what it says. */
const lintPlants: readonly (readonly [path: string, line: string, rule: string, says: RegExp])[] = [
  ["src/shared/lib/importsContract.ts", 'import "../contract/ids.ts";', "no-restricted-imports", /as an argument/],
  [
    "src/shared/contract/importsMain.ts",
    'import "../../main/domain/state.ts";',
    "no-restricted-imports",
    /move the type/,
  ],
  ["src/shared/contract/importsPackage.ts", 'import "openai";', "no-restricted-imports", /may not import packages/],
  [
    "src/main/domain/importsPort.ts",
    'import "../engine/ports/store.ts";',
    "no-restricted-imports",
    /domain only decides/,
  ],
  ["src/main/domain/importsNode.ts", 'import "node:crypto";', "no-restricted-imports", /runs without Node/],
  [
    "src/main/domain/readsClock.ts",
    "export const a = Date.now();",
    "no-restricted-properties",
    /take it as an argument/,
  ],
  [
    "src/main/domain/drawsLots.ts",
    "export const a = Math.random();",
    "no-restricted-properties",
    /take it as an argument/,
  ],
  [
    "src/main/domain/readsProcess.ts",
    "export const a = process.pid;",
    "no-restricted-globals",
    /take it as an argument/,
  ],
  [
    "src/main/engine/importsStore.ts",
    'import "../store/eventStore.ts";',
    "no-restricted-imports",
    /add one in src\/main\/engine\/ports/,
  ],
  [
    "src/main/agents/importsModels.ts",
    'import "../models/openai.ts";',
    "no-restricted-imports",
    /do not know each other/,
  ],
  [
    "src/main/agents/tools/importsGit.ts",
    'import "../../git/git.ts";',
    "no-restricted-imports",
    /do not know each other/,
  ],
  [
    "src/main/git/importsEngine.ts",
    'import "../engine/dispatcher.ts";',
    "no-restricted-imports",
    /do not know each other/,
  ],
  ["src/main/cli.ts", 'import "./store/openDatabase.ts";', "no-restricted-imports", /createWorkbench/],
  [
    "src/main/shells/browser/importsElectronShell.ts",
    'import "../electron/window.ts";',
    "no-restricted-imports",
    /never import each other/,
  ],
  ["src/preload/importsMain.ts", 'import "../main/workbench.ts";', "no-restricted-imports", /only passes on/],
  ["src/renderer/app/importsMain.ts", 'import "../../main/domain/state.ts";', "no-restricted-imports", /only draws/],
  [
    "src/renderer/features/runs/importsGraph.ts",
    'import "../graph/layout.ts";',
    "no-restricted-imports",
    /Features meet in/,
  ],
  ["src/renderer/ui/importsClient.ts", 'import "../client/runs.ts";', "no-restricted-imports", /as a prop/],
  ["src/main/engine/importsElectron.ts", 'import "electron";', "no-restricted-imports", /one door/],
  ["src/main/models/importsOpenai.ts", 'import "openai";', "no-restricted-imports", /one door/],
  ["src/main/store/importsSqlite.ts", 'import "better-sqlite3";', "no-restricted-imports", /one door/],
  ["src/main/engine/floats.ts", "export const a = () => { Promise.resolve(1); };", "no-floating-promises", /./],
  [
    "src/main/engine/misuses.ts",
    "export const a = () => { if (Promise.resolve(true)) return; };",
    "no-misused-promises",
    /./,
  ],
  ["src/main/engine/anything.ts", "export const a: any = 1;", "no-explicit-any", /./],
  ["src/main/engine/parses.ts", 'export const a: string = JSON.parse("1");', "no-unsafe-assignment", /./],
  [
    "src/main/engine/forgets.ts",
    'export function a(b: "x" | "y"): void { switch (b) { case "x": break; } }',
    "switch-exhaustiveness-check",
    /./,
  ],
  ["src/main/engine/defaults.ts", "export default 1;", "no-default-export", /./],
  ["src/main/engine/barrel.ts", 'export * from "./floats.ts";', "no-barrel-file", /./],
  ["src/main/engine/long.ts", `export function a(): void {\n${"  a();\n".repeat(80)}}`, "max-lines-per-function", /./],
];

/** What the linter must let pass: each package through its own door. */
const doors: readonly (readonly [path: string, line: string])[] = [
  ["src/main/models/openai.ts", 'export { OpenAI as a } from "openai";\nexport const b = 1;'],
  [
    "src/main/store/openDatabase.ts",
    'import Database from "better-sqlite3";\nexport const a = () => new Database(":memory:");',
  ],
  ["src/shared/contract/errors.ts", 'import { z } from "zod";\nexport const a = z.string();'],
  ["src/main/domain/claims.ts", 'import picomatch from "picomatch";\nexport const a = picomatch("*");'],
];

interface Finding {
  readonly code: string;
  readonly filename: string;
  readonly message: string;
  readonly help?: string;
}

function plant(path: string, line: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), `// Planted by a test.\n\n${line}\n`);
}

function runTool(program: string, ...args: string[]): string {
  const options = { cwd: tree, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;
  return spawnSync(process.execPath, [join(root, "node_modules", program), ...args], options).stdout;
}

beforeAll(() => {
  const isConfig = (name: string) => /\.config\.ts$|^\.oxfmtrc\.json$|^(package|knip|tsconfig.*)\.json$/.test(name);
  for (const name of readdirSync(root).filter(isConfig)) copyFileSync(join(root, name), join(tree, name));
  mkdirSync(join(tree, "scripts"));
  for (const name of readdirSync(join(root, "scripts")))
    copyFileSync(join(root, "scripts", name), join(tree, "scripts", name));
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"), "junction");
  for (const [path, line] of typePlants) plant(path, line);
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe("a planted violation", { timeout: 120_000 }, () => {
  test("of the compiler's rules is refused in every room", () => {
    const errors = runTool("typescript/bin/tsc", "-b", "--pretty", "false").split("\n");
    const missed = typePlants.filter(
      ([path, , code]) => !errors.some((error) => error.startsWith(path) && error.includes(code)),
    );
    expect(missed).toEqual([]);
  });

  test("of the lint rules is refused, with where to go instead, and the doors stay open", () => {
    for (const [path, line] of [...lintPlants, ...doors]) plant(path, line);
    const report = JSON.parse(runTool("oxlint/bin/oxlint", "--format=json", "src")) as {
      readonly diagnostics: readonly Finding[];
    };
    const found = (path: string, rule: string) =>
      report.diagnostics.filter(({ filename, code }) => filename === path && code.includes(`(${rule})`));
    const missed = lintPlants.filter(
      ([path, , rule, says]) => !found(path, rule).some(({ message, help }) => says.test(`${message} ${help ?? ""}`)),
    );
    const closed = doors.filter(([path]) => found(path, "no-restricted-imports").length > 0);
    expect({ missed, closed }).toEqual({ missed: [], closed: [] });
  });

  test("of the format is named", () => {
    plant("src/main/engine/crooked.ts", "export   const a = {b:1}");
    expect(runTool("oxfmt/bin/oxfmt", "--check", "src")).toContain("src/main/engine/crooked.ts");
  });

  test("of usefulness is named: a file and an export that nobody imports", () => {
    plant("src/main/workbench.ts", "export const a = 1;\nexport const nobodyWantsMe = 2;");
    plant("src/main/serve.ts", 'import { a } from "./workbench.ts";\nvoid a;');
    const report = runTool("knip/bin/knip.js", "--no-progress");
    expect(["src/main/engine/floats.ts", "nobodyWantsMe"].filter((name) => !report.includes(name))).toEqual([]);
  });
});
