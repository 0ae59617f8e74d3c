// The worktrees of a data folder as a person sees to them, over a real store and real git.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterAll, expect, it } from "vitest";

import { calls, edit, endStories, openStory, say, spawn, submit, wait } from "../../../test/support/workbenchStory.ts";
import { placeOf } from "../../../test/support/storyProbes.ts";
import { careSchemas } from "../../renderer/client/careSchemas.ts";
import type { CareBodies } from "../../shared/contract/care.ts";
import type { CommandId, Oid } from "../../shared/contract/ids.ts";
import type { WorktreeAct } from "../../shared/contract/worktrees.ts";
import { createGit } from "../git/createGit.ts";

afterAll(endStories);

it("[A05] worktrees are shown as git, disk and journal have them, and no act on them loses work", async () => {
  const story = await openStory([
    {
      match: /^Begin/,
      turns: [calls(spawn("EXEC", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Done.")],
    },
    {
      match: /^EXEC/,
      turns: [edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }), submit("done")],
    },
  ]);
  const { repository, workbench } = story;
  const run = await story.begin("Begin", { options: { approve: "each" } });
  await run.drive(true);
  await run.release();
  const git = createGit({ dataFolder: story.home });
  const { repo, base } = run.state();
  const places = join(story.home, "places");
  const plant = async (name: string) => {
    await git.addWorktree(repo, join(places, name), base.commit);
    writeFileSync(join(places, name, "left.txt"), "left\n");
  };
  let count = 0;
  const mend = async (name: string, act: WorktreeAct) => {
    const commandId = `mend-${(count += 1)}` as CommandId;
    const command = { type: "mendWorktree", path: join(places, name), act } as const;
    const answer = await workbench.source.execute({ commandId, command });
    return answer.ok ? ("said" in answer.value ? answer.value.said : null) : answer.error.code;
  };
  const look = async () => {
    const answer = await workbench.source.readPage({ kind: "worktrees" });
    if (!answer.ok) throw new Error(answer.error.message);
    const body = answer.value as CareBodies["worktrees"];
    expect(careSchemas.worktrees.parse(body)).toEqual(body);
    // What needs somebody comes first.
    expect(body.worktrees.findLastIndex(({ act }) => act !== null)).toBeLessThan(
      body.worktrees.findIndex(({ act }) => act === null),
    );
    return Object.fromEntries(
      body.worktrees.map(({ path, standing, act, changedCount, looseCount }) => [
        basename(path),
        [standing, act, changedCount, looseCount],
      ]),
    );
  };

  const own = basename(placeOf(run, "subagent-1") ?? "");
  const [stray, lost, foreign] = ["none-e1-subagent-1", "none-e1-subagent-2", "foreign"];
  await plant(stray);
  await plant(lost);
  // Its folder is gone; a commit that was made there is not.
  repository.git("-C", join(places, lost), "commit", "--quiet", "--allow-empty", "-m", "made there");
  rmSync(join(places, lost), { recursive: true });
  mkdirSync(join(places, foreign));
  // Git has forgotten the one that a review waits with.
  const entry = join(repo.commonDir, "worktrees", own);
  rmSync(entry, { recursive: true });
  const unknown = { [foreign]: ["unknown", null, 0, 0] };
  expect(await look()).toEqual({
    [stray]: ["leftOver", "adopt", 1, 0],
    [lost]: ["forgotten", "forget", 0, 1],
    [own]: ["unconnected", "repair", 1, 0],
    ...unknown,
  });

  // While the repository is elsewhere nothing of it can be told, and the page is there all the same.
  renameSync(repository.folder, `${repository.folder}-moved`);
  const untold = ["unknown", null, 0, 0];
  expect(await look()).toEqual({ [stray]: untold, [own]: untold, ...unknown });
  renameSync(`${repository.folder}-moved`, repository.folder);

  expect(await mend(own, "adopt")).toBe("NOT_ALLOWED_NOW");
  expect(await mend(own, "repair")).toBe("Git knows of it again. Nothing in it was touched.");
  expect(repository.git("-C", join(places, own), "status", "--porcelain")).toBe(" M a.txt");
  expect(await mend(stray, "adopt")).toMatch(/^What it held is on coppice-restored\/none-e1-subagent-1/);
  expect(repository.git("show", `coppice-restored/${stray}:left.txt`)).toBe("left");
  expect(await mend(lost, "forget")).toMatch(/^What it held is on coppice-restored\/none-e1-subagent-2/);
  expect(repository.git("log", "-1", "--format=%s", `coppice-restored/${lost}`)).toBe("made there");
  expect(await look()).toEqual({ ...unknown, [own]: ["inOrder", null, 1, 0] });

  // What no branch can hold keeps its worktree; once the run is over it is kept and goes.
  const later = `${run.run}-e7-subagent-1`;
  const again = await story.takeOver(run.run);
  await again.dispatch({ type: "run.cancel", by: "Ada" });
  await again.drive(true);
  await again.release();
  await plant(later);
  mkdirSync(join(places, later, "inner"));
  repository.git("init", "--quiet", join(places, later, "inner"));
  writeFileSync(join(places, later, "inner", "x"), "x\n");
  expect(await mend(later, "adopt")).toBe("WORKTREE_BUSY");
  expect(readFileSync(join(places, later, "left.txt"), "utf8")).toBe("left\n");
  rmSync(join(places, later, "inner"), { recursive: true });
  expect(await mend(later, "adopt")).toContain("The worktree is gone.");
  const kept = await workbench.source.readPage({ kind: "keptWork" });
  expect(kept).toMatchObject({ ok: true, value: { kept: [{ run: run.run, agent: "subagent-1", fileCount: 1 }] } });
  rmSync(join(places, foreign), { recursive: true });
  for (const name of [stray, lost, later]) repository.git("rev-parse", "--verify", `coppice-restored/${name}` as Oid);
}, 60_000);
