import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { appVersion } from "../../src/main/version.ts";
import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { type Desk, openDesk } from "../support/commandLine.ts";
import type { Ended } from "../support/commandProcess.ts";
import { say } from "../support/workbenchStory.ts";

let desk: Desk;
beforeAll(async () => {
  await buildCommandLine();
  desk = await openDesk([{ match: /./, turns: [say("Done.")] }]);
}, buildLimitMs);
afterAll(() => desk[Symbol.asyncDispose]());

/** `run` with what it needs, so that only `args` can be wrong. */
const running = (...args: readonly string[]) => desk.runArgs("Do it.", ...args);

const mistakes: Readonly<
  Record<string, { readonly args: () => readonly string[]; readonly code?: string; readonly says: RegExp }>
> = {
  "no command": { args: () => ["--json"], says: /--json/ },
  "an unknown command": { args: () => ["fly", "--json"], says: /fly/ },
  "a command that is nearly right": { args: () => ["aprove", "x-a1", "--json"], says: /approve/ },
  "an unknown flag": { args: () => running("--fast"), says: /--fast/ },
  "no task": { args: () => ["run", "--repo", desk.repository.folder, "--model", "scripted", "--json"], says: /--task/ },
  "an empty task": { args: () => running("--task", ""), says: /empty/ },
  "both a task and a task file": { args: () => running("--task-file", "-"), says: /--task-file/ },
  "a task file that is not there": {
    args: () => [
      "run",
      "--model",
      "scripted",
      "--base-url",
      desk.server.baseUrl,
      "--repo",
      desk.repository.folder,
      "--task-file",
      "gone.md",
      "--json",
    ],
    says: /gone\.md/,
  },
  "no model": {
    args: () => ["run", "--repo", desk.repository.folder, "--task", "Do it.", "--json"],
    code: "NO_MODEL",
    says: /--model/,
  },
  "no key for a server elsewhere": {
    args: () => [
      "run",
      "--repo",
      desk.repository.folder,
      "--task",
      "Do it.",
      "--model",
      "m",
      "--base-url",
      "https://models.example.invalid/v1",
      "--json",
    ],
    code: "NO_MODEL",
    says: /OPENAI_API_KEY/,
  },
  "a base URL with a password": {
    args: () => running("--base-url", "http://ada:s3cret@127.0.0.1:1/v1"),
    code: "ENDPOINT_INVALID",
    says: /^(?!.*s3cret).*password/,
  },
  "a key file that is not there": { args: () => running("--api-key-file", "gone.key"), says: /gone\.key/ },
  "an unknown approve mode": { args: () => running("--approve", "maybe"), says: /--approve.*maybe/ },
  "an unknown landing target": { args: () => running("--land-on", "main"), says: /--land-on.*main/ },
  "a landing branch that git refuses": {
    args: () => running("--land-on", "branch:a..b"),
    code: "BAD_BRANCH_NAME",
    says: /a\.\.b/,
  },
  "a template that is not there": {
    args: () => running("--policy", "template:gone"),
    code: "TEMPLATE_UNKNOWN",
    says: /gone/,
  },
  "a port that no machine has": { args: () => ["serve", "--port", "99999", "--json"], says: /--port.*99999/ },
  "no steps": { args: () => running("--max-steps", "0"), says: /--max-steps.*0/ },
  "a budget of nothing known": { args: () => running("--budget", "hours=3"), says: /--budget.*hours/ },
  "money where no price is known": { args: () => running("--budget", "costUsd=1"), code: "NO_PRICE", says: /costUsd/ },
  "an ordinal of zero": { args: () => ["show", "nobody", "--at", "0", "--json"], says: /--at.*0/ },
  "a run that is not there": { args: () => ["show", "nobody", "--json"], code: "RUN_NOT_FOUND", says: /nobody/ },
  "an approval that is not there": {
    args: () => ["approve", "nobody-a1", "--json"],
    code: "APPROVAL_NOT_FOUND",
    says: /nobody-a1/,
  },
  "hunks without a file": { args: () => ["approve", "nobody-a1", "--hunks", "1,3", "--json"], says: /--hunks/ },
};

describe("a mistake on the command line", () => {
  test.concurrent.for(Object.entries(mistakes))(
    "%s: exit 2, one sentence, nothing started",
    async ([, { args, code = "BAD_USAGE", says }], { expect }) => {
      const env = args().includes("https://models.example.invalid/v1") ? { OPENAI_API_KEY: undefined } : {};
      const ended = await desk.coppice(args(), { env });
      expect({ code: ended.code, stderr: ended.stderr, lines: ended.lines() }).toEqual({
        code: 2,
        stderr: expect.stringMatching(new RegExp(`^${code}: .+\n$`)),
        lines: [{ error: { code, message: expect.stringMatching(says) } }],
      });
      expect(ended.stderr.length).toBeLessThan(400);
    },
  );

  test("leaves nothing behind: no run, no ref, no folder, no request", async () => {
    expect(desk.server.requests).toEqual([]);
    expect(desk.repository.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    expect(desk.repository.git("status", "--porcelain")).toBe("");
    expect(readdirSync(desk.repository.outside)).toEqual([]);
    const runs = await desk.coppice(["runs", "--json"]);
    expect({ code: runs.code, stdout: runs.stdout }).toEqual({ code: 0, stdout: "" });
    const folders = readdirSync(desk.home, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.flatMap((folder) => readdirSync(join(desk.home, folder.name)))).toEqual([]);
  });

  test("of `run` does not even make the data folder", async () => {
    const home = join(desk.repository.outside, "untouched");
    const ended = await desk.coppice(running("--max-steps", "0"), { env: { COPPICE_HOME: home } });
    expect({ code: ended.code, isThere: existsSync(home) }).toEqual({ code: 2, isThere: false });
  });

  test("of naming no model tells those of the server, as `models` does", async () => {
    const address = ["--base-url", desk.server.baseUrl, "--json"];
    const [ended, models] = await Promise.all([
      desk.coppice(["run", "--repo", desk.repository.folder, "--task", "Do it.", ...address]),
      desk.coppice(["models", ...address]),
    ]);
    expect(models.lines()).not.toEqual([]);
    expect([ended.code, ended.lines()]).toEqual([
      2,
      [...models.lines(), { error: { code: "NO_MODEL", message: expect.stringContaining("--model") } }],
    ]);
  });

  test("without --json says the same on stderr and nothing on stdout", async () => {
    const ended = await desk.coppice(["run", "--task", "Do it.", "--model", "scripted", "--approve", "maybe"]);
    expect(answerOf(ended)).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/^BAD_USAGE: --approve takes .*, not "maybe"\.\n$/),
    });
  });
});

test("`serve --json` says where it is as one object", async () => {
  const serving = desk.start(["serve", "--port", "0", "--json"]);
  await once(serving.child.stdout as Readable, "data");
  serving.signal("SIGTERM");
  const ended = await serving.ended;
  expect([ended.code, ended.lines()]).toEqual([
    0,
    [{ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=.{43}$/) }],
  ]);
});

describe("a task", () => {
  const from = (...args: readonly string[]) => [
    "run",
    "--repo",
    desk.repository.folder,
    "--model",
    "scripted",
    "--base-url",
    desk.server.baseUrl,
    ...args,
    "--json",
  ];

  test("comes from standard input with --task-file -, verbatim", async () => {
    const task = "Find „it“,\n\n  then say so.\n";
    const ended = await desk.coppice(from("--task-file", "-"), { input: task });
    expect(ended.code).toBe(0);
    expect(desk.server.requests.at(-1)?.firstUserMessage).toBe(task);
  });

  test("comes from a file, named from where the person stands", async () => {
    writeFileSync(join(desk.repository.outside, "task.md"), "From a file.");
    const ended = await desk.coppice(from("--task-file", "task.md"));
    expect(ended.code).toBe(0);
    expect(desk.server.requests.at(-1)?.firstUserMessage).toBe("From a file.");
  });

  test("that is empty on standard input is a mistake", async () => {
    const ended = await desk.coppice(from("--task-file", "-"), { input: "" });
    expect({ code: ended.code, lines: ended.lines() }).toEqual({
      code: 2,
      lines: [{ error: { code: "BAD_USAGE", message: expect.stringContaining("empty") } }],
    });
  });
});

describe("help", () => {
  test.concurrent.for([
    [["--help"], "Usage: coppice"],
    [["run", "-h"], "Usage: coppice run"],
    [["--version"], `${appVersion()}\n`],
  ] as const)("%j explains itself on stdout with exit 0", async ([args, words], { expect }) => {
    const ended = await desk.coppice([...args]);
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
    expect(ended.stdout).toContain(words);
  });
});

function answerOf({ code, stdout, stderr }: Ended): Pick<Ended, "code" | "stdout" | "stderr"> {
  return { code, stdout, stderr };
}
