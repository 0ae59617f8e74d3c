import { beforeAll, describe, test } from "vitest";

import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { type Desk, openDesk } from "../support/commandLine.ts";
import type { Ended } from "../support/commandProcess.ts";
import { ofType, oneChange, oneCommand, typesOf } from "../support/commandStories.ts";
import { calls, edit, say, spawn, submit, wait } from "../support/workbenchStory.ts";

beforeAll(buildCommandLine, buildLimitMs);

const limit = { timeout: 90_000 };
const each = (desk: Desk, ...more: readonly string[]) =>
  desk.coppice(desk.runArgs("Change it.", "--approve", "each", ...more));
const approvalOf = (ended: Ended) => String(ended.summary().waiting[0]?.id);
const journalOf = (desk: Desk, ended: Ended) => desk.journal(ended.summary().run);
const bothEnds = { "a.txt": ["one", "two", ...Array.from({ length: 20 }, (_, line) => `${line}`), "last"].join("\n") };

describe("a change set under --approve each", () => {
  test.concurrent(
    "without a terminal waits with exit 3, lands at once when it is approved, and is decided once",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(oneChange);
      const ran = await each(desk);
      const id = approvalOf(ran);
      expect({ code: ran.code, summary: ran.summary() }).toMatchObject({
        code: 3,
        summary: {
          status: "waiting",
          stopReason: null,
          waiting: [{ id, kind: "changeset", agent: "subagent-1" }],
          landed: [],
        },
      });
      expect(desk.repository.git("branch", "--list", "landed")).toBe("");

      const approved = await desk.coppice(["approve", id, "--message", "Say zwei", "--json"]);
      const tip = desk.repository.git("rev-parse", "landed");
      expect({ code: approved.code, stderr: approved.stderr, lines: approved.lines() }).toEqual({
        code: 0,
        stderr: "",
        lines: [{ approval: id, decision: "approved", landing: expect.any(String), target: "landed", commit: tip }],
      });
      expect(desk.repository.git("log", "-1", "--format=%s %an", "landed")).toBe("Say zwei Ada");
      expect(desk.repository.git("show", "landed:a.txt")).toBe("one\nzwei\nthree");
      const before = await journalOf(desk, ran);

      const again = await desk.coppice(["approve", id, "--json"]);
      expect([again.code, again.lines()]).toEqual([0, approved.lines()]);
      const other = await desk.coppice(["reject", id, "--json"]);
      expect([other.code, other.lines()]).toEqual([
        1,
        [{ error: { code: "ALREADY_DECIDED", message: expect.stringContaining(id) } }],
      ]);
      const after = await journalOf(desk, ran);
      expect(ofType(after, "approval.decided")).toHaveLength(1);
      expect(ofType(after, "changeset.landed")).toHaveLength(1);
      // A look that takes the lease may say so; nothing else is new.
      expect(after.slice(before.length).filter((event) => !event.type.startsWith("run."))).toEqual([]);
      expect((await desk.coppice(["approvals", "--json"])).stdout).toBe("");
    },
  );

  test.concurrent(
    "[B19] lands exactly the hunks that are named, and refuses those that are not there",
    limit,
    async ({ expect }) => {
      const edits = [
        { kind: "replace", path: "a.txt", oldText: "two\n", newText: "zwei\n" },
        { kind: "replace", path: "a.txt", oldText: "last", newText: "letzte" },
        { kind: "create", path: "b.txt", content: "new\n" },
      ];
      await using desk = await openDesk(
        [
          {
            match: /^Change/,
            turns: [
              calls(spawn("EDIT both", { role: "executor", paths: ["a.txt", "b.txt"] })),
              wait(["subagent-1"]),
              say("Changed."),
            ],
          },
          { match: /^EDIT/, turns: [edit(...edits), submit("Three hunks.")] },
        ],
        bothEnds,
      );
      const ran = await each(desk);
      const id = approvalOf(ran);
      const unknown = await desk.coppice(["approve", id, "--hunks", "a.txt:1,7", "--json"]);
      expect([unknown.code, unknown.lines()]).toEqual([
        2,
        [{ error: { code: "UNKNOWN_HUNK", message: expect.stringMatching(/a\.txt.*7|7.*a\.txt/) } }],
      ]);
      const elsewhere = await desk.coppice(["approve", id, "--hunks", "c.txt:1", "--json"]);
      expect([elsewhere.code, elsewhere.lines()]).toEqual([
        2,
        [{ error: { code: "UNKNOWN_HUNK", message: expect.stringContaining("c.txt") } }],
      ]);
      expect((await desk.coppice(["approvals", "--json"])).lines()).toHaveLength(1);

      const approved = await desk.coppice(["approve", id, "--hunks", "a.txt:2", "--json"]);
      expect(approved.code).toBe(0);
      expect(desk.repository.git("diff", "--name-only", "main", "landed")).toBe("a.txt");
      expect(desk.repository.git("show", "landed:a.txt")).toBe(bothEnds["a.txt"].replace("last", "letzte"));
      const resumed = await desk.coppice(["resume", ran.summary().run, "--json"]);
      expect([resumed.code, resumed.summary().landed.map((landing) => landing.files)]).toEqual([0, [["a.txt"]]]);
    },
  );

  test.concurrent("that is rejected is told to the lead at resume, with the comment", limit, async ({ expect }) => {
    await using desk = await openDesk(oneChange);
    const ran = await each(desk);
    const asked = desk.server.requests.length;
    const rejected = await desk.coppice(["reject", approvalOf(ran), "--comment", "English, please.", "--json"]);
    expect([rejected.code, rejected.lines()]).toEqual([0, [{ approval: approvalOf(ran), decision: "rejected" }]]);
    // Nobody drives the run yet.
    expect(desk.server.requests).toHaveLength(asked);
    const resumed = await desk.coppice(["resume", ran.summary().run, "--json"]);
    expect({ code: resumed.code, summary: resumed.summary() }).toMatchObject({
      code: 0,
      summary: {
        stopReason: "final_answer",
        landed: [],
        subagents: [{ id: "subagent-1", status: "failed", code: "REJECTED" }],
      },
    });
    const told = desk.server.requests
      .slice(asked)
      .map((request) => JSON.stringify(request.body.messages.at(-1)?.content));
    expect(told).toEqual([expect.stringContaining("English, please.")]);
    expect(desk.repository.git("branch", "--list", "landed")).toBe("");
  });

  test.concurrent(
    "drives on with --resume: the same output as resume, the run's own exit code",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(oneChange);
      const ran = await each(desk);
      const approved = await desk.coppice(["approve", approvalOf(ran), "--resume", "--json"]);
      expect({ code: approved.code, summary: approved.summary() }).toMatchObject({
        code: 0,
        summary: { stopReason: "final_answer", landed: [{ target: "landed" }] },
      });
      expect(typesOf(approved.events()).at(-1)).toBe("run.stopped");
      const journal = await journalOf(desk, ran);
      expect(journal.slice(0, ran.events().length)).toEqual(ran.events());
      expect(journal.slice(-approved.events().length)).toEqual(approved.events());
      expect(
        await desk.leavings(ran.summary().run, "refs/heads/landed", `refs/coppice/${ran.summary().run}/subagent-1/1`),
      ).toEqual([]);
    },
  );

  test.concurrent("stays open under none, also with a check that passed", limit, async ({ expect }) => {
    await using desk = await openDesk(oneChange);
    const ran = await desk.coppice(desk.runArgs("Change it.", "--approve", "none"));
    expect({ code: ran.code, summary: ran.summary() }).toMatchObject({
      code: 3,
      summary: {
        status: "waiting",
        waiting: [{ kind: "changeset" }],
        landed: [],
        subagents: [{ verification: "passed", status: "awaiting_review" }],
      },
    });
    const again = await desk.coppice(["resume", ran.summary().run, "--json"]);
    expect([again.code, again.summary().waiting]).toEqual([3, ran.summary().waiting]);
  });

  test.concurrent(
    "stays open under auto when its check fails or it touches a protected path",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(oneChange);
      const unchecked = await desk.coppice(desk.runArgs("Change it.", "--verify", "false"));
      expect({ code: unchecked.code, summary: unchecked.summary() }).toMatchObject({
        code: 3,
        summary: { landed: [], waiting: [{ kind: "changeset" }], subagents: [{ verification: "failed" }] },
      });
    },
  );

  test.concurrent(
    "[F19] that conflicts is held with exit 1 and the reason, is still listed, and lands once the branch fits",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(oneChange);
      const ran = await each(desk);
      const id = approvalOf(ran);
      const { repository } = desk;
      repository.git("checkout", "--quiet", "-b", "landed");
      repository.write({ "a.txt": "one\ndeux\nthree\n" });
      const theirs = repository.commitAll("En français");
      repository.git("checkout", "--quiet", "main");

      const held = await desk.coppice(["approve", id, "--json"]);
      expect([held.code, held.lines()]).toEqual([
        1,
        [{ error: { code: "CONFLICT", message: expect.stringContaining("a.txt") } }],
      ]);
      expect(held.stderr).toMatch(/^CONFLICT: .*a\.txt/);
      expect(repository.git("rev-parse", "landed")).toBe(theirs);
      expect((await desk.coppice(["approvals", "--json"])).lines()).toMatchObject([{ id, kind: "changeset" }]);
      const resumed = await desk.coppice(["resume", ran.summary().run, "--json"]);
      expect([resumed.code, resumed.summary().waiting]).toEqual([3, [{ id, kind: "changeset", agent: "subagent-1" }]]);

      repository.git("update-ref", "refs/heads/landed", "main");
      const retried = await desk.coppice(["approve", id, "--resume", "--json"]);
      expect([retried.code, retried.summary().landed.length]).toEqual([0, 1]);
      expect(repository.git("show", "landed:a.txt")).toBe("one\nzwei\nthree");
    },
  );
});

describe("a command", () => {
  test.concurrent(
    "waits under --commands ask with exit 3, and runs after approve --resume",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(oneCommand);
      const ran = await desk.coppice(desk.runArgs("Ask it.", "--commands", "ask"));
      expect({ code: ran.code, waiting: ran.summary().waiting }).toEqual({
        code: 3,
        waiting: [{ id: approvalOf(ran), kind: "command", agent: "subagent-1" }],
      });
      expect(ofType(ran.events(), "tool.dispatched")).toEqual([]);
      expect((await desk.coppice(["approvals", "--json"])).lines()).toMatchObject([
        { kind: "command", summary: "echo hello > seen.txt" },
      ]);
      const approved = await desk.coppice(["approve", approvalOf(ran), "--resume", "--json"]);
      expect({ code: approved.code, landed: approved.summary().landed.map((landing) => landing.files) }).toEqual({
        code: 0,
        landed: [["seen.txt"]],
      });
      expect(
        ofType(approved.events(), "tool.settled").map((event) => [event.data["outcome"], event.data["exitCode"]]),
      ).toEqual([["executed", 0]]);
    },
  );

  test.concurrent("that is rejected is refused to the agent, with the comment", limit, async ({ expect }) => {
    await using desk = await openDesk(oneCommand);
    const ran = await desk.coppice(desk.runArgs("Ask it.", "--commands", "ask"));
    const rejected = await desk.coppice([
      "reject",
      approvalOf(ran),
      "--comment",
      "Not this one.",
      "--resume",
      "--json",
    ]);
    expect({ code: rejected.code, landed: rejected.summary().landed }).toEqual({ code: 0, landed: [] });
    expect(ofType(rejected.events(), "tool.refused").map((event) => event.data)).toMatchObject([
      { tool: "runCommand", message: "Not this one." },
    ]);
    expect(ofType(rejected.events(), "tool.dispatched")).toEqual([]);
  });

  test.concurrent("never runs under --commands deny, and nobody is asked", limit, async ({ expect }) => {
    await using desk = await openDesk(oneCommand);
    const ran = await desk.coppice(desk.runArgs("Ask it.", "--commands", "deny"));
    expect({ code: ran.code, landed: ran.summary().landed, waiting: ran.summary().waiting }).toEqual({
      code: 0,
      landed: [],
      waiting: [],
    });
    expect(ofType(ran.events(), "tool.refused")).toHaveLength(1);
    expect(ofType(ran.events(), "approval.requested")).toEqual([]);
  });
});
