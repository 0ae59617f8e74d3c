import { spawn as spawnProcess } from "node:child_process";
import { once } from "node:events";

import { beforeAll, describe, test } from "vitest";

import { builtCli, buildCommandLine, buildLimitMs, bundledNode } from "../support/commandLineBuild.ts";
import { openDesk } from "../support/commandLine.ts";
import { ofType, oneChange, typesOf } from "../support/commandStories.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { call, calls, edit, say, spawn, submit, wait } from "../support/workbenchStory.ts";

beforeAll(buildCommandLine, buildLimitMs);

const limit = { timeout: 90_000 };

/** An executor in the middle of a long command. */
const longCommand: readonly ScriptedEntry[] = [
  {
    match: /^Change/,
    turns: [calls(spawn("WORK", { role: "executor", paths: ["a.txt"] })), wait(["subagent-1"]), say("Changed.")],
  },
  {
    match: /^WORK/,
    turns: [
      edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" }),
      call("runCommand", { command: "(sleep 600 & sleep 600 & wait) & sleep 600" }),
      submit("As far as it goes."),
    ],
  },
];
const pinned = (run: string) => `refs/coppice/${run}/subagent-1/pin`;

describe("SIGINT", () => {
  test.concurrent(
    "[G19] once cancels cleanly: exit 4, the summary, no process, no worktree, the work pinned until the run is deleted",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(longCommand);
      const running = desk.start(desk.runArgs("Change it."));
      await running.printed("tool.dispatched", (event) => event.data["tool"] === "runCommand");
      running.signal("SIGINT");
      const ended = await running.ended;
      const summary = ended.summary();
      expect({ code: ended.code, signal: ended.signal, summary }).toMatchObject({
        code: 4,
        signal: null,
        summary: {
          status: "stopped",
          stopReason: "cancelled",
          partial: true,
          landed: [],
          subagents: [{ id: "subagent-1", status: "cancelled", code: "CANCELLED" }],
        },
      });
      expect(typesOf(ended.events()).at(-1)).toBe("run.stopped");
      expect(await desk.leavings(summary.run, pinned(summary.run))).toEqual([]);
      expect(desk.repository.git("show", `${pinned(summary.run)}:a.txt`)).toContain("zwei");
      expect(await desk.faults()).toEqual([]);

      const { run } = summary;
      const kept = (await desk.coppice(["restore", "--json"])).lines();
      const [back] = (await desk.coppice(["restore", run, "--json", "subagent-1"])).lines();
      expect([kept, back]).toMatchObject([
        [{ run, agent: "subagent-1", ref: pinned(run) }],
        { run, branch: expect.stringContaining("coppice-restored/") },
      ]);
      expect(desk.repository.git("show", `${String(back?.["branch"])}:a.txt`)).toContain("zwei");
      await desk.coppice(["pin", run]);
      const refused = await desk.coppice(["delete", run, "--json"]);
      await desk.coppice(["pin", run, "--off"]);
      const deleted = await desk.coppice(["delete", run, "--json"]);
      const gone = await desk.coppice(["show", run, "--json"]);
      expect([refused, deleted, gone].map(({ code, lines }) => [code, lines()[0]])).toMatchObject([
        [1, { error: { code: "RUN_PINNED" } }],
        [0, { run, deleted: true }],
        [2, { error: { code: "RUN_NOT_FOUND" } }],
      ]);
      expect(desk.repository.git("for-each-ref", "refs/coppice")).toBe("");
    },
  );

  test.concurrent("twice leaves at once, and resume finishes what was begun", limit, async ({ expect }) => {
    await using desk = await openDesk(longCommand);
    const running = desk.start(desk.runArgs("Change it."));
    const dispatched = await running.printed("tool.dispatched", (event) => event.data["tool"] === "runCommand");
    running.signal("SIGINT");
    await running.printed("run.ending");
    running.signal("SIGINT");
    const ended = await running.ended;
    // 4: the cancel had come to its end before the second was heard.
    expect([4, 130]).toContain(ended.code);
    const resumed = await desk.coppice(["resume", dispatched.root, "--json"]);
    expect({ code: resumed.code, reason: resumed.summary().stopReason }).toEqual({ code: 4, reason: "cancelled" });
    expect(await desk.leavings(dispatched.root, pinned(dispatched.root))).toEqual([]);
  });
});

describe("SIGTERM", () => {
  test.concurrent("cancels like SIGINT", limit, async ({ expect }) => {
    await using desk = await openDesk([{ match: /./, turns: [{ text: "Hm", hangAfter: 1 }] }]);
    const running = desk.start(desk.runArgs("Change it."));
    await running.printed("model.requested");
    running.signal("SIGTERM");
    const ended = await running.ended;
    expect([ended.code, ended.summary().stopReason, await desk.leavings(ended.summary().run)]).toEqual([
      4,
      "cancelled",
      [],
    ]);
  });
});

describe("cancel", () => {
  test.concurrent("ends a run that another process drives, which says so and exits 4", limit, async ({ expect }) => {
    await using desk = await openDesk(longCommand);
    const running = desk.start(desk.runArgs("Change it."));
    const dispatched = await running.printed("tool.dispatched", (event) => event.data["tool"] === "runCommand");
    const cancelled = await desk.coppice(["cancel", dispatched.root, "--json"]);
    expect([cancelled.code, cancelled.lines()]).toEqual([0, [{ run: dispatched.root, cancelled: true }]]);
    const ended = await running.ended;
    expect([ended.code, ended.summary().stopReason]).toEqual([4, "cancelled"]);
    expect(await desk.leavings(dispatched.root, pinned(dispatched.root))).toEqual([]);
  });

  test.concurrent("ends a run that waits for a person and that nobody drives, once", limit, async ({ expect }) => {
    await using desk = await openDesk(oneChange);
    const ran = await desk.coppice(desk.runArgs("Change it.", "--approve", "each"));
    const { run, waiting } = ran.summary();
    expect((await desk.coppice(["cancel", run, "--json"])).lines()).toEqual([{ run, cancelled: true }]);
    const again = await desk.coppice(["cancel", run, "--json"]);
    expect([again.code, again.lines()]).toEqual([
      1,
      [{ error: { code: "RUN_STOPPED", message: expect.stringContaining(run) } }],
    ]);
    const late = await desk.coppice(["approve", String(waiting[0]?.id), "--json"]);
    expect([late.code, late.lines()]).toMatchObject([1, [{ error: { code: "ALREADY_DECIDED" } }]]);
    const resumed = await desk.coppice(["resume", run, "--json"]);
    expect([resumed.code, resumed.lines()]).toMatchObject([
      4,
      [{ type: "summary", status: "stopped", stopReason: "cancelled" }],
    ]);
    expect((await desk.coppice(["approvals", "--json"])).stdout).toBe("");
    expect(await desk.leavings(run, `refs/coppice/${run}/subagent-1/1`, pinned(run))).toEqual([]);
  });
});

describe("resume", () => {
  test.concurrent(
    "of a stopped run prints its summary and exits by its reason, and asks no model",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk([...oneChange, { match: /^Fail/, turns: [{ status: 401 }] }]);
      const [done, failed] = [
        await desk.coppice(desk.runArgs("Change it.")),
        await desk.coppice(desk.runArgs("Fail.")),
      ];
      const asked = desk.server.requests.length;
      for (const [ran, code] of [
        [done, 0],
        [failed, 1],
      ] as const) {
        const resumed = await desk.coppice(["resume", ran.summary().run, "--json"], {
          env: { OPENAI_API_KEY: undefined },
        });
        expect([ran.code, resumed.code, resumed.lines()]).toEqual([code, code, [ran.lines().at(-1)]]);
      }
      expect(desk.server.requests).toHaveLength(asked);
    },
  );

  test.concurrent("goes on with the options of the start, and flags come before them", limit, async ({ expect }) => {
    await using desk = await openDesk([{ match: /./, turns: [{ status: 503, headers: { "retry-after": "1000" } }] }]);
    await using other = await openDesk([{ match: /./, turns: [say("Elsewhere.")] }]);
    const running = desk.start(desk.runArgs("Look.", "--max-steps", "7"));
    const { run } = await running.printed("model.retried");
    running.signal("SIGKILL");
    await running.ended;
    const resumed = await desk.coppice(["resume", run, "--base-url", other.server.baseUrl, "--json"], {
      env: { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", OPENAI_API_KEY: "another" },
    });
    expect([resumed.code, resumed.summary().answer]).toEqual([0, "Elsewhere."]);
    expect(other.server.requests.map((request) => [request.headers.authorization, request.firstUserMessage])).toEqual([
      ["Bearer another", "Look."],
    ]);
  });
});

describe("output", () => {
  test.concurrent("--quiet is the answer alone", limit, async ({ expect }) => {
    await using desk = await openDesk(oneChange);
    const [command, ...rest] = desk.runArgs("Change it.");
    const ended = await desk.coppice([String(command), ...rest.filter((word) => word !== "--json"), "--quiet"]);
    expect({ code: ended.code, stdout: ended.stdout, stderr: ended.stderr }).toEqual({
      code: 0,
      stdout: "Changed.\n",
      stderr: "",
    });
  });

  test.concurrent("for people ends with what landed where", limit, async ({ expect }) => {
    await using desk = await openDesk(oneChange);
    const ended = await desk.coppice(desk.runArgs("Change it.").filter((word) => word !== "--json"));
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout).toMatch(/Landed\n[^]*on landed[^]*a\.txt/);
    expect(ended.stdout).not.toMatch(/^\{/m);
  });

  test.concurrent("that nobody reads to its end (| head) is no crash", limit, async ({ expect }) => {
    await using desk = await openDesk(oneChange);
    const ran = await desk.coppice(desk.runArgs("Change it."));
    const child = spawnProcess(bundledNode, [builtCli, "log", ran.summary().run, "--json"], {
      env: { PATH: process.env["PATH"], COPPICE_HOME: desk.home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    child.stdout.destroy();
    const [code] = (await once(child, "close")) as [number | null];
    expect([code, stderr]).toEqual([0, ""]);
  });

  test.concurrent(
    "that nobody reads any more does not end a run in the middle of a landing",
    limit,
    async ({ expect }) => {
      await using desk = await openDesk(oneChange);
      const running = desk.start(desk.runArgs("Change it."));
      const started = await running.printed("subagent.started");
      running.child.stdout?.destroy();
      const ended = await running.ended;
      expect([ended.code, ended.signal, ended.stderr]).toEqual([0, null, ""]);
      // Whether it left then or went on: what is in the journal is whole, and resume brings it to its end.
      const resumed = await desk.coppice(["resume", started.root, "--json"]);
      expect([resumed.code, resumed.summary().landed.length]).toEqual([0, 1]);
      expect(ofType(await desk.journal(started.root), "changeset.landed")).toHaveLength(1);
    },
  );
});
