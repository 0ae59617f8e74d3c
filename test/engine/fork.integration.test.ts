// Forks of runs: a new run from one moment of another, which is left as it is.

import { afterEach, describe, expect, test } from "vitest";

import type { LandingId, RunId } from "../../src/shared/contract/ids.ts";
import { fold } from "../../src/main/domain/evolve.ts";
import { newRunId } from "../../src/main/runs/assignment.ts";
import { answersTo } from "../support/storyProbes.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { twoFiles, twoLandings } from "../support/twoLandings.ts";
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

const ownBranch = { options: { landOn: { kind: "run-branch" } } } as const;

/** Forks and answers with the fork's id; throws with the refusal's words. */
async function fork({ workbench }: Story, origin: RunId, at: number, base: "line" | "target" = "line"): Promise<RunId> {
  const run = newRunId();
  const forked = await workbench.runs.fork(origin, { run, at, base });
  if (!forked.ok) throw new Error(`${forked.error.code}: ${forked.error.message}`);
  return run;
}

const refsOf = (story: Story, run: RunId) =>
  story.repository.git("for-each-ref", `refs/coppice/${run}/**`, `refs/heads/*${run}`);

describe("a fork", { timeout: 60_000 }, () => {
  test("stands where the run stood then, with what was not done cancelled, and the run is left as it is", async () => {
    const story = await openStory(twoLandings, twoFiles);
    const { workbench, repository } = story;
    const live = await story.run("Begin", ownBranch);
    const [journal, refs] = [await workbench.journal(live.run), refsOf(story, live.run)];
    // The second executor is at work; the first has landed.
    const { n } = eventsOf(live, "model.requested").find((event) => event.agent === "subagent-2") ?? { n: 0 };
    const line = fold(live.journal().slice(0, n))?.line ?? "";

    const run = await fork(story, live.run, n);
    const state = await workbench.state(run);
    expect(state.nodes.map(({ status, code, isSettled }) => [status, code, isSettled])).toEqual([
      ["completed", null, true],
      ["cancelled", "FORKED", true],
    ]);
    expect({ status: state.status, line: state.line, base: state.base.commit, used: state.budget.used.steps }).toEqual({
      status: "paused",
      line,
      base: line,
      used: 0,
    });
    expect(repository.git("rev-parse", `refs/coppice/${run}/base`)).toBe(line);
    expect(repository.git("rev-parse", `refs/coppice/${run}/subagent-1/1`)).toBe(
      repository.git("rev-parse", `refs/coppice/${live.run}/subagent-1/1`),
    );
    expect([await workbench.journal(live.run), refsOf(story, live.run)]).toEqual([journal, refs]);
  });

  test("goes on by itself: its lead is told what was cancelled, and what it lands is built on the line", async () => {
    const again: readonly ScriptedEntry[] = [
      {
        match: /^Begin/,
        turns: [
          calls(executor("ONE", "a.txt")),
          wait(["subagent-1"], { until: "completed" }),
          calls(executor("TWO", "b.txt")),
          wait(["subagent-2"], { until: "completed" }),
          ({ messages }) =>
            JSON.stringify(messages).includes("FORKED") ? calls(executor("THREE", "b.txt")) : say("Both."),
          wait(["subagent-3"], { until: "completed" }),
          say("Other."),
        ],
      },
      ...twoLandings.slice(1),
      {
        match: /^THREE/,
        turns: [edit({ kind: "replace", path: "b.txt", oldText: "deux", newText: "drei" }), submit("three")],
      },
    ];
    const story = await openStory(again, twoFiles);
    const live = await story.run("Begin", ownBranch);
    const { n } = eventsOf(live, "model.requested").find((event) => event.agent === "subagent-2") ?? { n: 0 };
    const run = await fork(story, live.run, n);
    const forked = await story.takeOver(run);
    await forked.dispatch({ type: "run.resume" });
    await forked.drive(true);
    await forked.release();
    expect(forked.state().stop).toMatchObject({ reason: "final_answer", answer: "Other." });
    expect(JSON.stringify(answersTo(forked, "lead", "waitForSubagents")[1])).toContain("FORKED");
    const branch = forked.state().target.branch;
    expect(branch).not.toBe(live.state().target.branch);
    expect(eventsOf(forked, "changeset.landed").map(({ data }) => data.target)).toEqual([branch, branch]);
    expect(story.repository.git("show", `${branch}:a.txt`)).toBe("one\nzwei\nthree");
    expect(story.repository.git("show", `${branch}:b.txt`)).toBe("un\ndrei\ntrois");
    expect(story.repository.git("show", `${live.state().target.branch}:b.txt`)).toBe("un\nzwei\ntrois");
    // What the run landed before the fork is not the fork's to take back.
    expect(await story.workbench.undo(`${run}-l1` as LandingId)).toMatchObject({
      ok: false,
      error: { code: "NOT_ALLOWED_NOW" },
    });
    expect(await story.workbench.undo(`${run}-l2` as LandingId)).toMatchObject({ ok: true, value: { target: branch } });
    await (await story.takeOver(run)).release();
  });

  test("of a run that lands on a branch of the user's tells how far it has moved, and begins at its tip when asked to", async () => {
    const story = await openStory(twoLandings, twoFiles);
    const { workbench, repository } = story;
    const live = await story.run("Begin", { options: { landOn: { kind: "branch", name: "landed" } } });
    const { n } = eventsOf(live, "changeset.landed")[0] ?? { n: 0 };
    const tip = repository.git("rev-parse", "landed");
    expect(await workbench.forkPoint(live.run, n)).toMatchObject({
      ok: true,
      value: { target: { branch: "landed", tip, aheadCount: 1 }, unfinished: [] },
    });
    const [atLine, atTip] = [await fork(story, live.run, n), await fork(story, live.run, n, "target")];
    expect((await workbench.state(atLine)).base.commit).toBe(repository.git("rev-parse", "landed^"));
    expect((await workbench.state(atTip)).base.commit).toBe(tip);
  });

  test("is refused where there is no such moment, and answers once for one id", async () => {
    const story = await openStory(twoLandings, twoFiles);
    const { workbench } = story;
    const live = await story.run("Begin", ownBranch);
    const run = newRunId();
    const beyond = live.state().n + 1;
    expect(await workbench.runs.fork(live.run, { run, at: beyond, base: "line" })).toMatchObject({
      ok: false,
      error: { code: "BAD_USAGE" },
    });
    const first = await workbench.runs.fork(live.run, { run, at: 3, base: "line" });
    expect(await workbench.runs.fork(live.run, { run, at: 3, base: "line" })).toEqual(first);
    expect((await workbench.listRuns()).map((row) => row.run).toSorted()).toEqual([live.run, run].toSorted());
  });

  test("of a fork, and one whose run is deleted, stand by themselves", async () => {
    const story = await openStory(twoLandings, twoFiles);
    const { workbench, repository } = story;
    const live = await story.run("Begin", ownBranch);
    const last = live.state().n;
    const first = await fork(story, live.run, last);
    const second = await fork(story, first, last);
    const row = await workbench.findRun(live.run);
    if (row.ok) await workbench.care.deleteRun(row.value);
    repository.git("branch", "-D", live.state().target.branch);
    repository.git("reflog", "expire", "--expire=now", "--all");
    repository.git("gc", "--prune=now", "--quiet");
    for (const run of [first, second]) {
      expect(repository.git("cat-file", "-t", (await workbench.state(run)).line)).toBe("commit");
      expect((await workbench.state(run)).stop).toBe(null);
    }
  });
});
