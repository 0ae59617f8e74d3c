// The conflict radar on a real repository: what it finds while work goes on, and that it leaves nothing behind.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { createTempRepository, type TempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid, SubagentId } from "../../shared/contract/ids.ts";
import type { RunState } from "../domain/state.ts";
import type { GitPort } from "../engine/ports/git.ts";
import { createGit } from "../git/createGit.ts";
import { Radar } from "./radar.ts";

let repository: TempRepository;
beforeEach(() => {
  repository = createTempRepository();
});
afterEach(() => {
  repository.cleanup();
  rmSync(repository.outside, { recursive: true, force: true });
});

test("pairs that would conflict are named with their files while both still write, each with the target too, and nothing is left behind", async () => {
  const lines = ["one", "two", "three", "four", "five", "six", "seven"].map((line) => `${line}\n`).join("");
  repository.write({ "a.txt": lines, "b.txt": lines });
  const root = repository.commitAll("base") as Oid;
  const real = createGit({ dataFolder: repository.outside });
  let merges = 0;
  const git: Pick<GitPort, "tryMerges" | "readRef"> = {
    readRef: real.readRef,
    tryMerges: (repo, use) =>
      real.tryMerges(repo, (trial) =>
        use({
          treeOf: (place, base) => trial.treeOf(place, base),
          merge: (...sides) => {
            merges += 1;
            return trial.merge(...sides);
          },
        }),
      ),
  };
  const opened = await real.openRepository(repository.folder);
  if (!opened.ok) throw new Error(opened.error.message);
  const { facts } = opened.value;

  const story = new Story({ limits: { maxExecutors: 4 } }).start();
  const places = ["one", "two", "three"].map((name) => join(repository.outside, "places", name));
  const agents: SubagentId[] = [];
  for (const path of places) {
    const agent = story.spawn({ role: "executor", paths: [`${agents.length}.txt`] });
    mkdirSync(join(repository.outside, "places"), { recursive: true });
    const added = await real.addWorktree(facts, path, root);
    expect(added.ok).toBe(true);
    story.must({ type: "place.create", agent, path, root, durationMs: 1 });
    agents.push(agent);
  }
  const stateNow = (): RunState => ({
    ...story.state,
    repo: facts,
    target: { branch: "target", ref: "refs/heads/target" },
    line: root,
    nodes: story.state.nodes.map((node, index) => ({ ...node, root, worktree: places[index] ?? null })),
  });
  const edit = (index: number, name: string, from: string, to: string) =>
    writeFileSync(join(places[index] ?? "", name), lines.replace(from, to));
  const objects = () =>
    execFileSync("git", ["count-objects", "-v"], { cwd: repository.folder, encoding: "utf8" }).split("\n")[0];
  const before = objects();
  const radar = new Radar(git);
  const [first, second, third] = agents as [SubagentId, SubagentId, SubagentId];

  edit(0, "a.txt", "two", "zwei");
  edit(1, "a.txt", "two", "deux");
  edit(2, "a.txt", "seven", "sieben");
  const pair = { agent: first, other: second, paths: ["a.txt"], fileCount: 1 };
  expect(await radar.look(stateNow())).toEqual({ conflicts: [pair], order: [first, second] });
  expect(merges).toBe(3);
  // Nothing has changed: nothing is merged.
  await radar.look(stateNow());
  expect(merges).toBe(3);
  // Only the pairs of the one that has changed are merged again.
  edit(2, "b.txt", "seven", "sieben");
  await radar.look(stateNow());
  expect(merges).toBe(5);

  repository.git("branch", "target");
  repository.git("checkout", "--quiet", "target");
  repository.write({ "b.txt": lines.replace("seven", "sept") });
  repository.commitAll("meanwhile");
  const now = objects();
  expect((await radar.look(stateNow())).conflicts).toEqual([
    pair,
    { agent: third, other: null, paths: ["b.txt"], fileCount: 1 },
  ]);
  expect([before === undefined, objects()]).toEqual([false, now]);

  // A worktree that is gone leaves the picture as it was.
  rmSync(places[1] ?? "", { recursive: true });
  expect((await radar.look(stateNow())).conflicts).toHaveLength(2);
});
