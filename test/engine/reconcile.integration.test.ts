// Opposite verdicts in a whole run: what the lead is told, what a person answers on the command line, and what becomes of a run
// that nobody answers.

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { coppice, type Seat, type Told } from "../support/inProcessCommands.ts";
import type { ScriptedEntry } from "../support/scriptedModel.ts";
import { call, calls, endStories, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

const criteria = ["the total is right"];
const verdict = (said: "passed" | "failed") =>
  submit(said, { verdicts: [{ criterion: criteria[0], verdict: said, evidence: `a.txt:1 ${said}` }] });
const plan = (status: string) => call("updatePlan", { steps: [{ id: "sum", title: "Sum up", status, criteria }] });
const entries: readonly ScriptedEntry[] = [
  {
    match: /^Sum it up/,
    turns: [
      plan("running"),
      calls(
        spawn("READS it", { role: "reviewer", step: "sum", criteria }),
        spawn("READS once more", { role: "reviewer", step: "sum", criteria }),
      ),
      wait(["subagent-1", "subagent-2"]),
      plan("done"),
      say("Reviewed."),
      say("Reviewed, and settled."),
    ],
  },
  { match: /^READS it/, turns: [verdict("passed")] },
  { match: /^READS once more/, turns: [verdict("failed")] },
];

let seat: Seat;
let baseUrl: string;
beforeAll(async () => {
  const story = await openStory(entries, { "a.txt": "one\n" });
  seat = { workbench: story.workbench, home: story.home, folder: story.repository.folder };
  ({ baseUrl } = story.server);
});
afterAll(endStories);

const run = (task: string, approve: string): Promise<Told> =>
  coppice(seat, ["run", "--task", task, "--model", "scripted", "--base-url", baseUrl, "--approve", approve]);
const found = ({ events }: Told) => events.flatMap((event) => (event.type === "merge.conflicted" ? [event.data] : []));
const prompts = ({ events }: Told) =>
  events.flatMap((event) =>
    event.type === "model.requested" && event.agent === "lead" ? [event.data.prompt ?? ""] : [],
  );
const planAnswers = ({ events }: Told) =>
  events.flatMap((event) =>
    event.type === "tool.answered" && event.data.tool === "updatePlan"
      ? [JSON.parse(event.data.output) as unknown]
      : [],
  );

describe("two reviewers who contradict each other about one tree", { timeout: 60_000 }, () => {
  test("block their step and make the run wait, until a person says on the command line whose verdict holds", async () => {
    const waits = await run("Sum it up", "each");
    const { waiting } = waits.last as { readonly waiting: readonly { readonly id: string; readonly kind: string }[] };
    expect([waits.code, waiting.map(({ kind }) => kind)]).toEqual([3, ["reconcile"]]);
    expect(found(waits)).toMatchObject([
      {
        criterion: criteria[0],
        steps: ["sum"],
        sides: [
          { by: "subagent-1", verdict: "passed", evidence: "a.txt:1 passed" },
          { by: "subagent-2", verdict: "failed", evidence: "a.txt:1 failed" },
        ],
      },
    ]);
    expect(planAnswers(waits)).toMatchObject([{ steps: [{ id: "sum" }] }, { error: { code: "STEP_BLOCKED" } }]);
    expect(prompts(waits).filter((prompt) => prompt.includes("subagent-2 (reviewer) says failed"))).toHaveLength(1);

    const id = waiting[0]?.id ?? "";
    const wrong = await coppice(seat, ["answer", id, "both"]);
    expect(wrong.last).toMatchObject({ error: { code: "BAD_USAGE" } });
    const settled = await coppice(seat, ["answer", id, "subagent-1", "--resume"]);
    expect([settled.code, settled.last]).toMatchObject([
      0,
      { stopReason: "final_answer", answer: "Reviewed, and settled.", partial: false, waiting: [] },
    ]);
    expect(prompts(settled).join("\n")).toContain("a person says that it passed");
  });

  test("end a run that nobody attends after its last turn, with both sides in its journal, and a message goes on with it and asks", async () => {
    const ended = await run("Sum it up, unattended", "auto");
    expect([ended.code, ended.last]).toMatchObject([
      1,
      { status: "stopped", stopReason: "manual_reconciliation", answer: "Reviewed, and settled.", partial: true },
    ]);
    expect(found(ended)).toHaveLength(1);
    const { run: id } = ended.last as { readonly run: string };
    const asked = await coppice(seat, ["message", id, "Ask me."]);
    expect([asked.code, asked.last]).toMatchObject([3, { waiting: [{ kind: "reconcile" }] }]);
  });
});
