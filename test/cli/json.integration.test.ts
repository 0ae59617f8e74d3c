import { existsSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { RunEvent } from "../../src/main/domain/events.ts";
import { fold } from "../../src/main/domain/evolve.ts";
import { snapshotOf } from "../../src/main/domain/projections/snapshot.ts";
import { buildCommandLine, buildLimitMs } from "../support/commandLineBuild.ts";
import { type Desk, openDesk } from "../support/commandLine.ts";
import type { Ended } from "../support/commandProcess.ts";
import { numberingFaults, ofType, oneChange } from "../support/commandStories.ts";

let desk: Desk;
/** Landed unasked. */
let first: Ended;
/** Waits for a decision. */
let second: Ended;
beforeAll(async () => {
  await buildCommandLine();
  desk = await openDesk(oneChange);
  first = await desk.coppice(desk.runArgs("Change it."));
  second = await desk.coppice(desk.runArgs("Change it again,\nplease.", "--approve", "each"));
}, buildLimitMs);
afterAll(() => desk[Symbol.asyncDispose]());

const json = (...args: readonly string[]) => desk.coppice([...args, "--json"]);

describe("with --json", () => {
  test("`run` prints each event exactly as `log` does later, numbered 1…N and 1…M in each stream", async () => {
    const log = await json("log", first.summary().run);
    expect({ code: log.code, lines: log.lines() }).toEqual({ code: 0, lines: first.events() });
    expect(numberingFaults(first.events())).toEqual([]);
    expect(new Set(first.events().map((event) => Object.keys(event).join()))).toEqual(
      new Set(["n,pos,run,root,agent,seq,type,at,data"]),
    );
    expect(new Set(first.events().map((event) => event.root))).toEqual(new Set([first.summary().run]));
    expect(new Set(first.events().map((event) => event.agent))).toEqual(new Set(["lead", "subagent-1"]));
  });

  test("`run` prints streamed text as live lines, events and last the summary, and nothing else", () => {
    const lines = first.lines();
    const live = lines.filter((line) => line["type"] === "live");
    expect(live.map((line) => [line["agent"], line["text"]])).toContainEqual(["lead", "Changed."]);
    expect(lines).toHaveLength(live.length + first.events().length + 1);
    expect(first.stderr).toBe("");
  });

  test("`run` sums up with every field that is promised", () => {
    const landed = ofType(first.events(), "changeset.landed")[0]?.data;
    const requests = ofType(first.events(), "model.requested").length;
    expect(first.lines().at(-1)).toEqual({
      type: "summary",
      run: first.events()[0]?.run,
      status: "stopped",
      stopReason: "final_answer",
      answer: "Changed.",
      partial: false,
      subagents: [{ id: "subagent-1", role: "executor", status: "completed", verification: "passed" }],
      landed: [
        expect.objectContaining({
          landing: landed?.["landing"],
          changeset: landed?.["changeset"],
          target: "landed",
          commit: desk.repository.git("rev-parse", "landed"),
          files: ["a.txt"],
        }),
      ],
      waiting: [],
      usage: { inputTokens: 100 * requests, outputTokens: 20 * requests, cachedTokens: 0, requests },
      costUsd: null,
    });
  });

  test("`log --from N` begins at N", async () => {
    const log = await json("log", first.summary().run, "--from", "7");
    expect(log.events()).toEqual(first.events().slice(6));
  });

  test("[G22] `show --at N` is the fold up to N, with nothing of later ordinals", { timeout: 60_000 }, async () => {
    const events = first.events();
    const { run } = first.summary();
    const ordinals = [ofType(events, "approval.requested")[0]?.n ?? 0, events.length];
    for (const at of ordinals) {
      const state = fold(events.slice(0, at) as unknown as readonly RunEvent[]);
      if (!state) throw new Error("There is no first event");
      const { options, limits, wallMs } = state;
      expect((await json("show", run, "--at", `${at}`)).lines()).toEqual([
        JSON.parse(JSON.stringify({ ...snapshotOf(state), options, limits, wallMs })),
      ]);
    }
    const early = (await json("show", run, "--at", "1")).lines()[0];
    expect(early).toMatchObject({
      run,
      at: 1,
      status: "created",
      subagents: [],
      approvals: [],
      landed: [],
      answer: null,
      stopReason: null,
      updatedAt: events[0]?.at,
    });
    const beyond = await json("show", run, "--at", `${events.length + 1}`);
    expect([beyond.code, beyond.lines()]).toEqual([
      2,
      [{ error: { code: "BAD_USAGE", message: expect.stringContaining(`1 to ${events.length}`) } }],
    ]);
  });

  test("`show` is one snapshot of now", async () => {
    const shown = await json("show", second.summary().run);
    expect(shown.lines()).toMatchObject([
      {
        run: second.summary().run,
        at: second.events().length,
        status: "waiting",
        subagents: [{ id: "subagent-1", role: "executor", status: "awaiting_review" }],
        landed: [],
      },
    ]);
  });

  test("`runs` is newest first, in exactly the promised fields", async () => {
    const repo = desk.repository.folder;
    expect((await json("runs")).lines()).toEqual([
      {
        run: second.summary().run,
        title: "Change it again,",
        status: "waiting",
        stopReason: null,
        repo,
        createdAt: second.events()[0]?.at,
      },
      {
        run: first.summary().run,
        title: "Change it.",
        status: "stopped",
        stopReason: "final_answer",
        repo,
        createdAt: first.events()[0]?.at,
      },
    ]);
  });

  test("`approvals` is oldest first, of all runs or of one, and only what is open", { timeout: 60_000 }, async () => {
    const third = await desk.coppice(desk.runArgs("Change it once more.", "--approve", "each"));
    const rows = (ended: Ended) =>
      ofType(ended.events(), "approval.requested").map(({ at, data }) => ({
        id: data["approval"],
        run: ended.summary().run,
        kind: "changeset",
        agent: "subagent-1",
        summary: data["summary"],
        since: at,
      }));
    expect((await json("approvals")).lines()).toEqual([...rows(second), ...rows(third)]);
    expect((await json("approvals", third.summary().run)).lines()).toEqual(rows(third));
    expect((await json("approvals", first.summary().run)).stdout).toBe("");
    expect(third.summary().waiting).toEqual([{ id: rows(third)[0]?.id, kind: "changeset", agent: "subagent-1" }]);
  });

  test("`diff` is a subagent's change, or what has landed", { timeout: 60_000 }, async () => {
    const patch = expect.stringMatching(/^diff --git a\/a\.txt b\/a\.txt\n[^]*\n-two\n\+zwei\n/) as string;
    const { run } = second.summary();
    expect((await json("diff", run, "subagent-1")).lines()).toEqual([{ run, subagent: "subagent-1", patch }]);
    expect((await json("diff", first.summary().run)).lines()).toEqual([{ run: first.summary().run, patch }]);
    expect((await json("diff", run)).lines()).toEqual([{ run, patch: "" }]);
    expect((await json("diff", run, "subagent-2")).lines()).toMatchObject([{ error: { code: "UNKNOWN_SUBAGENT" } }]);
  });

  test("a run may be named by the beginning of its id, as long as that is one run's", async () => {
    const { run } = first.summary();
    expect((await json("show", run.slice(0, 6))).lines()[0]?.["run"]).toBe(run);
    expect((await json("show", "")).code).toBe(2);
  });
});

describe("for people", () => {
  test("the queries say it in words, and never in JSON", { timeout: 60_000 }, async () => {
    const { run } = second.summary();
    for (const args of [["runs"], ["show", run], ["log", run]]) {
      const said = await desk.coppice(args);
      expect([args[0], said.code, said.stderr]).toEqual([args[0], 0, ""]);
      expect(said.stdout).toMatch(/a\.txt|Change it/);
      expect(said.stdout).not.toMatch(/^\{/m);
      // No colour where there is no terminal.
      expect(said.stdout).not.toContain("\u001b");
    }
  });
});

describe("doctor", () => {
  test("has one line an invariant and exit 0 while all hold", async () => {
    const checks = await json("doctor");
    expect(checks.code).toBe(0);
    expect(checks.lines().length).toBeGreaterThan(4);
    for (const line of checks.lines())
      expect(line).toEqual({
        id: expect.stringMatching(/^(I\d+|[A-Z_]+)$/),
        title: expect.stringMatching(/./),
        ok: true,
        details: [],
      });
    expect(existsSync(join(desk.home, "journal.db"))).toBe(true);
  });
});

test("`rename` gives a run another title, also after its stop, and nothing else of it changes", async () => {
  const { run } = first.summary();
  const renamed = await desk.coppice(["rename", run, "  Two becomes\nzwei ", "--json"]);
  expect({ code: renamed.code, lines: renamed.lines() }).toEqual({ code: 0, lines: [{ run, renamed: true }] });
  const listed = (await json("runs")).lines().find((line) => line["run"] === run);
  expect(listed).toMatchObject({ title: "Two becomes zwei", status: "stopped", stopReason: "final_answer" });
  const log = (await json("log", run)).events();
  expect([log.slice(0, -1), log.at(-1)?.type]).toEqual([first.events(), "run.renamed"]);
  const late = await json("note", run, "Use cents.");
  expect([late.code, late.lines().at(-1)]).toMatchObject([1, { error: { code: "RUN_STOPPED" } }]);
  const empty = await json("rename", run, " ");
  expect({ code: empty.code, error: empty.lines().at(-1) }).toMatchObject({
    code: 2,
    error: { error: { code: "BAD_USAGE" } },
  });
});
