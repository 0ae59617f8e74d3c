// Places that all runs of a data folder share: who waits for another run says so, and goes on when it is done.

import { afterEach, describe, expect, test } from "vitest";

import { connectModel } from "../../src/main/workbench.ts";
import type { Limits } from "../../src/shared/contract/options.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { committed, endsOf, gate, queueReasons } from "../support/storyProbes.ts";
import { calls, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

const cases: readonly (readonly [string, Partial<Limits>, "here" | "elsewhere", "SLOT" | "MODEL"])[] = [
  ["slot over all runs, held by another run of this process,", { maxOverAllRuns: 1 }, "here", "SLOT"],
  ["place at a model, held by another run of this process,", { maxPerModel: 1 }, "here", "MODEL"],
  ["slot over all runs, held by another process,", { maxOverAllRuns: 1 }, "elsewhere", "SLOT"],
  ["place at a model, held by another process,", { maxPerModel: 1 }, "elsewhere", "MODEL"],
];

describe("a subagent that waits", { timeout: 60_000 }, () => {
  test.each(cases)("for a %s says so, and starts once that comes free", async (_title, limits, where, code) => {
    const looking = gate();
    const lead = (task: string): ScriptedEntry => ({
      match: new RegExp(`^${task}`),
      turns: [calls(spawn(`LOOKS for ${task}`)), wait(["subagent-1"]), say("Done.")],
    });
    const story = await openStory([
      lead("First"),
      lead("Second"),
      { match: /^LOOKS for First/, turns: [{ ...submit("looked"), gate: looking.passed }] },
      { match: /^LOOKS/, turns: [submit("looked")] },
    ]);
    const first = await story.begin("First", { limits });
    const isFirstDone = first.drive(true);
    await committed(first, "model.requested", (event) => event.agent === "subagent-1");

    const workbench = where === "here" ? story.workbench : await story.reopen();
    const model = connectModel({ baseUrl: story.server.baseUrl, apiKey: "test-key" });
    const begun = await workbench.startRun(story.assign("Second", { limits }), model);
    if (!begun.ok) throw new Error(begun.error.message);
    const second = begun.value;
    const isSecondDone = second.drive(true);
    const queued = await committed(second, "subagent.queued", (event) => event.data.code === code);
    expect(queued.data.sentence).toMatch(code === "SLOT" ? /over all runs are taken/ : /serves 1 agents already/);
    expect(eventsOf(second, "subagent.started")).toEqual([]);

    looking.open();
    expect(await Promise.all([isFirstDone, isSecondDone])).toEqual([{ kind: "stopped" }, { kind: "stopped" }]);
    await first.release();
    await second.release();
    expect(endsOf(second)).toEqual({ "subagent-1": "completed" });
    expect(queueReasons(second, "subagent-1")).toEqual([code, "READY"]);
    const ended = eventsOf(first, "subagent.stopped")[0]?.at ?? Infinity;
    expect(eventsOf(second, "subagent.started")[0]?.at ?? 0).toBeGreaterThanOrEqual(ended);
  });
});
