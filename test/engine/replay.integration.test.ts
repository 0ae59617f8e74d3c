// A replay looks and does nothing else: every moment of a run is shown while writing to files, talking to anybody and
// starting processes are trapped.

import childProcess from "node:child_process";
import fs from "node:fs";
import fsPromises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

import { afterEach, expect, test } from "vitest";

import { fold } from "../../src/main/domain/evolve.ts";
import type { Output } from "../../src/main/shells/terminal/output.ts";
import { plainStyle } from "../../src/main/shells/terminal/human/style.ts";
import { replayRun } from "../../src/main/shells/terminal/replayCommand.ts";
import type { PageRequest } from "../../src/shared/contract/pages.ts";
import { calls, edit, endStories, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";

afterEach(endStories);

const entries: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(spawn("LOOK"), spawn("WRITE", { role: "executor", paths: ["a.txt"] })),
      wait(["subagent-1", "subagent-2"], { until: "completed" }),
      say("Both."),
    ],
  },
  { match: /^LOOK/, turns: [calls({ name: "readFile", args: { path: "a.txt" } }), submit("seen")] },
  {
    match: /^WRITE/,
    turns: [
      edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }),
      calls({ name: "runCommand", args: { command: "true" } }),
      submit("written"),
    ],
  },
];

/** What would change something outside: each is named with its place. Opening a file counts when it is for writing. */
const writers = [
  "appendFile",
  "chmod",
  "copyFile",
  "cp",
  "link",
  "mkdir",
  "mkdtemp",
  "open",
  "rename",
  "rm",
  "rmdir",
  "symlink",
  "truncate",
  "unlink",
  "utimes",
  "write",
  "writeFile",
] as const;

interface Trap {
  readonly sprung: readonly string[];
  release(): void;
}

/** Replaces every way to act with one that notes and throws. */
function setTraps(): Trap {
  const sprung: string[] = [];
  const undo: (() => void)[] = [];
  const trap = (place: object, name: string, label: string) => {
    const holder = place as Record<string, unknown>;
    const before = holder[name];
    if (typeof before !== "function") return;
    holder[name] = () => {
      sprung.push(label);
      throw new Error(`${label} in a replay`);
    };
    undo.push(() => {
      holder[name] = before;
    });
  };
  for (const name of writers) {
    trap(fs, name, `fs.${name}`);
    trap(fs, `${name}Sync`, `fs.${name}Sync`);
    trap(fsPromises, name, `fs/promises.${name}`);
  }
  for (const name of ["exec", "execFile", "fork", "spawn", "spawnSync", "execFileSync", "execSync"])
    trap(childProcess, name, `child_process.${name}`);
  trap(net.Socket.prototype, "connect", "net.connect");
  trap(globalThis, "fetch", "fetch");
  syncBuiltinESMExports();
  return {
    sprung,
    release() {
      for (const each of undo) each();
      syncBuiltinESMExports();
    },
  };
}

/** As `coppice replay --json` prints. */
function outputTo(printed: unknown[]): Output {
  const nothing = () => undefined;
  const form = { isQuiet: false, isInteractive: false, style: plainStyle, columns: 100, unicode: true };
  const json = (value: unknown) => void printed.push(value);
  return {
    ...form,
    isJson: true,
    json,
    line: nothing,
    answer: nothing,
    remark: nothing,
    progress: nothing,
    fail: () => 1,
  };
}

test("shows every moment of a run without one write, request or process", { timeout: 60_000 }, async () => {
  const story = await openStory(entries, { "a.txt": "one\ntwo\nthree\n" });
  const { workbench, repository, server } = story;
  const live = await story.run("Begin");
  const refs = repository.git("for-each-ref");
  const journal = await workbench.journal(live.run);
  const asked = server.requests.length;
  const { run } = live;
  const requestsAt = (at: number): readonly PageRequest[] => [
    { kind: "snapshot", run, at },
    { kind: "timeline", run, after: 0, limit: 500, upTo: at },
    { kind: "transcript", run, agent: "lead", after: 0, limit: 500, upTo: at },
  ];

  const trap = setTraps();
  const shown: unknown[] = [];
  try {
    for (const { n } of journal) {
      for (const request of requestsAt(n)) shown.push(await workbench.source.readPage(request));
      fold(journal.slice(0, n));
    }
    shown.push(await workbench.source.readPage({ kind: "moments", run }));
    shown.push(await workbench.source.readPage({ kind: "packet", run, agent: "subagent-2" }));
    shown.push(await workbench.source.readPage({ kind: "result", run, agent: "subagent-2" }));
    const printed: unknown[] = [];
    const code = await replayRun(
      { workbench, output: outputTo(printed), env: {}, folder: "/", isAttended: false },
      run,
      "1",
    );
    shown.push({ ok: code === 0 && printed.length > journal.length });
  } finally {
    trap.release();
  }
  expect(trap.sprung).toEqual([]);
  expect(shown.filter((page) => !(page as { ok: boolean }).ok)).toEqual([]);
  expect([await workbench.journal(run), repository.git("for-each-ref"), server.requests.length]).toEqual([
    journal,
    refs,
    asked,
  ]);
  // The traps hold: what a run does springs them.
  const again = setTraps();
  expect(() => fs.writeFileSync("x", "")).toThrow("in a replay");
  again.release();
});
