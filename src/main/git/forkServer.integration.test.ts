import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect, test } from "vitest";

import { type ProcessEnd, startProcess } from "./forkServer.ts";

const env = { PATH: process.env["PATH"] ?? "" };

interface Ran extends ProcessEnd {
  readonly stdout: Buffer;
  readonly stderr: string;
}

async function run(file: string, args: readonly string[], input?: Uint8Array, cwd?: string): Promise<Ran> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const started = startProcess(
    { file, args, cwd, env, hasInput: input !== undefined },
    { stdout: (bytes) => stdout.push(bytes), stderr: (bytes) => stderr.push(bytes) },
  );
  if (input !== undefined) started.write(input, true);
  return { ...(await started.ended), stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString("utf8") };
}

/** The server is the parent of what it starts. */
async function serverPid(): Promise<number> {
  return Number((await run("sh", ["-c", "echo $PPID"])).stdout.toString());
}

/** Waits until the process is gone, at most until the test's limit. */
async function gone(pid: number): Promise<true> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test("a process gets its input and tells its output to the byte, however much it is", async () => {
  const bytes = Buffer.alloc(
    3 * 1024 * 1024,
    Uint8Array.from({ length: 256 }, (_, index) => index),
  );
  const { stdout, ...rest } = await run("cat", [], bytes);
  expect([stdout.equals(bytes), rest]).toEqual([true, { exitCode: 0, signal: null, failure: null, stderr: "" }]);
});

test("many at once each get what is theirs, and have no input unless they are given one", async () => {
  const ran = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      run("sh", ["-c", `cat; echo ${index}; echo e${index} >&2; exit ${index}`]),
    ),
  );
  expect(ran.map(({ exitCode, stdout, stderr }) => [exitCode, stdout.toString(), stderr])).toEqual(
    Array.from({ length: 20 }, (_, index) => [index, `${index}\n`, `e${index}\n`]),
  );
});

test("a missing program, a missing folder and a death are told apart", async () => {
  const ends = [
    await run("no-such-program", []),
    await run("true", [], undefined, "/no/such/folder"),
    await run("sh", ["-c", "kill -9 $$"]),
  ];
  expect(ends.map(({ exitCode, signal, failure }) => ({ exitCode, signal, failure }))).toEqual([
    { exitCode: null, signal: null, failure: "ENOENT" },
    { exitCode: null, signal: null, failure: "ENOENT" },
    { exitCode: null, signal: "SIGKILL", failure: null },
  ]);
});

test("when somebody ends the server, what it ran is stopped and said to be unknown, and the next start has a new one", async () => {
  const first = await serverPid();
  const { promise: isRunning, resolve } = Promise.withResolvers<void>();
  const cut = startProcess(
    { file: "sh", args: ["-c", "echo; exec sleep 600"], cwd: undefined, env, hasInput: false },
    { stdout: () => resolve(), stderr: () => undefined },
  );
  await isRunning;
  process.kill(first, "SIGKILL");
  const end = await cut.ended;
  expect([end, await gone(cut.pid() ?? 0), (await serverPid()) !== first]).toEqual([
    { exitCode: null, signal: null, failure: "FORK_SERVER_ENDED" },
    true,
    true,
  ]);
});

test("it ends with the app that has it, also when that is killed", async () => {
  const program = `
    import { startProcess } from ${JSON.stringify(new URL("./forkServer.ts", import.meta.url).href)};
    const watch = { stdout: (bytes) => process.stdout.write(bytes), stderr: () => undefined };
    startProcess({ file: "sh", args: ["-c", "echo $PPID; exec cat"], env: process.env, hasInput: true }, watch);`;
  const app = spawn(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(app.stdout, "data")) as [Buffer];
  app.kill("SIGKILL");
  expect(await gone(Number(line.toString()))).toBe(true);
});
