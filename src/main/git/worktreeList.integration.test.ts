// What is found of the worktrees of ours, with a real repository.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { RunId } from "../../shared/contract/ids.ts";
import { createTempRepository } from "../../../test/support/tempRepository.ts";
import { createGit } from "./createGit.ts";

test("finds what git does not list, since it died in the making or the removal was cut, and leaves others' alone", async () => {
  const temp = createTempRepository({ "a.txt": "one\n" });
  onTestFinished(() => temp.cleanup());
  const at = (name: string) => join(temp.outside, "places", name);
  const port = createGit({ dataFolder: join(temp.outside, "data") });
  const opened = await port.openRepository(temp.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  const { facts: repo, head: root } = opened.value;
  const name = "calm-otter-1-e1-subagent-2";
  const entry = join(repo.commonDir, "worktrees", name);
  const cuts: readonly (() => void)[] = [
    () => undefined,
    () => writeFileSync(join(entry, "locked"), ""),
    () => writeFileSync(join(entry, "locked"), "coppice: an agent works here\n"),
    () => mkdirSync(at(name), { recursive: true }),
    () => writeFileSync(join(entry, "gitdir"), ""),
    () => rmSync(join(entry, "locked")),
  ];
  const runs = ["calm-otter-1" as RunId];
  // The third is that of a run of another data folder, whose git is just making it.
  const users = ["users", "locked-e1-subagent-2", "brisk-heron-2-e1-subagent-1"].map((other) =>
    join(repo.commonDir, "worktrees", other),
  );
  for (const other of users) mkdirSync(other, { recursive: true });
  writeFileSync(join(users[1] ?? "", "locked"), "initializing");
  writeFileSync(join(users[2] ?? "", "locked"), "coppice: an agent works here");
  const found: unknown[] = [];
  for (let count = 1; count <= cuts.length; count++) {
    mkdirSync(entry);
    for (const cut of cuts.slice(0, count)) cut();
    for (const prefix of [at("calm-otter-1-"), `${at("")}/`]) found.push(await port.worktreesUnder(repo, prefix, runs));
    await port.removeWorkPlace(repo, { kind: "worktree", path: at(name), root, gitDir: null });
    found.push(existsSync(at(name)), existsSync(entry));
  }
  expect([found, users.every((other) => existsSync(other))]).toEqual([
    cuts.flatMap(() => [[at(name)], [at(name)], false, false]),
    true,
  ]);
});
