import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

import { markEvidence } from "../src/main/agents/evidence.ts";
import { isControlTool, parseControl, submitResult } from "../src/main/agents/tools/control.ts";
import { parseArguments, workTools } from "../src/main/agents/tools/registry.ts";
import { loadScript } from "../src/main/models/loadScript.ts";
import { createTempRepository } from "./support/tempRepository.ts";
import type { TempRepository } from "./support/tempRepository.ts";

const root = join(import.meta.dirname, "..");
const recording = readFileSync(join(root, "resources/demo/model.json"), "utf8");
const task = "Payments are sometimes charged twice. Find out why, and fix it.";

const spawn = z.object({
  task: z.string(),
  role: z.string(),
  paths: z.array(z.string()).default([]),
  criteria: z.array(z.string()).default([]),
});
const change = z.strictObject({
  kind: z.literal("replace"),
  path: z.string(),
  oldText: z.string(),
  newText: z.string(),
});
const result = z.object({
  evidence: z.array(z.object({ source: z.string(), line: z.number(), quote: z.string() })).min(1),
  verdicts: z.array(z.object({ criterion: z.string() })).default([]),
});
type Change = z.infer<typeof change>;

const { entries } = z
  .object({
    entries: z.array(
      z.object({
        match: z.string(),
        turns: z.array(z.object({ calls: z.array(z.object({ name: z.string(), arguments: z.json() })).default([]) })),
      }),
    ),
  })
  .parse(JSON.parse(recording));

/** Arguments of all calls of `tool`, in the recording or in the one entry that answers `message`. */
function callsOf(tool: string, message?: string): readonly unknown[] {
  return entries
    .filter(({ match }) => message === undefined || new RegExp(match).test(message))
    .flatMap(({ turns }) => turns.flatMap(({ calls }) => calls))
    .filter(({ name }) => name === tool)
    .map((call) => call.arguments);
}

const spawns = z.array(spawn).parse(callsOf("spawnSubagent"));
const [edit] = z.array(z.object({ changes: z.array(change) })).parse(callsOf("applyEdit"));
const changes = edit?.changes ?? [];
const byRole = (role: string) => spawns.filter((packet) => packet.role === role);
const resultsOf = (role: string) =>
  byRole(role).map((packet) => result.parse(callsOf("submitResult", packet.task).at(-1)));

let repository: TempRepository;

beforeEach(() => {
  repository = createTempRepository(null);
  cpSync(join(root, "resources/sample"), repository.folder, { recursive: true });
  repository.commitAll("sample");
});
afterEach(() => repository.cleanup());

function apply(wanted: readonly Change[]): void {
  for (const { path, oldText, newText } of wanted) {
    const file = join(repository.folder, path);
    const parts = readFileSync(file, "utf8").split(oldText);
    expect(parts, `${path}: ${oldText}`).toHaveLength(2);
    writeFileSync(file, parts.join(newText));
  }
}

/** Exit code and output of Node in the sample. The environment is empty, so that no runner's settings reach it. */
function node(...args: readonly string[]): { readonly exit: number | null; readonly output: string } {
  const done = spawnSync(process.execPath, args, {
    cwd: repository.folder,
    env: {},
    encoding: "utf8",
    timeout: 15_000,
  });
  return { exit: done.status, output: done.stdout + done.stderr };
}

describe("the sample repository", () => {
  it("passes its tests and yet charges twice when a callback is repeated", () => {
    expect(node("--test")).toMatchObject({ exit: 0 });
    expect(node("checks/double-charge.js")).toEqual({
      exit: 1,
      output: "FAILED: callback cb-1 came twice, and pay-1 was charged 5998 cents instead of 2999.\n",
    });
  });

  it("passes tests and check once the recorded edit is made", () => {
    apply(changes);
    expect(node("--test")).toMatchObject({ exit: 0 });
    expect(node("checks/double-charge.js")).toEqual({
      exit: 0,
      output: "ok: callback cb-1 came twice, and pay-1 was charged 2999 cents once.\n",
    });
  });

  it("fails the recorded test without the recorded fix", () => {
    apply(changes.filter(({ path }) => path.startsWith("test/")));
    const tests = node("--test", "--test-reporter=tap");
    expect(tests.exit).toBe(1);
    expect(tests.output.match(/^not ok .*$/gm)).toEqual([
      expect.stringContaining("a callback that is repeated while the charge is under way charges nothing more"),
    ]);
  });
});

describe("the recorded answers", () => {
  it("are a script in which each agent's first message has one entry", () => {
    expect(loadScript(recording, "model.json")).toMatchObject({ ok: true });
    const matches = [task, ...spawns.map((packet) => packet.task)].map((message) =>
      entries.flatMap(({ match }, index) => (new RegExp(match).test(message) ? [index] : [])),
    );
    expect(matches).toEqual([[0], [1], [2], [3], [4]]);
    expect(entries).toHaveLength(5);
  });

  it("call tools that exist with arguments that these accept", () => {
    const tools = [...workTools, submitResult];
    const refusals = entries
      .flatMap(({ turns }) => turns.flatMap(({ calls }) => calls))
      .map(({ name, arguments: args }) => {
        const text = JSON.stringify(args);
        if (isControlTool(name)) return parseControl(name, text);
        const tool = tools.find((candidate) => candidate.name === name);
        return tool === undefined ? { ok: false, error: `no tool ${name}` } : parseArguments<unknown>(tool, text);
      })
      .filter(({ ok }) => !ok);
    expect(refusals).toEqual([]);
  });

  it("read files that are there and edit only what the executor claims", () => {
    const read = z.array(z.object({ path: z.string() })).parse(callsOf("readFile"));
    expect(read.filter(({ path }) => !existsSync(join(repository.folder, path)))).toEqual([]);
    const edited = new Set(changes.map(({ path }) => path));
    expect(byRole("executor").map(({ paths }) => paths.toSorted())).toEqual([[...edited].toSorted()]);
  });

  it("cite the sample as it is, the explorers before the edit and the others after it", async () => {
    const expectFound = async (role: string) => {
      for (const { evidence } of resultsOf(role)) {
        for (const { source, line } of evidence) expect(source).toMatch(new RegExp(`:${line}$`));
        const marks = (await markEvidence(evidence, repository.folder)).filter(({ mark }) => mark !== "found");
        expect(marks).toEqual([]);
      }
    };
    await expectFound("explorer");
    apply(changes);
    await expectFound("executor");
    await expectFound("reviewer");
    expect(spawns.map(({ role }) => role)).toEqual(["explorer", "explorer", "executor", "reviewer"]);
  });

  it("name only lines that the sample has, before or after the edit", () => {
    const named = new Set(recording.match(/[\w/.]+\.(?:js|md):\d+/g));
    const findMissing = () =>
      [...named].filter((place) => {
        const [path = "", line] = place.split(":");
        return !readFileSync(join(repository.folder, path), "utf8").split("\n")[Number(line) - 1]?.trim();
      });
    const before = findMissing();
    apply(changes);
    const after = new Set(findMissing());
    expect(before.filter((place) => after.has(place))).toEqual([]);
    expect(named.size).toBeGreaterThan(10);
  });

  it("give the reviewer's verdict on every criterion of its packet", () => {
    const asked = byRole("reviewer").map(({ criteria }) => criteria);
    const judged = resultsOf("reviewer").map(({ verdicts }) => verdicts.map(({ criterion }) => criterion));
    expect(judged).toEqual(asked);
    expect(asked[0]?.length).toBeGreaterThan(0);
  });
});
