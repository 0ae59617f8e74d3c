import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Oid } from "../../shared/contract/ids.ts";
import { hashOfCommands, openTrustedCommands } from "./trustedCommands.ts";

const repo = { commonDir: "/home/ada/code/.git", rootCommit: "a".repeat(40) as Oid };
const commands = { setup: ["npm ci"], verify: ["npm test", "npm run lint"] };

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coppice-trust-"));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

test("commands are trusted as they were shown, in their repository, in every process, until that is taken back", async () => {
  const [here, there] = await Promise.all([openTrustedCommands(home), openTrustedCommands(home)]);
  await here.trust(repo, commands, 7);
  await there.trust(repo, commands, 8);
  expect([
    there.isTrusted(repo, { setup: [...commands.setup], verify: [...commands.verify] }),
    there.isTrusted({ ...repo, commonDir: "/home/ada/copy/.git" }, commands),
    there.isTrusted({ ...repo, rootCommit: "b".repeat(40) as Oid }, commands),
    there.isTrusted(repo, { ...commands, verify: ["npm test"] }),
    // What asks for the network now, and what is run as a check, is not thereby trusted as set-up.
    there.isTrusted(repo, { ...commands, setupNetwork: "on" }),
    there.isTrusted(repo, { setup: ["npm ci", "npm test"], verify: ["npm run lint"] }),
  ]).toEqual([true, false, false, false, false, false]);
  expect(here.all()).toEqual([{ repository: repo, trusted: [{ hash: hashOfCommands(commands), at: 7, ...commands }] }]);
  await there.forget(repo, hashOfCommands(commands));
  expect([here.isTrusted(repo, commands), here.all()]).toEqual([false, []]);
});

test("[G10] a file that cannot be read trusts nothing, and is not written over", async () => {
  const trusted = await openTrustedCommands(home);
  await trusted.trust(repo, commands, 7);
  mkdirSync(join(home, "settings"), { recursive: true });
  writeFileSync(join(home, "settings", "trusted-commands.json"), `{"version":2}`);
  expect(trusted.isTrusted(repo, commands)).toBe(false);
  await expect(trusted.trust(repo, commands, 9)).rejects.toThrow("newer Coppice");
});
