import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, test } from "vitest";

import { committed, decide, endsOf, gate, leavings, placeOf, printOf, queueReasons } from "../support/storyProbes.ts";
import {
  call,
  calls,
  edit,
  endStories,
  eventsOf,
  openStory,
  say,
  spawn,
  submit,
  wait,
} from "../support/workbenchStory.ts";

afterEach(endStories);

const files = { "a.txt": "one\ntwo\nthree\n", "b.txt": "one\n", ".gitignore": "*.log\n" };
const replace = (path: string, oldText: string, newText: string) => edit({ kind: "replace", path, oldText, newText });

describe("executors", () => {
  test("work side by side, each in a worktree of its own, and the user's checkout stays as it was", async () => {
    const both = gate();
    let begun = 0;
    const begin = (turn: ReturnType<typeof edit>) => async () => {
      begun += 1;
      if (begun === 2) both.open();
      // Neither is answered before both have asked: were they one after the other, this would never pass.
      await both.passed;
      return turn;
    };
    const story = await openStory(
      [
        {
          match: /^Begin/,
          turns: [
            calls(
              spawn("LEFT", { role: "executor", paths: ["a.txt"] }),
              spawn("RIGHT", { role: "executor", paths: ["b.txt"] }),
            ),
            wait(["subagent-1", "subagent-2"], { until: "completed" }),
            say("Both."),
          ],
        },
        { match: /^LEFT/, turns: [begin(replace("a.txt", "two", "zwei")), submit("left")] },
        { match: /^RIGHT/, turns: [begin(replace("b.txt", "one", "eins")), submit("right")] },
      ],
      files,
    );
    const before = printOf(story);
    const run = await story.run("Begin");
    const places = eventsOf(run, "worktree.created").map((event) => event.data.path);
    expect(new Set(places).size).toBe(2);
    expect(places.every((place) => place.startsWith(join(story.home, "places")))).toBe(true);
    expect(
      eventsOf(run, "changeset.landed")
        .flatMap((event) => event.data.files)
        .toSorted(),
    ).toEqual(["a.txt", "b.txt"]);
    expect([story.repository.git("show", "landed:a.txt"), story.repository.git("show", "landed:b.txt")]).toEqual([
      "one\nzwei\nthree",
      "eins",
    ]);
    expect(printOf(story)).toBe(before);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("overlapping paths queue with their reason, a later reader overtakes, and the second starts from the first's landing", async () => {
    const first = gate();
    const story = await openStory(
      [
        {
          match: /^Begin/,
          turns: [
            calls(
              spawn("ONE", { role: "executor", paths: ["a.txt"] }),
              spawn("TWO", { role: "executor", paths: ["*.txt"] }),
              spawn("READER"),
            ),
            wait(["subagent-3"]),
            () => {
              first.open();
              return wait(["subagent-1", "subagent-2"], { until: "completed" });
            },
            say("Both."),
          ],
        },
        { match: /^ONE/, turns: [{ ...replace("a.txt", "two", "zwei"), gate: first.passed }, submit("one")] },
        // Its own text to replace is there only after the landing of the first.
        { match: /^TWO/, turns: [replace("a.txt", "zwei", "deux"), submit("two")] },
        { match: /^READER/, turns: [submit("read")] },
      ],
      files,
    );
    const run = await story.run("Begin");
    const queued = eventsOf(run, "subagent.queued").find((event) => event.agent === "subagent-2");
    expect(queued?.data).toEqual({
      code: "PATHS",
      sentence: "Its paths overlap those of subagent-1, which holds them until it is settled.",
    });
    const roots = Object.fromEntries(eventsOf(run, "subagent.started").map((event) => [event.agent, event.data.root]));
    const [landed] = eventsOf(run, "changeset.landed");
    expect(roots["subagent-2"]).toBe(landed?.data.commit);
    expect(roots["subagent-3"]).toBe(run.state().base.commit);
    const order = run
      .journal()
      .flatMap((event) =>
        event.type === "subagent.started" || event.type === "subagent.settled"
          ? [event.type === "subagent.settled" ? `settled ${event.data.subagent}` : `started ${event.agent}`]
          : [],
      );
    expect(order).toEqual([
      "started subagent-1",
      "started subagent-3",
      "settled subagent-3",
      "settled subagent-1",
      "started subagent-2",
      "settled subagent-2",
    ]);
    expect(story.repository.git("show", "landed:a.txt")).toBe("one\ndeux\nthree");
  });

  test("with worktrees off there is one folder, never the user's checkout, and nothing of the first reaches the second", async () => {
    const story = await openStory(
      [
        {
          match: /^Begin/,
          turns: [
            calls(
              spawn("ONE", { role: "executor", paths: ["."] }),
              spawn("TWO", { role: "executor", paths: ["b.txt"] }),
            ),
            wait(["subagent-1", "subagent-2"], { until: "completed" }),
            say("Both."),
          ],
        },
        {
          match: /^ONE/,
          turns: [
            call("runCommand", { command: "echo left > untracked.txt; echo x > ignored.log; echo zwei >> a.txt" }),
            submit("one", { status: "blocked" }),
          ],
        },
        {
          match: /^TWO/,
          turns: [call("runCommand", { command: "ls; cat a.txt" }), replace("b.txt", "one", "eins"), submit("two")],
        },
      ],
      files,
    );
    const before = printOf(story);
    const run = await story.run("Begin", { options: { worktrees: "off" } });
    const places = eventsOf(run, "worktree.created").map((event) => event.data.path);
    expect(new Set(places)).toEqual(new Set([join(story.home, "places", `${run.run}-e1-shared`)]));
    expect(places).toHaveLength(2);
    expect(queueReasons(run, "subagent-2")).toEqual(["WRITER", "READY"]);
    const proposals = eventsOf(run, "changeset.proposed").map((event) => [
      event.agent,
      event.data.files.map((file) => file.path),
    ]);
    expect(proposals).toEqual([["subagent-2", ["b.txt"]]]);
    const [seen] = eventsOf(run, "tool.settled").filter((event) => event.agent === "subagent-2");
    expect(seen?.data.output).not.toMatch(/untracked|zwei/);
    // What the first has made is kept.
    expect(story.repository.git("show", `refs/coppice/${run.run}/subagent-1/pin:untracked.txt`)).toBe("left");
    expect(printOf(story)).toBe(before);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("a reviewer of a proposal works on the proposed tree, and the executor's worktree goes when it is settled", async () => {
    const reviewing = gate();
    const story = await openStory(
      [
        {
          match: /^Begin/,
          turns: [
            calls(
              spawn("EXEC", { role: "executor", paths: ["a.txt"] }),
              spawn("REVIEW", { role: "reviewer", dependsOn: ["subagent-1"] }),
            ),
            wait(["subagent-2"]),
            say("Reviewed."),
          ],
        },
        { match: /^EXEC/, turns: [replace("a.txt", "two", "zwei"), submit("done")] },
        {
          match: /^REVIEW/,
          turns: [
            {
              ...calls({ name: "readFile", args: { path: "a.txt" } }, { name: "readChangeSet" }),
              gate: reviewing.passed,
            },
            submit("no issues", {
              evidence: [
                { source: "a.txt:2", quote: "zwei" },
                { source: "a.txt:2", quote: "two" },
              ],
            }),
          ],
        },
      ],
      files,
    );
    const run = await story.begin("Begin", { options: { approve: "each", verify: [] } });
    const driving = run.drive(true);
    await committed(run, "subagent.started", (event) => event.agent === "subagent-2");
    const place = placeOf(run, "subagent-1");
    expect(readFileSync(join(place, "a.txt"), "utf8")).toBe("one\nzwei\nthree\n");
    reviewing.open();
    expect(await driving).toEqual({ kind: "waiting" });
    const outputOf = (tool: string) =>
      eventsOf(run, "tool.settled").find((event) => event.agent === "subagent-2" && event.data.tool === tool)?.data
        .output;
    expect(outputOf("readFile")).toContain("zwei");
    expect(outputOf("readChangeSet")).toContain("-two\n+zwei");
    expect(run.state().nodes[1]?.evidence.map((item) => item.mark)).toEqual(["found", "not found"]);
    expect(existsSync(place)).toBe(true);
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(existsSync(place)).toBe(false);
    expect(endsOf(run)).toEqual({ "subagent-1": "completed", "subagent-2": "completed" });
    expect(await leavings(story, run)).toEqual([]);
  });

  test("[F22] no more executors than allowed run at a time, and the next says what it waits for", async () => {
    const story = await openStory(
      [
        {
          match: /^Begin/,
          turns: [
            calls(
              spawn("ONE", { role: "executor", paths: ["a.txt"] }),
              spawn("TWO", { role: "executor", paths: ["b.txt"] }),
            ),
            wait(["subagent-1", "subagent-2"]),
            say("Both."),
          ],
        },
        { match: /^(ONE|TWO)/, turns: [submit("nothing to do")] },
      ],
      files,
    );
    const run = await story.run("Begin", { limits: { maxExecutors: 1 } });
    expect(queueReasons(run, "subagent-2")).toEqual(["WRITER", "READY"]);
    // The slot came free only once the first was settled: nothing of it was left at work.
    const settled = eventsOf(run, "subagent.settled").find((event) => event.data.subagent === "subagent-1");
    const started = eventsOf(run, "subagent.started").find((event) => event.agent === "subagent-2");
    expect(settled?.n).toBeLessThan(started?.n ?? 0);
    expect(endsOf(run)).toEqual({ "subagent-1": "completed NO_CHANGES", "subagent-2": "completed NO_CHANGES" });
  });
});
