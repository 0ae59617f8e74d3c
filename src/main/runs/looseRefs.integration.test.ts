import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTempRepository } from "../../../test/support/tempRepository.ts";
import type { Oid, RunId } from "../../shared/contract/ids.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import type { ListedRunRow } from "../engine/ports/store.ts";
import { createGit } from "../git/createGit.ts";
import { identifyThisProcess } from "../store/processIdentity.ts";
import { notingRefs, removeLooseRefs } from "./looseRefs.ts";

const runs = ["calm-otter-1", "calm-otter-2", "calm-otter-3"] as const;

test("refs of a run that died while it was made or deleted are removed; not those of one that is stored, nor while somebody is at them", async () => {
  const temp = createTempRepository();
  onTestFinished(() => temp.cleanup());
  const home = join(temp.outside, "data");
  const git = createGit({ dataFolder: home });
  const commit = temp.git("rev-parse", "HEAD") as Oid;
  const repo = { topLevel: temp.folder, commonDir: join(temp.folder, ".git"), rootCommit: commit };
  const dead = { ...identifyThisProcess(), started: "another time" };
  const [gone, stored, alive] = runs as unknown as readonly [RunId, RunId, RunId];
  const cut = () => Promise.resolve(fail({ code: "STORE_UNAVAILABLE", message: "It died here." }));
  for (const run of [gone, stored, alive]) {
    await git.pin(repo, `refs/coppice/${run}/base`, commit);
    await notingRefs({ home }, { run, repo, ...(run === alive ? {} : { by: dead }) }, cut);
  }
  await notingRefs({ home }, { run: "calm-otter-4" as RunId, repo }, () => Promise.resolve(succeed(null)));
  const store = { listRuns: () => Promise.resolve([{ run: stored } as ListedRunRow]) };
  const count = await removeLooseRefs({ home, store, git });
  expect([count, (await git.listHiddenRefs(repo)).map(({ ref }) => ref), readdirSync(join(home, "git/refs"))]).toEqual([
    1,
    [`refs/coppice/${stored}/base`, `refs/coppice/${alive}/base`],
    [alive],
  ]);
});
