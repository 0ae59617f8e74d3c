// The command tool and the change set tool over ports that record what they are asked.

import { mkdir, realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChangeSetId, Oid } from "../../../shared/contract/ids.ts";
import type { CommandOutcome, CommandPort, CommandSpec } from "../../engine/ports/command.ts";
import type { GitPort } from "../../engine/ports/git.ts";
import { contextAt, makeTempFolder, partialPort } from "./contextFixture.ts";
import { readChangeSet } from "./readChangeSet.ts";
import { runCommand } from "./runCommand.ts";
import type { ToolContext } from "./tool.ts";

let temp: Awaited<ReturnType<typeof makeTempFolder>>;
let root: string;

beforeAll(async () => {
  temp = await makeTempFolder();
  root = await realpath(temp.path);
  await mkdir(join(root, "sub"));
  await writeFile(join(root, "a.txt"), "");
});
afterAll(() => temp.remove());

const exited: CommandOutcome = {
  outcome: "exited",
  exitCode: 0,
  signal: null,
  durationMs: 1234,
  output: "fine\n",
  outputBytes: 5,
};

/** A context whose command ends with `done`; what was asked of both ports stands in `asked`. */
function contextOf(done: Partial<CommandOutcome>, changes: Partial<ToolContext> = {}) {
  const asked: { specs: CommandSpec[]; adopted: string[] } = { specs: [], adopted: [] };
  const commands = partialPort<CommandPort>({
    run: (spec) => {
      asked.specs.push(spec);
      return Promise.resolve({ ...exited, ...done });
    },
  });
  const git = partialPort<GitPort>({
    adoptObjects: (_, folder) => {
      asked.adopted.push(folder);
      return Promise.resolve();
    },
  });
  const place = { ...contextAt(root).place, gitDir: "/user/checkout/.git/worktrees/one" };
  return { asked, context: contextAt(root, { commands, git, place, ...changes }) };
}

describe("runCommand", () => {
  test("[C20] asks the sandbox for exactly what the node may have, then takes over new git objects", async () => {
    const { asked, context } = contextOf({});
    const answer = await runCommand.run({ command: "npm test", cwd: "sub", timeoutMs: 5000 }, context);
    expect(answer).toEqual({
      outcome: "executed",
      output: "exit 0 in 1.2 s\nfine\n",
      exitCode: 0,
      changedState: true,
      seen: {},
    });
    expect(asked).toEqual({
      specs: [
        {
          command: "npm test",
          root,
          cwd: join(root, "sub"),
          privateHome: "/run/home",
          git: {
            commonDir: "/user/checkout/.git",
            gitDir: "/user/checkout/.git/worktrees/one",
            objectFolder: "/run/objects",
          },
          hidden: ["/user/checkout"],
          isRootReadOnly: false,
          network: "off",
          timeoutMs: 5000,
          tag: "run-1",
        },
      ],
      adopted: ["/run/objects"],
    });
  });

  test("a place without git has no git part and nothing to take over; a copy is read-only", async () => {
    const { asked, context } = contextOf({}, { place: { ...contextAt(root).place, kind: "checkout" } });
    await runCommand.run({ command: "ls" }, context);
    expect([asked.specs[0]?.git, asked.specs[0]?.isRootReadOnly, asked.specs[0]?.timeoutMs, asked.adopted]).toEqual([
      undefined,
      true,
      600_000,
      [],
    ]);
  });

  test.each([
    [
      "a failing command is executed; its code is data",
      { exitCode: 3 },
      { outcome: "executed", exitCode: 3, output: "exit 3 in 1.2 s\nfine\n" },
    ],
    [
      "a command ended by a signal says which",
      { exitCode: null, signal: "SIGSEGV" as const },
      { outcome: "executed", exitCode: null, output: "ended by SIGSEGV in 1.2 s\nfine\n" },
    ],
    ["no output is said", { output: "" }, { outcome: "executed", output: "exit 0 in 1.2 s\n(no output)" }],
    [
      "a cancelled one is cancelled",
      { outcome: "cancelled" as const, exitCode: null },
      { outcome: "cancelled", output: "cancelled after 1.2 s\nfine\n" },
    ],
    [
      "one that could not start has failed",
      { outcome: "spawn_failed" as const, exitCode: null, message: "bwrap is missing" },
      { outcome: "failed", code: "SPAWN_FAILED" },
    ],
    [
      "one out of time has failed",
      { outcome: "timeout" as const, exitCode: null },
      { outcome: "failed", code: "TIMEOUT" },
    ],
  ])("%s", async (_, done, expected) => {
    expect(await runCommand.run({ command: "make" }, contextOf(done).context)).toMatchObject(expected);
  });

  test("a timeout names the command and keeps its output", async () => {
    const { context } = contextOf({
      outcome: "timeout",
      exitCode: null,
      durationMs: 5000,
      output: "waiting for passphrase",
    });
    const answer = await runCommand.run({ command: "git commit" }, context);
    expect(JSON.parse(answer.output)).toMatchObject({
      error: { code: "TIMEOUT", message: "Stopped after 5.0 s while running: git commit" },
      output: "waiting for passphrase",
    });
  });

  test("a working folder that is absent, a file or outside is refused before anything runs", async () => {
    const { asked, context } = contextOf({});
    const codes = [];
    for (const cwd of ["build", "a.txt", "..", "/tmp"])
      codes.push((await runCommand.run({ command: "ls", cwd }, context)).code);
    const gone = { ...context, place: { ...context.place, path: join(root, "gone") } };
    codes.push((await runCommand.run({ command: "ls" }, gone)).code);
    expect([codes, asked.specs]).toEqual([
      ["NOT_FOUND", "NOT_A_DIRECTORY", "PATH_OUTSIDE", "PATH_ABSOLUTE", "ROOT_MISSING"],
      [],
    ]);
  });

  test("objects that cannot be taken over are told, with the exit code", async () => {
    const git = partialPort<GitPort>({ adoptObjects: () => Promise.reject(new Error("disk full")) });
    const answer = await runCommand.run({ command: "git commit" }, contextOf({}, { git }).context);
    expect(answer).toMatchObject({ outcome: "failed", code: "OBJECTS_NOT_ADOPTED", exitCode: 0, changedState: true });
    expect(answer.output).toContain("disk full");
  });
});

describe("readChangeSet", () => {
  const oid = "b".repeat(40) as Oid;
  const file = {
    path: "a.ts",
    change: "modified",
    added: 2,
    removed: 1,
    hunks: [{ number: 1, oldStart: 3, oldLines: 1, newStart: 3, newLines: 2 }],
  } as const;

  test("shows files, numbered hunks and the patch, within 50 KB", async () => {
    const limits: number[] = [];
    const git = partialPort<GitPort>({
      patchBetween: (_repo, base, commit, maxBytes) => {
        limits.push(maxBytes);
        return Promise.resolve(`diff ${base === oid && commit === oid}`);
      },
    });
    const asked: (string | undefined)[] = [];
    const findChangeSet: ToolContext["findChangeSet"] = (subagent) => {
      asked.push(subagent);
      return { id: "cs-1" as ChangeSetId, base: oid, commit: oid, files: [file] };
    };
    const answer = await readChangeSet.run({ subagentId: "subagent-2" }, contextAt(root, { git, findChangeSet }));
    const list = `Change set cs-1: 1 file, 1 hunk, base ${oid}, commit ${oid}.\nmodified a.ts (+2 -1)\n  hunk 1: lines 3 -> 3-4\n\n`;
    expect(answer).toEqual({ outcome: "executed", output: `${list}diff true` });
    expect([asked, limits]).toEqual([["subagent-2"], [50 * 1024 - list.length]]);
  });

  test("lists no more files than leave room for the patch", async () => {
    const git = partialPort<GitPort>({
      patchBetween: (_repo, _base, _commit, maxBytes) => Promise.resolve("x".repeat(maxBytes)),
    });
    const files = Array.from({ length: 2000 }, (_, index) => ({ ...file, path: `file-${index}.ts` }));
    const answer = await readChangeSet.run(
      {},
      contextAt(root, { git, findChangeSet: () => ({ id: "cs-1" as ChangeSetId, base: oid, commit: oid, files }) }),
    );
    expect(answer.output).toContain("more files are not listed");
    expect(Buffer.byteLength(answer.output)).toBe(50 * 1024);
  });

  test("says when there is none", async () => {
    expect((await readChangeSet.run({}, contextAt(root))).code).toBe("NO_CHANGE_SET");
  });
});
