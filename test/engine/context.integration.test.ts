// Conversations that outgrow their model's window.

import { afterEach, describe, expect, test } from "vitest";

import type { RequestBody, ScriptedEntry } from "../support/scriptedModel.ts";
import { Conversation } from "../../src/main/agents/conversation.ts";
import { answersTo, endsOf, leavings } from "../support/storyProbes.ts";
import { calls, endStories, eventsOf, openStory, say, spawn, submit, wait } from "../support/workbenchStory.ts";

afterEach(endStories);

/** About four thousand tokens, in lines. */
const chapter = (name: string) => `${name} `.repeat(20).concat("\n").repeat(400);
const files = {
  ...Object.fromEntries(["a", "b", "c", "d"].map((name) => [`${name}.txt`, chapter(name)])),
  "e.txt": "end\n",
};
const reading = (name: string) => ({ name: "readFile", args: { path: `${name}.txt` } });
const read = (name: string) => calls(reading(name));
const entries: readonly ScriptedEntry[] = [
  { match: /^Begin/, turns: [calls(spawn("READS")), wait(["subagent-1"]), say("Read.")] },
  { match: /^READS/, turns: [read("a"), read("b"), read("c"), read("d"), read("e"), submit("read all")] },
];
/** Three quarters of it hold the opening and three chapters. */
const small = { contextTokens: () => 24_000 };
const toolTexts = (body: RequestBody | undefined) =>
  (body?.messages ?? []).filter((message) => message.role === "tool").map((message) => String(message.content));

describe("a conversation over three quarters of its window", { timeout: 60_000 }, () => {
  test("is compacted as an event: later requests carry stubs that name the journal, and so does the same conversation elsewhere", async () => {
    const story = await openStory(entries, files, undefined, small);
    const run = await story.run("Begin");
    expect(run.state().stop?.reason).toBe("final_answer");
    const [compacted, ...more] = eventsOf(run, "context.compacted");
    expect([compacted?.agent, more.length]).toEqual(["subagent-1", 0]);
    const { from = 0, to = 0, stubbed = 0, calls: stubs = [] } = compacted?.data ?? {};
    expect(from).toBeGreaterThan(18_000);
    expect(to).toBeLessThan(from);
    expect(stubs).toHaveLength(stubbed);
    const requests = story.server.requests.filter((request) => request.firstUserMessage.startsWith("READS"));
    const last = toolTexts(requests.at(-1)?.body);
    const settled = eventsOf(run, "tool.settled").find((event) => event.data.call === stubs[0]);
    expect(last[0]).toContain(`log ${run.run} #${settled?.n}`);
    expect(settled?.data.output).toContain("a a a");
    // What it works with now is whole.
    expect([last.at(-2), last.at(-1)]).toEqual([expect.stringContaining("d d d"), expect.stringContaining("end")]);
    // No answer was compacted twice, and the whole of it stands in the journal.
    const seen = requests.map((request) => toolTexts(request.body).filter((text) => text.includes("left out")).length);
    expect(seen).toEqual(seen.toSorted((left, right) => left - right));

    const other = await story.reopen();
    const said = new Conversation("subagent-1")
      .read(await other.state(run.run), await other.journal(run.run))
      .messages();
    expect(said).toEqual(new Conversation("subagent-1").read(run.state(), run.journal()).messages());
    expect(
      said
        .filter((message) => message.role === "tool")
        .map((message) => message.content)
        .slice(0, last.length),
    ).toEqual(last);
  });

  test("[E28] to which one turn adds more than fits goes on with what does, and with where the rest stands", async () => {
    const story = await openStory(
      [
        ...entries.slice(0, 1),
        { match: /^READS/, turns: [calls(...["a", "b", "c"].map(reading)), read("e"), submit("read all")] },
      ],
      files,
      undefined,
      { contextTokens: () => 12_000 },
    );
    const run = await story.run("Begin");
    const requests = story.server.requests.filter((request) => request.firstUserMessage.startsWith("READS"));
    expect(toolTexts(requests[1]?.body)).toEqual([
      expect.stringContaining("left out"),
      expect.stringContaining("left out"),
      expect.stringContaining("c c c"),
    ]);
    expect([endsOf(run), eventsOf(run, "context.compacted").map(({ data }) => data.stubbed)]).toEqual([
      { "subagent-1": "completed" },
      [2],
    ]);
  });

  test("that a server refuses for its length lowers the window, and is asked once more, smaller", async () => {
    const tooLong = {
      status: 400,
      body: JSON.stringify({
        error: { message: "This model's maximum context length is 4096 tokens.", code: "context_length_exceeded" },
      }),
    };
    let refusals = 0;
    const story = await openStory(
      [
        ...entries.slice(0, 1),
        {
          match: /^READS/,
          turns: [
            read("a"),
            read("b"),
            read("c"),
            (body) => {
              if (toolTexts(body).some((text) => text.includes("left out"))) return submit("read all");
              refusals += 1;
              return tooLong;
            },
          ],
        },
      ],
      files,
      undefined,
      { contextTokens: () => 32_000 },
    );
    const run = await story.run("Begin");
    expect([refusals, eventsOf(run, "model.failed").map((event) => event.data.code)]).toEqual([
      1,
      ["CONTEXT_OVERFLOW"],
    ]);
    expect(eventsOf(run, "context.compacted")).toHaveLength(1);
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(eventsOf(run, "model.retried")).toEqual([]);
  });

  test("that cannot be made small enough fails its agent with CONTEXT_OVERFLOW, once, and costs no request", async () => {
    const story = await openStory(
      [
        { match: /^Begin/, turns: [calls(spawn("READS", { model: "tiny" })), wait(["subagent-1"]), say("Too much.")] },
        ...entries.slice(1),
      ],
      files,
      undefined,
      { contextTokens: (model) => (model === "tiny" ? 500 : 32_000) },
    );
    const run = await story.run("Begin");
    expect(eventsOf(run, "subagent.stopped").map((event) => [event.data.status, event.data.code])).toEqual([
      ["failed", "CONTEXT_OVERFLOW"],
    ]);
    expect(eventsOf(run, "subagent.stopped")[0]?.data.sentence).toMatch(/about \d+ tokens and its model takes 500/);
    expect(story.server.requests.filter((request) => request.firstUserMessage.startsWith("READS"))).toEqual([]);
    expect(answersTo(run, "lead", "waitForSubagents")).toMatchObject([
      { results: { "subagent-1": { status: "failed", code: "CONTEXT_OVERFLOW" } } },
    ]);
    expect(await leavings(story, run)).toEqual([]);
  });
});
