// A whole run recorded and played again: other folders, another run id, other durations, another order of answers, no server.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, onTestFinished, test, vi } from "vitest";

import type { ModelPort } from "../src/main/engine/ports/model.ts";
import type { LiveRun } from "../src/main/runs/liveRun.ts";
import { playCassette, recordCassette } from "../src/main/models/cassette.ts";
import { connectModel } from "../src/main/workbench.ts";
import { unwrap } from "./support/recordCassette.ts";
import type { ScriptedEntry } from "./support/scriptedModel.ts";
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
  type Story,
  wait,
} from "./support/workbenchStory.ts";

afterEach(endStories);

const files = { "pay.js": "export function onCallback(order) {\n  charge(order)\n}\n" };
const mend = edit({
  kind: "replace",
  path: "pay.js",
  oldText: "  charge(order)",
  newText: "  if (seen.has(order.id)) return\n  charge(order)",
});
const script: readonly ScriptedEntry[] = [
  {
    match: /charged twice/,
    turns: [
      calls(spawn("ALPHA find the entry"), spawn("BETA find the states")),
      wait(["subagent-1", "subagent-2"]),
      calls(spawn("GAMMA mend it", { role: "executor", paths: ["pay.js"] })),
      wait(["subagent-3"]),
      say("Fixed."),
    ],
  },
  { match: /ALPHA/, turns: [call("readFile", { path: "pay.js" }), submit("no check")] },
  { match: /BETA/, turns: [call("searchText", { query: "charge" }), submit("paid is final")] },
  {
    match: /GAMMA/,
    turns: [call("runCommand", { command: "pwd; date +%FT%TZ; echo took $$ ms" }), mend, submit("added")],
  },
];

async function drive(story: Story, model: ModelPort): Promise<LiveRun> {
  const run = unwrap(await story.workbench.startRun(story.assign("Payments are charged twice."), model));
  await run.drive(true);
  await run.release();
  // Before what it left is read: this says what a request differed in.
  expect(eventsOf(run, "model.failed").map((event) => event.data.message)).toEqual([]);
  return run;
}

function facts(story: Story, run: LiveRun): unknown {
  return {
    stop: run.state().stop,
    nodes: run.state().nodes.map((node) => [node.id, node.status, node.result]),
    landed: story.repository.git("show", "landed:pay.js"),
  };
}

test("a run plays again from its cassette, elsewhere and without a server", { timeout: 60_000 }, async () => {
  // A cassette goes by what a folder below the system's own temporary one is called, not one below that of the tests.
  vi.stubEnv("TMPDIR", "/tmp");
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = mkdtempSync(join(tmpdir(), "coppice-cassette-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "run.cassette");

  const first = await openStory(script, files);
  const recorder = unwrap(
    await recordCassette(connectModel({ baseUrl: first.server.baseUrl, apiKey: "test-key" }), file),
  );
  const recorded = facts(first, await drive(first, recorder));
  await recorder.close();

  const second = await openStory([], files);
  const played = facts(second, await drive(second, unwrap(await playCassette(file))));
  expect([played, second.server.requests.length]).toEqual([recorded, 0]);
  expect(recorded).toMatchObject({ stop: { reason: "final_answer", answer: "Fixed." } });
});
