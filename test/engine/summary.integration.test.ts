// Conversations that stay too long although old outputs were left out: their own model sums them up.

import { afterEach, describe, expect, test } from "vitest";

import { Conversation } from "../../src/main/agents/conversation.ts";
import type { LiveRun } from "../../src/main/runs/liveRun.ts";
import type { RunState } from "../../src/main/domain/state.ts";
import type { RunEvent } from "../../src/main/domain/events.ts";
import { beginAndDie, goOnAndDie } from "../support/crashes.ts";
import type { RequestBody, ScriptedEntry, ScriptedTurn } from "../support/scriptedModel.ts";
import { endsOf, leavings } from "../support/storyProbes.ts";
import { calls, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

const textsOf = (body: RequestBody | undefined) => (body?.messages ?? []).map((message) => String(message.content));
const isAskedToSumUp = (body: RequestBody) => /has grown too long/.test(textsOf(body).at(-1) ?? "");
const isSummedUp = (body: RequestBody) => textsOf(body).some((text) => text.includes("You summed them up yourself"));

/** Thinks aloud at about six thousand tokens a turn, so that leaving outputs out gains nothing. */
const ponder = (turn: number): ScriptedTurn => ({
  text: `thought ${turn} `.repeat(2_400),
  calls: [{ name: "readFile", args: { path: "a.txt", startLine: 1, endLine: turn + 1 } }],
});
/** Ponders until it is asked to sum up, and is done some turns after that. */
function ponderer(done: ScriptedTurn, summary: ScriptedTurn): ScriptedEntry["turns"] {
  const turn = (body: RequestBody, answered: number) => {
    if (isAskedToSumUp(body)) return summary;
    return isSummedUp(body) && answered > 2 ? done : ponder(answered + (isSummedUp(body) ? 100 : 0));
  };
  return Array.from({ length: 20 }, () => turn);
}
const summaryText = "a.txt holds three lines; nothing is changed yet.";
const lead: readonly ScriptedEntry[] = [
  { match: /^Ponder/, turns: ponderer(say("Thought through."), say(summaryText)) },
];

function conversationIn(state: RunState, journal: readonly RunEvent[], agent: "lead" | "subagent-1") {
  return new Conversation(agent).read(state, journal).messages();
}

/** The request was made once, paid, and stands in the journal right before what it led to. */
function summariesOf(run: LiveRun) {
  return eventsOf(run, "context.compacted").flatMap(({ agent, data }) =>
    data.upTo === undefined ? [] : [{ agent, upTo: data.upTo, summary: data.summary, isSmaller: data.to < data.from }],
  );
}

describe("a conversation that is too long without its old outputs", { timeout: 60_000 }, () => {
  test("is summed up by its model, in one paid turn that is an event, and goes on with task, summary and its newest turns", async () => {
    const story = await openStory([
      { match: /^Begin/, turns: [calls(spawn("Ponder this.")), wait(["subagent-1"]), say("Read.")] },
      { match: /^Ponder/, turns: ponderer(submit("thought through"), say(summaryText)) },
    ]);
    const run = await story.run("Begin");
    expect([run.state().stop?.reason, endsOf(run)]).toEqual(["final_answer", { "subagent-1": "completed" }]);
    const [summed, ...more] = summariesOf(run);
    expect([summed, more]).toEqual([
      {
        agent: "subagent-1",
        upTo: expect.any(Number) as number,
        summary: expect.stringContaining(summaryText) as string,
        isSmaller: true,
      },
      [],
    ]);
    const asked = eventsOf(run, "model.requested").filter((event) => event.data.promptKind === "summary");
    expect(asked).toHaveLength(1);
    // A step of its slice, like any other turn.
    const steps = eventsOf(run, "model.requested").filter((event) => event.agent === "subagent-1").length;
    expect(run.state().nodes[0]?.used.steps).toBe(steps);

    const requests = story.server.requests.filter((request) => request.firstUserMessage.startsWith("Ponder"));
    const at = requests.findIndex((request) => isAskedToSumUp(request.body));
    expect(requests[at]?.body["tools"]).toBeUndefined();
    const before = textsOf(requests[at - 1]?.body);
    const after = textsOf(requests[at + 1]?.body);
    expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after[2]).toContain(summaryText);
    expect(after.join("\n")).not.toContain("thought 0 thought 0");
    // The newest two turns are whole.
    expect(requests[at + 1]?.body.messages.filter((message) => message.role === "assistant")).toHaveLength(2);

    const other = await story.reopen();
    expect(conversationIn(await other.state(run.run), await other.journal(run.run), "subagent-1")).toEqual(
      conversationIn(run.state(), run.journal(), "subagent-1"),
    );
    expect(await leavings(story, run)).toEqual([]);
  });

  test("of a lead keeps what people wrote and what its subagents came to, whatever the summary says", async () => {
    let begun = false;
    const story = await openStory([
      {
        match: /^Begin/,
        turns: Array.from({ length: 20 }, () => (body: RequestBody, answered: number): ScriptedTurn => {
          if (isAskedToSumUp(body)) return say(summaryText);
          if (!begun) {
            begun = true;
            return calls(spawn("Look."));
          }
          if (answered === 1 && !isSummedUp(body)) return wait(["subagent-1"]);
          return isSummedUp(body) ? say("Done.") : ponder(answered);
        }),
      },
      { match: /^Look/, turns: [submit("The cause is in line two.")] },
    ]);
    const run = await story.begin("Begin");
    await run.dispatch({ type: "run.input", text: "Keep the file's name.", from: "Ada", to: "lead" });
    await run.drive(true);
    await run.release();
    expect(run.state().stop?.answer).toBe("Done.");
    const last = textsOf(story.server.requests.findLast((request) => isSummedUp(request.body))?.body);
    expect(last.slice(1, 3)).toEqual(["Begin", "Keep the file's name."]);
    expect(last.find((text) => text.includes('<data source="delegation ledger">'))).toContain(
      '{"subagentId":"subagent-1","role":"explorer","task":"Look.","status":"completed","answer":"The cause is in line two."',
    );
  });

  test("[F13] whose process dies while it asks for the summary, and right after it, has one summary in the end", async () => {
    const story = await openStory(lead);
    const id = await beginAndDie(story, "Ponder this.", { type: "model.requested", count: 5 });
    const dying = (await story.workbench.journal(id)).at(-1);
    expect(dying?.type === "model.requested" && dying.data.promptKind).toBe("summary");
    await goOnAndDie(story, id, { type: "context.compacted", count: 1 });
    const run = await story.takeOver(id);
    await run.drive(true);
    await run.release();
    expect(run.state().stop?.answer).toBe("Thought through.");
    expect(summariesOf(run)).toHaveLength(1);
    expect(eventsOf(run, "model.lost")).toHaveLength(1);
    // What was asked for and never came stays charged.
    expect(run.state().budget.used.steps).toBe(eventsOf(run, "model.requested").length);
  });

  test("goes on as it is when the summary comes back empty, as long as it fits", async () => {
    const story = await openStory([
      {
        match: /^Ponder/,
        turns: Array.from({ length: 20 }, () => (body: RequestBody, answered: number): ScriptedTurn => {
          if (isAskedToSumUp(body)) return { text: "" };
          return answered > 3 ? say("Thought through.") : ponder(answered);
        }),
      },
    ]);
    const run = await story.run("Ponder this.");
    expect(run.state().stop?.answer).toBe("Thought through.");
    expect(eventsOf(run, "model.failed").map((event) => [event.data.code, event.data.charged])).toEqual([
      ["EMPTY_SUMMARY", true],
    ]);
    expect(summariesOf(run)).toEqual([]);
  });
});
