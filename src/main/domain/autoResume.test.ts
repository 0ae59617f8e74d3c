import { describe, expect, test } from "vitest";

import { Story } from "../../../test/support/runStory.ts";
import { autoResumeOf, freshMs } from "./autoResume.ts";
import { snapshotOf } from "./projections/snapshot.ts";

function fate(story: Story, aliveAt = story.now, now = aliveAt, isWanted = true): string {
  return autoResumeOf(story.state, story.events, { aliveAt, now, isWanted });
}

describe("a run that a dead process has left and that nobody named", () => {
  test("goes on after one unclean end within the hour, and is left paused after a longer time", () => {
    const story = new Story().start();
    expect([fate(story), fate(story, story.now, story.now + freshMs + 1)]).toEqual(["resume", "pause"]);
  });

  test("is left paused where a person has set that runs do not go on by themselves", () => {
    const story = new Story().start();
    expect(fate(story, story.now, story.now, false)).toBe("pause");
  });

  test("is left paused when its process died twice in a row", () => {
    const story = new Story().start();
    story.must({ type: "run.recover", epoch: 2 });
    const twice = fate(story);
    // The second process had driven it for longer than an hour: that was no second death in a row.
    expect([twice, fate(story, story.now + freshMs + 1)]).toEqual(["pause", "resume"]);
  });

  test("is not touched while it waits for a person, is paused or has stopped", () => {
    const paused = new Story().start();
    paused.must({ type: "run.pause" });
    const stopped = new Story().start();
    stopped.must({ type: "run.cancel", by: "Ada" });
    stopped.must({ type: "run.stop" });
    expect([fate(paused), fate(stopped)]).toEqual(["leave", "leave"]);
  });
});

test("a run that is recovered and paused has its lost request settled and owes nothing until somebody goes on", () => {
  const story = new Story().start();
  story.request("lead");
  story.must({ type: "run.recover", epoch: 2, pauses: true });
  const paused = [story.state.status, story.ofType("model.lost").length, story.state.lead.request];
  const shown = snapshotOf(story.state).lead.waitingFor?.code;
  story.must({ type: "run.resume" });
  expect([paused, shown, story.state.status]).toEqual([["paused", 1, null], "RECOVERED", "running"]);
});

test("time that a run waits, is paused or lies undriven is not taken from its deadline", () => {
  const story = new Story({ wallMs: 100_000 }).start();
  const begun = story.state.deadlineAt ?? 0;
  story.must({ type: "run.pause" });
  story.now += 50_000;
  story.must({ type: "run.resume" });
  const afterPause = (story.state.deadlineAt ?? 0) - begun;
  story.now += 70_000;
  // A crash: nothing says when; its last event does.
  story.must({ type: "run.recover", epoch: 2 });
  expect([afterPause, (story.state.deadlineAt ?? 0) - begun - afterPause]).toEqual([51_000, 71_000]);
});
