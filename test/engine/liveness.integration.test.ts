// Whether an agent gets on, judged on the real clock.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { createGit } from "../../src/main/git/createGit.ts";
import { estimateTokens } from "../../src/main/models/estimate.ts";
import { nextRetry } from "../../src/main/models/retry.ts";
import { prepareRun } from "../../src/main/runs/assignment.ts";
import { LiveRun, type Ports } from "../../src/main/runs/liveRun.ts";
import { Occupancy } from "../../src/main/runs/occupancy.ts";
import { createCommands as createSandbox } from "../../src/main/sandbox/command.ts";
import { openStore } from "../../src/main/store/openStore.ts";
import { systemClock } from "../../src/main/systemClock.ts";
import { connectModel } from "../../src/main/workbench.ts";
import { answersTo, committed, endsOf, gate, leavings } from "../support/storyProbes.ts";
import { call, calls, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

const verdicts = (run: Parameters<typeof eventsOf>[0]) =>
  new Set(eventsOf(run, "subagent.checked").map((event) => event.data.verdict));

describe("an agent that is watched", { timeout: 60_000 }, () => {
  test("and whose model says nothing more is blocked, by name, until its ceiling ends it", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("HANGS")), wait(["subagent-1"]), say("It hung.")] },
      { match: /^HANGS/, turns: [{ text: "Hm", hangAfter: 1, pingEveryMs: 50 }] },
    ]);
    const run = await story.run("Begin", { limits: { checkIntervalMs: 200, maxSubagentMs: 5_000 } });
    expect(endsOf(run)).toEqual({ "subagent-1": "failed CEILING" });
    expect(eventsOf(run, "subagent.checked").at(-1)?.data.verdict).toBe("ceiling");
    // Comments keep a connection open; they are no sign of life.
    const blocked = eventsOf(run, "subagent.checked").filter((event) => event.data.verdict === "blocked");
    expect(blocked.at(-1)?.data.reason).toMatch(/^model scripted in flight/);
    expect(answersTo(run, "lead", "waitForSubagents")).toMatchObject([
      { results: { "subagent-1": { status: "failed", code: "CEILING" } } },
    ]);
    const hung = story.server.requests.find((request) => request.firstUserMessage.startsWith("HANGS"));
    await hung?.closed;
    expect(hung?.isAborted).toBe(true);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("and that comes on between two checks is progressing", async () => {
    const [thinking, reading] = [gate(), gate()];
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("READS")), wait(["subagent-1"]), say("Done.")] },
      {
        match: /^READS/,
        turns: [
          { ...call("searchText", { query: "two" }), gate: thinking.passed },
          { ...submit("read"), gate: reading.passed },
        ],
      },
    ]);
    const run = await story.begin("Begin", { limits: { checkIntervalMs: 500 } });
    const driving = run.drive(true);
    const blocked = await committed(run, "subagent.checked", (event) => event.data.verdict === "blocked");
    thinking.open();
    await committed(run, "subagent.checked", (event) => event.data.verdict === "progressing" && event.n > blocked.n);
    reading.open();
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(verdicts(run).has("stalled")).toBe(false);
  });

  test("and whose server named a wait is not stalled while it keeps to it", async () => {
    let asked = 0;
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("WAITS")), wait(["subagent-1"]), say("Done.")] },
      {
        match: /^WAITS/,
        turns: [
          () => {
            asked += 1;
            return asked === 1 ? { status: 429, headers: { "retry-after": "2" } } : submit("asked again");
          },
        ],
      },
    ]);
    const run = await story.run("Begin", { limits: { checkIntervalMs: 400 } });
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(
      eventsOf(run, "subagent.checked").some((event) => event.data.reason.includes("wait before the next try")),
    ).toBe(true);
    expect(verdicts(run).has("stalled")).toBe(false);
  });

  test("and that does nothing at all, with nothing in flight, fails as STALLED, and the lead reads so", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("STANDS")), wait(["subagent-1"]), say("It stood still.")] },
    ]);
    const home = mkdtempSync(join(tmpdir(), "coppice-stalled-"));
    const opened = await openStore({ folder: home });
    if (!opened.ok) throw new Error(opened.error.message);
    const store = opened.value;
    const sandbox = createSandbox();
    const woken = gate();
    let askedCount = 0;
    // The lead's tools are set up; the subagent's never are, and nothing says what it waits for.
    const report = async () => {
      askedCount += 1;
      if (askedCount > 1) await woken.passed;
      return sandbox.report();
    };
    const git = createGit({ dataFolder: home });
    const trusted: Ports["trusted"] = { isTrusted: () => false };
    const prepared = await prepareRun({ git, trusted }, story.assign("Begin", { limits: { checkIntervalMs: 100 } }));
    if (!prepared.ok) throw new Error(prepared.error.message);
    const model = connectModel({ baseUrl: story.server.baseUrl, apiKey: null });
    const policy = { nextRetry, estimateTokens, contextTokens: () => null };
    const rules: Ports["rules"] = { matches: () => false, allow: () => Promise.resolve() };
    const begun = await LiveRun.begin(
      {
        home,
        store,
        git,
        commands: { ...sandbox, report },
        rules,
        trusted,
        clock: systemClock,
        policy,
        priceOf: () => null,
        occupancy: new Occupancy(store, systemClock),
      },
      model,
      prepared.value,
    );
    if (!begun.ok) throw new Error(begun.error.message);
    const run = begun.value;
    const driving = run.drive(true);
    const checked = await committed(run, "subagent.checked", (event) => event.data.verdict === "stalled");
    woken.open();
    expect(await driving).toEqual({ kind: "stopped" });
    await run.release();
    expect(checked.data.reason).toBe("nothing new and nothing in flight since the last check");
    expect(endsOf(run)).toEqual({ "subagent-1": "failed STALLED" });
    expect(answersTo(run, "lead", "waitForSubagents")).toMatchObject([
      { results: { "subagent-1": { status: "failed", code: "STALLED" } } },
    ]);
    await store.close();
    rmSync(home, { recursive: true, force: true });
  });

  test("and that makes the same call with the same result three times is stopped as LOOPING", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("LOOPS")), wait(["subagent-1"]), say("It looped.")] },
      { match: /^LOOPS/, turns: [call("readFile", { path: "a.txt" })] },
    ]);
    const run = await story.run("Begin");
    expect(endsOf(run)).toEqual({ "subagent-1": "failed LOOPING" });
    expect(eventsOf(run, "tool.settled")).toHaveLength(3);
    expect(run.state().stop?.reason).toBe("final_answer");
  });
});
