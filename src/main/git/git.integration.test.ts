// What the door does with a git that fails, hangs or says too much.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import { git } from "./git.ts";

let temp: TempRepository;
const call = (args: readonly string[]) => ({ gitDir: join(temp.folder, ".git"), workTree: temp.folder, args });

beforeEach(() => {
  temp = createTempRepository();
});
afterEach(() => temp.cleanup());

test("a failure carries git's words and the arguments", async () => {
  await expect(git(call(["cat-file", "blob", "nothing"]))).rejects.toMatchObject({
    code: "GIT_FAILED",
    args: ["cat-file", "blob", "nothing"],
    stderr: expect.stringContaining("Not a valid object name nothing"),
  });
});

test("an exit code that is an answer is no failure", async () => {
  const { exitCode } = await git({ ...call(["config", "--get", "no.such"]), answers: [0, 1] });
  expect(exitCode).toBe(1);
});

test("the time limit also ends what git started", async () => {
  temp.git("config", "filter.slow.clean", "sleep 600");
  temp.write({ ".gitattributes": "*.txt filter=slow\n" });
  const hanging = git({ ...call(["hash-object", "--stdin", "--path", "a.txt"]), input: "x", timeoutMs: 200 });
  await expect(hanging).rejects.toMatchObject({ code: "GIT_TIMEOUT" });
});

test("who has left git's group and holds its output is not waited for beyond the limit", async () => {
  const leaver = join(temp.outside, "leave.mjs");
  writeFileSync(
    leaver,
    `import { spawn } from "node:child_process";
    const left = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600_000)"], { detached: true, stdio: "inherit" });
    left.unref();
    console.error(left.pid);`,
  );
  temp.git("config", "alias.leave", `!"${process.execPath}" "${leaver}"`);
  const failed = await git({ ...call(["leave"]), timeoutMs: 1_000 }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: "GIT_TIMEOUT", stderr: expect.stringMatching(/^\d+\n$/) });
  process.kill(Number((failed as { readonly stderr: string }).stderr), "SIGKILL");
});

test("output is cut where the caller asked for it", async () => {
  const { stdout, isCut } = await git({ ...call(["cat-file", "blob", "HEAD:a.txt"]), maxBytes: 5 });
  expect([stdout.toString(), isCut]).toEqual(["one\nt", true]);
});

test("a working folder that is gone is not taken for a missing git", async () => {
  const gone = git({ cwd: join(temp.outside, "gone"), args: ["version"] });
  await expect(gone).rejects.toMatchObject({ code: "GIT_FAILED" });
});
