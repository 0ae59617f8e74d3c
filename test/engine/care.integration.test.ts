// What is kept of work that did not land, and what goes when a person lets go of it.

import { existsSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { keepMs } from "../../src/main/runs/care.ts";
import type { RunId } from "../../src/shared/contract/ids.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { committed, decide } from "../support/storyProbes.ts";
import {
  calls,
  edit,
  endStories,
  eventsOf,
  executor,
  openStory,
  say,
  type Story,
  submit,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const create = (path: string) => edit({ kind: "create", path, content: `${path}\n` });
const entries: readonly ScriptedEntry[] = [
  {
    match: /^Begin/,
    turns: [
      calls(
        executor("FAILS", "f.txt"),
        executor("REJECTED", "r.txt"),
        executor("HANGS", "h.txt"),
        executor("LANDS", "l.txt"),
        executor("NOTHING", "n.txt"),
      ),
      wait(["subagent-1", "subagent-2", "subagent-4", "subagent-5"]),
      calls({ name: "cancelSubagent", args: { subagentId: "subagent-3" } }),
      say("Yours."),
      say("So be it."),
    ],
  },
  { match: /^FAILS/, turns: [create("f.txt"), submit("no way", { status: "blocked" })] },
  { match: /^REJECTED/, turns: [create("r.txt"), submit("done")] },
  { match: /^HANGS/, turns: [create("h.txt"), { text: "Hm", hangAfter: 1 }] },
  { match: /^LANDS/, turns: [create("l.txt"), submit("done")] },
  { match: /^NOTHING/, turns: [submit("no idea", { status: "blocked" })] },
];

async function rowOf(story: Story, run: RunId) {
  const row = (await story.workbench.listRuns()).find((one) => one.run === run);
  if (!row) throw new Error(`${run} is not listed`);
  return row;
}

describe("work that did not land", { timeout: 60_000 }, () => {
  test("is listed with its reason, comes back on a branch of its own, and goes with its run, which leaves what landed", async () => {
    const story = await openStory(entries);
    const { repository, workbench } = story;
    const run = await story.begin("Begin", { options: { approve: "each" }, limits: { maxExecutors: 5 } });
    const driving = run.drive(true);
    await committed(run, "tool.settled", (event) => event.agent === "subagent-3");
    expect(await driving).toEqual({ kind: "waiting" });
    // Not while it waits for a person.
    expect(await workbench.care.deleteRun(await rowOf(story, run.run))).toMatchObject({
      ok: false,
      error: { code: "NOT_ALLOWED_NOW" },
    });
    const approvalOf = (agent: string) => run.state().approvals.find((one) => one.agent === agent)?.id ?? ("" as never);
    await decide(run, "approved", { approval: approvalOf("subagent-4") });
    await decide(run, "rejected", { approval: approvalOf("subagent-2"), comment: "Not like this." });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    const row = await rowOf(story, run.run);

    const pinned = await workbench.care.listPinned([row]);
    const listed = pinned.toSorted((left, right) => left.id.localeCompare(right.id));
    expect(listed.map(({ id, reason, files }) => [id, reason, files])).toEqual([
      ["subagent-1", "BLOCKED", ["f.txt"]],
      ["subagent-2", "REJECTED", ["r.txt"]],
      ["subagent-3", "CANCELLED", ["h.txt"]],
    ]);
    const at = new Map(eventsOf(run, "worktree.pinned").map((event) => [event.agent, event.at]));
    for (const work of pinned) {
      expect(repository.git("rev-parse", work.ref)).toBe(work.commit);
      expect(work.until).toBe((at.get(work.agent) ?? 0) + keepMs);
    }

    const branch = `coppice-restored/${run.run}-subagent-2`;
    const restored = await workbench.care.restore(row, "subagent-2");
    expect(restored).toMatchObject({ ok: true, value: { branch } });
    expect(repository.git("show", `${branch}:r.txt`)).toBe("r.txt");
    expect(await workbench.care.restore(row, "subagent-2")).toEqual(restored);
    expect(await workbench.care.restore(row, "subagent-5")).toMatchObject({
      ok: false,
      error: { code: "NOTHING_PINNED" },
    });
    expect(await workbench.care.restore(row, "subagent-4")).toMatchObject({
      ok: false,
      error: { code: "NOTHING_PINNED" },
    });
    repository.git("branch", "-f", branch, "main");
    expect(await workbench.care.restore(row, "subagent-2")).toMatchObject({
      ok: false,
      error: { code: "BAD_BRANCH_NAME" },
    });
    expect(repository.git("rev-parse", branch)).toBe(repository.git("rev-parse", "main"));

    const landed = repository.git("rev-parse", "landed");
    expect(await workbench.care.deleteRun(row)).toMatchObject({ ok: true });
    expect(repository.git("for-each-ref", "--format=%(refname)").split("\n")).toEqual([
      `refs/heads/${branch}`,
      "refs/heads/landed",
      "refs/heads/main",
    ]);
    expect(repository.git("rev-parse", "landed")).toBe(landed);
    expect(await workbench.listRuns()).toEqual([]);
    expect(await workbench.journal(run.run)).toEqual([]);
    expect(existsSync(join(story.home, "runs", run.run))).toBe(false);
  });

  test("is kept by gc for its thirty days, longer where the run is pinned, and by a run that waits for ever", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(executor("FAILS", "f.txt")), wait(["subagent-1"]), say("Too bad.")] },
      { match: /^Wait/, turns: [calls(executor("REJECTED", "r.txt")), wait(["subagent-1"]), say("Yours.")] },
      ...entries.slice(1),
    ]);
    const { care } = story.workbench;
    const stopped = await story.run("Begin");
    const waiting = await story.run("Wait", { options: { approve: "each" } });
    const pins = () =>
      story.repository.git("for-each-ref", "--format=%(refname)", `refs/coppice/${stopped.run}/`).split("\n");
    const all = pins();
    const later = stopped.state().updatedAt + keepMs;
    expect(await care.collectGarbage(later - 1)).toMatchObject({ pins: 0 });
    await care.setPinned(stopped.run, true);
    expect(await care.collectGarbage(later)).toMatchObject({ pins: 0 });
    expect(await care.deleteRun(await rowOf(story, stopped.run))).toMatchObject({
      ok: false,
      error: { code: "RUN_PINNED" },
    });
    await care.setPinned(stopped.run, false);
    expect(pins()).toEqual(all);
    expect((await care.collectGarbage(later)).pins).toBeGreaterThan(0);
    expect(pins()).toEqual([`refs/coppice/${stopped.run}/base`]);
    expect(await care.listPinned([await rowOf(story, stopped.run)])).toEqual([]);
    const run = await story.takeOver(waiting.run);
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("show", "landed:r.txt")).toBe("r.txt");
  });
});
