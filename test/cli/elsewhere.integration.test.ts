import { beforeAll, describe, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { type Desk, openDesk } from "../support/commandLine.ts";
import type { PrintedEvent, Running } from "../support/commandProcess.ts";
import { changeBesideThought, ofType } from "../support/commandStories.ts";

beforeAll(buildCommandLine, buildLimitMs);

const limit = { timeout: 90_000 };

/** A run that is driven by a process of its own until someone ends it, at the moment in which its change set is asked about. */
async function driven(desk: Desk): Promise<{ readonly running: Running; readonly run: string; readonly id: string }> {
  const running = desk.start(desk.runArgs("Change it.", "--approve", "each"));
  const asked: PrintedEvent = await running.printed("approval.requested");
  return { running, run: asked.root, id: String(asked.data["approval"]) };
}

describe("a run that another process drives", () => {
  test.concurrent(
    "takes an approval from here and lands it there: exit 0 with the landing",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(changeBesideThought);
      const { running, run, id } = await driven(desk);
      const approved = await desk.coppice(["approve", id, "--json"]);
      expect([approved.code, approved.lines()]).toEqual([
        0,
        [
          {
            approval: id,
            decision: "approved",
            landing: expect.any(String),
            target: "landed",
            commit: desk.repository.git("rev-parse", "landed"),
          },
        ],
      ]);
      await running.printed("changeset.landed");
      expect(running.child.exitCode).toBeNull();
      expect((await desk.coppice(["cancel", run])).code).toBe(0);
      const ended = await running.ended;
      expect({ code: ended.code, landed: ended.summary().landed.length }).toEqual({ code: 4, landed: 1 });
    },
  );

  test.concurrent("says that a landing is held there: exit 1 with the reason", limit, async ({ expect }) => {
    await using desk = await openDesk(changeBesideThought);
    const { running, run, id } = await driven(desk);
    desk.repository.git("checkout", "--quiet", "-b", "landed");
    desk.repository.write({ "a.txt": "one\ndeux\nthree\n" });
    desk.repository.commitAll("En français");
    desk.repository.git("checkout", "--quiet", "main");
    const approved = await desk.coppice(["approve", id, "--json"]);
    expect([approved.code, approved.lines()]).toEqual([
      1,
      [{ error: { code: "CONFLICT", message: expect.stringContaining("a.txt") } }],
    ]);
    await desk.coppice(["cancel", run]);
    expect((await running.ended).code).toBe(4);
  });

  test.concurrent(
    "refuses a second, other decision and an unknown hunk from here as it would there",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(changeBesideThought);
      const { running, run, id } = await driven(desk);
      const unknown = await desk.coppice(["approve", id, "--hunks", "a.txt:9", "--json"]);
      expect([unknown.code, unknown.lines()]).toMatchObject([2, [{ error: { code: "UNKNOWN_HUNK" } }]]);
      expect((await desk.coppice(["reject", id, "--json"])).code).toBe(0);
      const other = await desk.coppice(["approve", id, "--json"]);
      expect([other.code, other.lines()]).toMatchObject([1, [{ error: { code: "ALREADY_DECIDED" } }]]);
      await desk.coppice(["cancel", run]);
      const ended = await running.ended;
      expect(ofType(ended.events(), "approval.decided")).toHaveLength(1);
    },
  );

  test.concurrent(
    "[G08] cannot be driven a second time: resume and approve --resume exit 5 and say who holds it",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(changeBesideThought);
      const { running, run } = await driven(desk);
      const resumed = await desk.coppice(["resume", run, "--json"]);
      expect([resumed.code, resumed.lines()]).toEqual([
        5,
        [{ error: { code: "DRIVEN_ELSEWHERE", message: expect.stringMatching(/\w/) } }],
      ]);
      expect(running.child.exitCode).toBeNull();
      await desk.coppice(["cancel", run]);
      expect((await running.ended).code).toBe(4);
    },
  );

  test.concurrent(
    "but hangs gets 10 s, then the decision is withdrawn: exit 5, and it never takes it",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(changeBesideThought);
      const { running, run, id } = await driven(desk);
      running.signal("SIGSTOP");
      const approved = await desk.coppice(["approve", id, "--json"]);
      expect([approved.code, approved.lines()]).toEqual([
        5,
        [{ error: { code: "DRIVEN_ELSEWHERE", message: expect.stringContaining("withdrawn") } }],
      ]);
      running.signal("SIGCONT");
      await desk.coppice(["cancel", run]);
      await running.ended;
      const log = await desk.journal(run);
      expect(ofType(log, "approval.decided")).toEqual([]);
      expect(desk.repository.git("branch", "--list", "landed")).toBe("");
      expect(await desk.faults()).toEqual([]);
    },
  );

  test.concurrent("is followed by watch to its end, event by event, with its exit code", limit, async ({ expect }) => {
    await using desk = await openDesk(changeBesideThought);
    const { running, run, id } = await driven(desk);
    const watching = desk.start(["watch", run, "--json"]);
    await watching.printed("approval.requested");
    expect((await desk.coppice(["reject", id])).code).toBe(0);
    await watching.printed("approval.decided");
    await desk.coppice(["cancel", run]);
    const [ended, watched] = await Promise.all([running.ended, watching.ended]);
    expect(watched.events()).toEqual(ended.events());
    expect([watched.code, watched.summary()]).toEqual([4, ended.summary()]);
  });

  test.concurrent("is not touched by a SIGINT to the one who watches", limit, async ({ expect }) => {
    await using desk = await openDesk(changeBesideThought);
    const { running, run } = await driven(desk);
    const watching = desk.start(["watch", run, "--json"]);
    await watching.printed("approval.requested");
    watching.signal("SIGINT");
    const watched = await watching.ended;
    expect([watched.signal, watched.summary().status]).toEqual([null, "running"]);
    expect(running.child.exitCode).toBeNull();
    expect((await desk.coppice(["runs", "--json"])).lines()).toMatchObject([
      { run, status: "running", stopReason: null },
    ]);
    await desk.coppice(["cancel", run]);
    expect((await running.ended).code).toBe(4);
  });
});
