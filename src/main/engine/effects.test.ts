// The effect worker beside a run that is told by hand.

import { expect, test } from "vitest";

import { Story, toolCall } from "../../../test/support/runStory.ts";
import { succeed } from "../../shared/lib/result.ts";
import type { Command } from "../domain/commands.ts";
import type { Commit } from "./dispatcher.ts";
import { type DutyHandlers, EffectWorker, type WorkedRun } from "./effects.ts";

/** A story whose commits reach a worker. */
function workedRun(story: Story) {
  const listeners: ((commit: Commit) => void)[] = [];
  const tell = (command: Command) => {
    const events = story.must(command);
    const commit = { events, state: story.state };
    for (const listener of listeners) listener(commit);
    return commit;
  };
  const run: WorkedRun = {
    state: () => story.state,
    onCommit: (listener) => {
      listeners.push(listener);
      return () => undefined;
    },
    drain: () => Promise.resolve(),
    dispatch: (command) => Promise.resolve(succeed(tell(command))),
    broken: () => null,
    headOf: () => ({ seq: 0, hash: "" }),
  };
  return { run, tell };
}

test("the stop of a cancelled run waits until its lead's act has ended, so that what came of it is on record before", async () => {
  const story = new Story().start();
  story.turn("lead", { calls: [toolCall("c1", "readFile", { path: "a.js" })] });
  story.must({ type: "agent.dispatch", agent: "lead", call: "c1", effect: "read", class: "pure", input: {} });
  const { run, tell } = workedRun(story);
  const act = Promise.withResolvers<void>();
  const stopped = Promise.withResolvers<void>();
  const began: string[] = [];
  const nothing = () => Promise.resolve();
  const handlers: DutyHandlers = {
    drive: async (_agent, signal) => {
      await act.promise;
      began.push(`the act ends, ${signal.aborted ? "as asked" : "by itself"}`);
      const came = { outcome: "cancelled", durationMs: 1, output: "", resultHash: "h" } as const;
      tell({ type: "agent.settle", agent: "lead", call: "c1", ...came });
    },
    submit: nothing,
    land: nothing,
    undo: nothing,
    propose: nothing,
    settle: nothing,
    stop: () => {
      began.push("the stop");
      tell({ type: "run.stop" });
      stopped.resolve();
      return Promise.resolve();
    },
  };
  const worker = new EffectWorker(run, handlers);
  worker.reconcile();
  tell({ type: "run.cancel", by: "a person" });
  act.resolve();
  await stopped.promise;
  await worker.close();
  expect([began, story.ofType("tool.settled").map(({ data }) => data.outcome)]).toEqual([
    ["the act ends, as asked", "the stop"],
    ["cancelled"],
  ]);
});
