import { expect, test } from "vitest";

import type { RunId } from "../../shared/contract/ids.ts";
import type { RunEvent } from "../domain/events.ts";
import { LiveTexts } from "./liveTexts.ts";

const run = "run-1" as RunId;
const completed = (agent: string) => [{ type: "model.completed", agent } as unknown as RunEvent];

test("shows what each agent has said in its turn so far, and forgets it when the journal has it", () => {
  const live = new LiveTexts();
  live.append(run, "lead", "Hel");
  live.append(run, "subagent-1", "Look");
  live.append(run, "lead", "lo");
  const before = live.snapshotOf(run);
  live.settle(run, completed("lead"));
  const after = live.snapshotOf(run);
  expect(before.turns).toEqual([
    { agent: "lead", text: "Hello", skipped: 0 },
    { agent: "subagent-1", text: "Look", skipped: 0 },
  ]);
  expect(after.turns).toEqual([{ agent: "subagent-1", text: "Look", skipped: 0 }]);
  expect(after.version).toBeGreaterThan(before.version);
  expect(Object.isFrozen(before.turns[0])).toBe(true);
});

test("keeps the end of a long text, fits into a message in any script, and counts what came before", () => {
  const live = new LiveTexts();
  for (const agent of ["lead", "subagent-1"] as const)
    for (let piece = 0; piece < 100; piece += 1) live.append(run, agent, `${"\u0001".repeat(999)}${piece % 10}`);
  const snapshot = live.snapshotOf(run);
  expect(Buffer.byteLength(JSON.stringify(snapshot))).toBeLessThan(256 * 1024);
  for (const { text, skipped } of snapshot.turns)
    expect([text.length + skipped, text.endsWith("9")]).toEqual([100_000, true]);
});

test("tells which run has news, and nothing of events that end no turn", () => {
  const live = new LiveTexts();
  const told: RunId[] = [];
  const stop = live.onChange((changed) => told.push(changed));
  live.append(run, "lead", "x");
  live.settle(run, completed("subagent-1"));
  live.settle(run, completed("lead"));
  live.forget(run);
  stop();
  live.append(run, "lead", "y");
  expect(told).toEqual([run, run, run]);
});
