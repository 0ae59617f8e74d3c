// Taking landings back, and landing the run's branch after the stop.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import type { LandingId } from "../../src/shared/contract/ids.ts";
import { beginAndDie } from "../support/crashes.ts";
import { decide, leavings, printOf } from "../support/storyProbes.ts";
import { twoFiles, twoLandings } from "../support/twoLandings.ts";
import { endStories, eventsOf, openStory, type Story } from "../support/workbenchStory.ts";
import { isThorough } from "../support/thorough.ts";

afterEach(endStories);

const onMain = { options: { landOn: { kind: "branch", name: "main" } } } as const;
const landing = (run: LiveRun, number: number) => `${run.run}-l${number}` as LandingId;

/** The run as it stands after what was done to it without it. */
async function lookAgain(story: Story, run: LiveRun): Promise<LiveRun> {
  const again = await story.takeOver(run.run);
  await again.release();
  return again;
}

describe("an undo", { timeout: 60_000 }, () => {
  test("of the last landing and then of an earlier one takes back just that, on the branch that is checked out, over the person's own work", async () => {
    const story = await openStory(twoLandings, twoFiles);
    const { repository, workbench } = story;
    const run = await story.run("Begin", onMain);
    const tip = repository.git("rev-parse", "main");
    repository.write({ "notes.txt": "mine\n", "a.txt": "one\nzwei\nthree\nmine\n" });
    const before = printOf(story);
    expect(await workbench.undo(landing(run, 2))).toMatchObject({ ok: true, value: { target: "main" } });
    expect(repository.git("show", "main:b.txt")).toBe("un\ndeux\ntrois");
    expect(repository.git("rev-parse", "main^")).toBe(tip);
    expect(readFileSync(join(repository.folder, "b.txt"), "utf8")).toBe("un\ndeux\ntrois\n");
    expect(repository.git("status", "--porcelain")).toBe(" M a.txt\n?? notes.txt");
    expect(printOf(story)).not.toBe(before);

    // Twice is refused, and so is one whose file holds what the person is writing.
    expect(await workbench.undo(landing(run, 2))).toMatchObject({ ok: false, error: { code: "NOTHING_TO_UNDO" } });
    const held = printOf(story);
    expect(await workbench.undo(landing(run, 1))).toMatchObject({ ok: false, error: { code: "LOCAL_CHANGES" } });
    expect(printOf(story)).toBe(held);
    repository.git("checkout", "--quiet", "--", "a.txt");
    expect(await workbench.undo(landing(run, 1))).toMatchObject({ ok: true });
    expect(repository.git("rev-parse", "main^{tree}")).toBe(
      repository.git("rev-parse", `${run.state().base.commit}^{tree}`),
    );
    expect(repository.git("status", "--porcelain")).toBe("?? notes.txt");

    const after = await lookAgain(story, run);
    expect(eventsOf(after, "landing.undone").map((event) => [event.data.landing, event.data.by])).toEqual([
      [landing(run, 2), landing(run, 3)],
      [landing(run, 1), landing(run, 5)],
    ]);
    expect(eventsOf(after, "landing.failed").map((event) => event.data.code)).toEqual(["LOCAL_CHANGES"]);
    // Nothing of it counts as landed any more, and the line stands where the branch does.
    const row = await workbench.findRun(run.run);
    const shown = row.ok ? await workbench.snapshot(row.value) : row;
    expect(shown).toMatchObject({ ok: true, value: { landed: [] } });
    expect(after.state().line).toBe(repository.git("rev-parse", "main"));
    expect(await workbench.proposeLine(run.run)).toMatchObject({ ok: false, error: { code: "NOTHING_TO_LAND" } });
    expect(await leavings(story, run)).toEqual([]);
  });

  test("that conflicts with what came after is refused with the paths, and nothing moves", async () => {
    const story = await openStory(twoLandings, twoFiles);
    const { repository, workbench } = story;
    const run = await story.run("Begin", onMain);
    repository.write({ "a.txt": "one\ndrei\nthree\n" });
    const theirs = repository.commitAll("Theirs");
    expect(await workbench.undo(landing(run, 1))).toMatchObject({
      ok: false,
      error: { code: "CONFLICT", message: expect.stringContaining("a.txt") },
    });
    expect(await workbench.undo(landing(run, 9))).toMatchObject({ ok: false, error: { code: "LANDING_NOT_FOUND" } });
    expect([repository.git("rev-parse", "main"), repository.git("status", "--porcelain")]).toEqual([theirs, ""]);
    // The other file did not move on.
    expect(await workbench.undo(landing(run, 2))).toMatchObject({ ok: true });
    expect(repository.git("show", "main:b.txt")).toBe("un\ndeux\ntrois");
    await lookAgain(story, run);
  });

  test("that a death cut after the branch had moved is put on record when it is asked for again", async () => {
    const story = await openStory(twoLandings, twoFiles);
    const { repository, workbench } = story;
    const run = await story.run("Begin", { options: { landOn: { kind: "run-branch" } } });
    const dying = await story.takeOver(run.run);
    expect(await dying.beginUndo(landing(run, 2))).toMatchObject({ ok: true });
    const begun = dying.state().landings.at(-1);
    const commit = begun?.new ?? "";
    repository.git("update-ref", begun?.ref ?? "", commit);
    await dying.release();
    expect(await workbench.undo(landing(run, 2))).toMatchObject({ ok: true, value: { commit } });
    const after = await lookAgain(story, run);
    expect(eventsOf(after, "landing.undone").map((event) => event.data)).toEqual([
      { landing: landing(run, 2), commit, by: landing(run, 3) },
    ]);
    expect(await workbench.undo(landing(run, 2))).toMatchObject({ ok: false, error: { code: "NOTHING_TO_UNDO" } });
  });

  test.runIf(isThorough)(
    "of an earlier landing is in what land proposes, and a process killed between record and swap is finished by the next",
    async () => {
      const story = await openStory(twoLandings, twoFiles);
      const { repository, workbench } = story;
      const run = await story.run("Begin", { options: { landOn: { kind: "run-branch" } } });
      const dying = await story.takeOver(run.run);
      // What a killed process leaves: the record, and a branch that has not moved.
      expect(await dying.beginUndo(landing(run, 1))).toMatchObject({ ok: true });
      await dying.release();
      const branch = run.state().target.branch;
      expect(repository.git("show", `${branch}:a.txt`)).toContain("zwei");
      const next = await story.takeOver(run.run);
      await next.carryOutDecisions();
      await next.release();
      expect(repository.git("show", `${branch}:a.txt`)).toBe("one\ntwo\nthree");
      expect(next.state()).toMatchObject({ status: "stopped", line: repository.git("rev-parse", branch) });

      expect(await workbench.proposeLine(run.run)).toMatchObject({ ok: true });
      const landed = await story.takeOver(run.run);
      expect(
        landed
          .state()
          .changeSets.at(-1)
          ?.files.map((file) => file.path),
      ).toEqual(["b.txt"]);
      await decide(landed, "approved");
      await landed.carryOutDecisions();
      await landed.release();
      expect(repository.git("status", "--porcelain")).toBe("");
      expect([repository.git("show", "main:a.txt"), repository.git("show", "main:b.txt")]).toEqual([
        "one\ntwo\nthree",
        "un\nzwei\ntrois",
      ]);
      // Again there is nothing to land.
      expect(await workbench.proposeLine(run.run)).toMatchObject({ ok: false, error: { code: "NOTHING_TO_LAND" } });
    },
  );
});

describe("after the stop", { timeout: 60_000 }, () => {
  test("a rejected land drops the proposal; the journal takes nothing but landings, undo and their approvals", async () => {
    const story = await openStory(twoLandings, twoFiles);
    const { repository, workbench } = story;
    const base = repository.git("rev-parse", "main");
    const run = await story.run("Begin", { options: { landOn: { kind: "run-branch" } } });
    const stop = run.state().n;
    const asked = await workbench.proposeLine(run.run);
    expect(asked).toMatchObject({
      ok: true,
      value: { summary: expect.stringContaining("2 hunks in 2 files onto main") },
    });
    expect(await workbench.proposeLine(run.run)).toMatchObject({ ok: false, error: { code: "NOT_ALLOWED_NOW" } });
    const after = await story.takeOver(run.run);
    await decide(after, "rejected", { comment: "Later." });
    await after.carryOutDecisions();
    expect(repository.git("rev-parse", "main")).toBe(base);
    const refused = [
      await after.dispatch({ type: "run.pause" }),
      await after.dispatch({ type: "run.cancel", by: "Ada" }),
      await after.dispatch({ type: "agent.fail", agent: "lead", code: "STALLED", sentence: "No." }),
      await after.dispatch({ type: "approval.request", agent: "lead", kind: "command", summary: "May it?" }),
      await after.dispatch({ type: "run.input", text: "Hm", from: "Ada", to: "subagent-1" }),
    ];
    expect(refused.map((receipt) => receipt.ok)).toEqual([false, false, false, false, false]);
    await after.dispatch({ type: "run.stop" });
    await after.release();
    expect(
      after
        .journal()
        .filter((event) => event.n > stop)
        .map((event) => event.type),
    ).toEqual(["changeset.proposed", "approval.requested", "approval.decided", "changeset.dropped"]);
    expect(after.state()).toMatchObject({ status: "stopped", stop: run.state().stop });
    // It may be asked for again.
    expect(await workbench.proposeLine(run.run)).toMatchObject({ ok: true });
    await lookAgain(story, run);
  });

  test.runIf(isThorough)(
    "an undo of a run that died right after its landing record finds the landing first",
    async () => {
      const story = await openStory(twoLandings, twoFiles);
      const id = await beginAndDie(story, "Begin", { type: "changeset.landing", count: 2 }, onMain);
      const run = await story.takeOver(id);
      expect(await run.drive(true)).toEqual({ kind: "stopped" });
      expect(await run.undo(landing(run, 2))).toMatchObject({ ok: true });
      await run.release();
      expect(eventsOf(run, "changeset.landed")).toHaveLength(2);
      expect([story.repository.git("show", "main:a.txt"), story.repository.git("show", "main:b.txt")]).toEqual([
        "one\nzwei\nthree",
        "un\ndeux\ntrois",
      ]);
      expect(story.repository.git("status", "--porcelain")).toBe("");
    },
  );
});
