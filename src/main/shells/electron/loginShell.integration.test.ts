// What a login shell says of its environment, with a real shell and start-up files that are in order, slow, or broken.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { isFromShell, loginShell, readLoginEnvironment } from "./loginShell.ts";

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "coppice-login-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** As a dock starts an application: hardly any environment. */
const docked = () => ({ HOME: home, PATH: "/usr/bin:/bin" });
const ask = (profile: string, limitMs?: number) => {
  writeFileSync(join(home, ".profile"), profile);
  return readLoginEnvironment({ shell: "/bin/bash", env: docked(), ...(limitMs === undefined ? {} : { limitMs }) });
};

test("[D13] the PATH of the start-up files is that of the environment, whatever else they print", async () => {
  const { variables, problem } = await ask(
    'echo "Welcome back"\nexport PATH="$HOME/tools/bin:$PATH" EDITOR=vi\n(sleep 5 &)\n',
  );
  expect([
    problem,
    variables?.["PATH"]?.split(":")[0],
    variables?.["EDITOR"],
    variables?.["ELECTRON_RUN_AS_NODE"],
  ]).toEqual([null, `${home}/tools/bin`, "vi", undefined]);
});

test("[D13] start-up files that do not end are left behind, and why is said", async () => {
  expect(await ask("sleep 600\n", 300)).toEqual({
    variables: null,
    problem: "/bin/bash did not get through its start-up files within 0.3 s, and was ended.",
  });
});

test("[D13] start-up files that break off, and a shell that is not there, are said", async () => {
  expect(await ask("exit 3\n")).toEqual({
    variables: null,
    problem: "/bin/bash did not say what its environment is: it ended with 3.",
  });
  expect(await readLoginEnvironment({ shell: join(home, "no-shell"), env: docked() })).toMatchObject({
    variables: null,
    problem: expect.stringContaining("ENOENT"),
  });
});

test("only an app that no shell has started asks, and only a shell that the system names", () => {
  expect([docked(), { ...docked(), SHLVL: "1" }, { ...docked(), TERM: "xterm-256color" }].map(isFromShell)).toEqual([
    false,
    true,
    true,
  ]);
  expect([loginShell({ SHELL: "/bin/zsh" }), loginShell({ SHELL: "cmd" })]).toEqual(["/bin/zsh", null]);
});
