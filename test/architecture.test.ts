// The house stands as described, and each rule has been seen to fail: one violation is planted per rule, in memory.

import { resolve } from "node:path";

import { describe, expect, test } from "vitest";

import { findViolations, readTree } from "./support/architecture.ts";

const root = resolve(import.meta.dirname, "..");
const header = "// Owns nothing; planted by a test.\n\n";

describe("the tree", () => {
  test("keeps every rule of the house", () => {
    expect(findViolations(readTree(root, ["src", "test", "e2e", "bench", "scripts"]))).toEqual([]);
  });
});

/** Planted line, where it stands, and how the complaint goes on after the path. */
const imports: readonly (readonly [path: string, line: string, complaint: RegExp])[] = [
  ["src/shared/lib/a.ts", 'import "../contract/ids.ts";', /lib must not import contract.*takes what it needs/],
  [
    "src/shared/contract/a.ts",
    'import "../../main/domain/state.ts";',
    /contract must not import domain.*move the type/,
  ],
  ["src/shared/contract/a.ts", 'import "openai";', /openai must not be imported here.*model port/],
  ["src/shared/contract/a.ts", 'import "node:fs";', /contract must not import node:fs/],
  [
    "src/main/domain/a.ts",
    'import "../engine/ports/store.ts";',
    /domain must not import ports.*act in src\/main\/engine/,
  ],
  ["src/main/domain/a.ts", 'import "zod";', /domain must not import the package zod/],
  ["src/main/domain/a.ts", 'import "node:crypto";', /domain must not import node:crypto/],
  ["src/main/engine/ports/a.ts", 'import type { A } from "../dispatcher.ts";', /ports must not import engine/],
  [
    "src/main/engine/a.ts",
    'import "../store/eventStore.ts";',
    /engine must not import store.*add one in src\/main\/engine\/ports/,
  ],
  ["src/main/agents/a.ts", 'import "../models/openai.ts";', /agents must not import models.*workbench\.ts/],
  ["src/main/agents/tools/a.ts", 'import "../../git/git.ts";', /agents must not import git/],
  ["src/main/store/a.ts", 'import "../git/git.ts";', /store must not import git/],
  ["src/main/models/a.ts", 'import "../store/eventStore.ts";', /models must not import store/],
  ["src/main/git/a.ts", 'import "../sandbox/process.ts";', /git must not import sandbox/],
  ["src/main/sandbox/a.ts", 'export const a = import("../agents/roles.ts");', /sandbox must not import agents/],
  ["src/main/git/a.ts", 'import "../engine/dispatcher.ts";', /git must not import engine/],
  ["src/main/logging/a.ts", 'import "../domain/events.ts";', /logging must not import domain/],
  ["src/main/settings/a.ts", 'import "../workbench.ts";', /settings must not import workbench/],
  ["src/main/workbench.ts", 'import "./shells/browser/http.ts";', /workbench must not import shells/],
  ["src/main/cli.ts", 'import "./store/openDatabase.ts";', /entries must not import store.*createWorkbench/],
  ["src/main/shells/browser/a.ts", 'import "../electron/window.ts";', /parts of shells must not import each other/],
  ["src/main/shells/browser/a.ts", 'import "../../git/git.ts";', /shells must not import git/],
  ["src/preload/a.ts", 'import "../main/workbench.ts";', /preload must not import workbench.*src\/shared\/contract/],
  ["src/renderer/app/App.tsx", 'type A = import("../../main/domain/state.ts").State;', /app must not import domain/],
  ["src/renderer/client/a.ts", 'import "../features/runs/list.ts";', /client must not import features/],
  [
    "src/renderer/features/runs/a.ts",
    'import "../graph/layout.ts";',
    /parts of features must not import each other.*src\/renderer\/app/,
  ],
  ["src/renderer/ui/Button.tsx", 'import "../client/runs.ts";', /ui must not import client.*as a prop/],
  ["src/renderer/ui/Button.tsx", 'import "../../shared/contract/ids.ts";', /ui must not import contract/],
  ["src/renderer/ui/a.ts", 'import "node:path";', /ui must not import node:path/],
  ["src/main/engine/a.ts", 'import "electron";', /electron must not be imported here.*shells\/electron/],
  ["src/main/models/retry.ts", 'import "openai";', /openai must not be imported here/],
  ["src/main/store/worker.ts", 'import "better-sqlite3";', /better-sqlite3 must not be imported here.*openDatabase/],
  [
    "src/main/git/worktrees.ts",
    'import { spawn } from "node:child_process";',
    /no process is started here.*one door to git/,
  ],
  ["src/main/engine/a.ts", 'import "../../../resources/prices.ts";', /lies in no room/],
  ["src/main/engine/a.ts", 'import "./b";', /with its extension/],
];

const shapes: typeof imports = [
  ["src/main/domain/a.ts", "export const a = () => Date.now();", /domain must not use Date\.now.*take the time/],
  ["src/main/domain/a.ts", "export const a = () => new Date();", /domain must not use new Date\(\)/],
  ["src/main/domain/a.ts", "export const a = () => Math.random();", /domain must not use Math\.random/],
  ["src/main/domain/a.ts", "setTimeout(() => {}, 1);", /domain must not use setTimeout/],
  ["src/main/domain/a.ts", "export const a = process.pid;", /domain must not use process\.pid/],
  ["src/main/engine/a.ts", "export enum A { B }", /no enums; use a union/],
  ["src/main/engine/a.ts", "export default 1;", /no default export; give it a name/],
  ["src/main/engine/index.ts", 'export { b } from "./b.ts";', /a barrel hides who owns what/],
  ["src/main/engine/utils/a.ts", "export const a = 1;", /a folder named utils holds anything/],
  ["src/main/engine/helpers/a.ts", "export const a = 1;", /a folder named helpers holds anything/],
  ["src/main/engine/common/a.ts", "export const a = 1;", /a folder named common holds anything/],
  ["src/main/engine/twoWords/a.ts", "export const a = 1;", /should be one lower-case word/],
  ["src/main/wizards/a.ts", "export const a = 1;", /this folder has no room/],
  ["src/main/engine/Big_name.ts", "export const a = 1;", /camelCase/],
  ["src/renderer/ui/button.tsx", "export const a = 1;", /PascalCase/],
];

describe("a planted violation", () => {
  test.each([...imports, ...shapes])("in %s is found: %s", (path, line, complaint) => {
    const found = findViolations([{ path, text: `${header}${line}\n` }]);
    expect(found).toEqual([expect.stringMatching(new RegExp(`^${path}: .*${complaint.source}`))]);
  });

  test.each([
    ["no opening comment", "export const a = 1;\n", "open the file with what it owns"],
    ["an opening comment of five lines", `${"// Word.\n".repeat(5)}\nexport const a = 1;\n`, "has 5 lines"],
    ["501 lines", header + "export const a = 1;\n".repeat(499), "501 lines; split it"],
  ])("of %s is found", (_, text, complaint) => {
    expect(findViolations([{ path: "src/main/engine/a.ts", text }])).toEqual([expect.stringContaining(complaint)]);
  });

  test("is nothing that the house allows", () => {
    const allowed: readonly (readonly [path: string, line: string])[] = [
      ["src/shared/contract/a.ts", 'import { z } from "zod";\nimport "../lib/brand.ts";'],
      ["src/main/domain/graph/a.ts", 'import "../state.ts";\nexport const day = (at: number) => new Date(at);'],
      ["src/main/agents/agentLoop.ts", 'import lead from "./prompts/lead.md?raw";\nimport "../engine/ports/model.ts";'],
      ["src/main/models/openai.ts", 'import OpenAI from "openai";'],
      ["src/main/workbench.ts", 'import "./git/git.ts";\nimport "./engine/dispatcher.ts";'],
      ["src/main/index.ts", 'import { app } from "electron";\nimport "./shells/electron/window.ts";'],
      ["src/main/shells/electron/menu.ts", 'import "./window.ts";\nimport "electron";'],
      [
        "src/renderer/features/runs/List.tsx",
        'import "./row.ts";\nimport "../../ui/Button.tsx";\nimport "../../client/runs.ts";',
      ],
      [
        "src/main/git/git.integration.test.ts",
        'import "../../../test/support/tempRepository.ts";\nsetTimeout(() => {}, Date.now());',
      ],
    ];
    expect(findViolations(allowed.map(([path, line]) => ({ path, text: `${header}${line}\n` })))).toEqual([]);
  });
});
