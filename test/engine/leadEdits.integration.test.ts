// A lead that edits: alone (--no-workflow), or beside the subagents that it sends (--lead-edits).

import { readFileSync } from "node:fs";

import { afterEach, describe, expect, test } from "vitest";

import { beginAndDie, goOnAndDie } from "../support/crashes.ts";
import type { RequestBody, ScriptedEntry, ScriptedTurn } from "../support/scriptedModel.ts";
import { decide, endsOf, leavings, printOf } from "../support/storyProbes.ts";
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

const zwei = edit({ kind: "replace", path: "a.txt", oldText: "two", newText: "zwei" });
const alone = { options: { workflow: "off" as const } };
const lead = (...turns: readonly ScriptedTurn[]): readonly ScriptedEntry[] => [{ match: /^Begin/, turns }];
const toolNames = (body: RequestBody | undefined) =>
  ((body?.["tools"] ?? []) as readonly { function: { name: string } }[]).map((tool) => tool.function.name);
const saidTo = (body: RequestBody | undefined) =>
  body?.messages.filter((message) => message.role === "user").at(-1)?.content;

describe("one agent alone", { timeout: 60_000 }, () => {
  test("edits and runs commands in a worktree of its own, and its change is proposed, checked and landed as the lead's", async () => {
    const story = await openStory(lead(zwei, call("runCommand", { command: "cat a.txt" }), say("Done.")));
    const before = printOf(story);
    const run = await story.run("Begin", { options: { ...alone.options, verify: ["grep -q zwei a.txt"] } });
    expect(run.state().stop).toMatchObject({ reason: "final_answer", answer: "Done.", partial: false });
    expect(toolNames(story.server.requests[0]?.body).toSorted()).toEqual([
      "applyEdit",
      "askPerson",
      "browseSymbols",
      "exploreCode",
      "listFiles",
      "note",
      "readChangeSet",
      "readFile",
      "runCommand",
      "searchText",
    ]);
    expect(eventsOf(run, "changeset.landed").map((event) => [event.data.changeset, event.data.files])).toEqual([
      ["lead.1", ["a.txt"]],
    ]);
    expect(eventsOf(run, "verification.ran").map((event) => event.data.exitCode)).toEqual([0]);
    expect(story.repository.git("show", "landed:a.txt")).toBe("one\nzwei\nthree");
    expect([printOf(story), eventsOf(run, "handoff.recorded")]).toEqual([before, []]);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("that changes nothing stops with its answer, and nobody is asked", async () => {
    const story = await openStory(lead(call("runCommand", { command: "true" }), say("Nothing to do.")));
    const run = await story.run("Begin", { options: { ...alone.options, approve: "each" } });
    expect([run.state().stop?.answer, run.state().changeSets, run.state().approvals]).toEqual([
      "Nothing to do.",
      [],
      [],
    ]);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("whose checks fail is told what failed, mends it, and proposes anew", async () => {
    const story = await openStory(
      lead(zwei, say("Done."), edit({ kind: "create", path: "b.txt", content: "b\n" }), say("Done again.")),
    );
    const run = await story.run("Begin", { options: { ...alone.options, verify: ["test -f b.txt"] } });
    expect(run.state().stop?.answer).toBe("Done again.");
    expect(run.state().changeSets.map((set) => [set.id, set.status])).toEqual([
      ["lead.1", "replaced"],
      ["lead.2", "landed"],
    ]);
    expect(saidTo(story.server.requests[2]?.body)).toMatch(
      /^The system ran `test -f b\.txt` on your change: it ended with exit code 1/,
    );
    expect(story.repository.git("diff", "--name-only", "main", "landed")).toBe("a.txt\nb.txt");
  });

  test("is asked about its change like anybody; sent back it goes on in the same worktree", async () => {
    const story = await openStory(
      lead(
        zwei,
        say("Done."),
        edit({ kind: "replace", path: "a.txt", oldText: "zwei", newText: "deux" }),
        say("In French."),
      ),
    );
    const run = await story.begin("Begin", { options: { ...alone.options, approve: "each" } });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    await decide(run, "sent_back", { comment: "In French, please." });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    expect(saidTo(story.server.requests[2]?.body)).toBe("In French, please.");
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(eventsOf(run, "worktree.created")).toHaveLength(1);
    expect(run.state().changeSets.map((set) => set.status)).toEqual(["replaced", "landed"]);
    expect([run.state().stop?.answer, story.repository.git("show", "landed:a.txt")]).toEqual([
      "In French.",
      "one\ndeux\nthree",
    ]);
    expect(await leavings(story, run)).toEqual([]);
  });

  test("whose change is rejected has its work pinned, and stops with its answer", async () => {
    const story = await openStory(lead(zwei, say("Done.")));
    const run = await story.begin("Begin", { options: { ...alone.options, approve: "each" } });
    await run.drive(true);
    await decide(run, "rejected");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(run.state().stop?.reason).toBe("final_answer");
    expect(story.repository.git("show", `refs/coppice/${run.run}/lead/pin:a.txt`)).toBe("one\nzwei\nthree");
    expect(await leavings(story, run)).toEqual([]);
  });

  test("asks before a command, and goes on with the answer", async () => {
    const story = await openStory(lead(call("runCommand", { command: "cat a.txt" }), say("Read.")));
    const run = await story.begin("Begin", { options: { ...alone.options, commands: "ask" } });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(eventsOf(run, "tool.settled").map((event) => [event.agent, event.data.exitCode])).toEqual([["lead", 0]]);
  });

  test("[F11] whose process dies again and again ends as if it had not", { timeout: 120_000 }, async () => {
    const story = await openStory(lead(zwei, say("Done.")));
    const id = await beginAndDie(story, "Begin", { type: "tool.settled", count: 1 }, alone);
    for (const type of ["changeset.proposed", "changeset.landing"] as const)
      await goOnAndDie(story, id, { type, count: 1 });
    const run = await story.takeOver(id);
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect([eventsOf(run, "changeset.proposed").length, eventsOf(run, "changeset.landed").length]).toEqual([1, 1]);
    expect(story.repository.git("show", "landed:a.txt")).toBe("one\nzwei\nthree");
    expect(await leavings(story, run)).toEqual([]);
  });

  test("whose edit a crash tore is asked about with the files that differ", async () => {
    const story = await openStory(lead(zwei, say("Done.")));
    const id = await beginAndDie(story, "Begin", { type: "tool.dispatched", count: 1, tool: "applyEdit" }, alone);
    story.repository.write({ "a.txt": "torn" }, (await story.workbench.state(id)).lead.work?.path ?? "");
    const run = await story.takeOver(id);
    const asked = run.state().approvals.map(({ kind, agent, effect }) => [kind, agent, effect?.files]);
    expect(asked).toEqual([["effect", "lead", ["a.txt"]]]);
    await run.dispatch({ type: "run.cancel", by: "Ada" });
    await run.drive(true);
    await run.release();
  });

  test("that is cancelled in the middle leaves its work pinned and no worktree", async () => {
    const story = await openStory(lead(zwei, call("askPerson", { question: "Go on?" })));
    const run = await story.begin("Begin", { options: { ...alone.options, approve: "each" } });
    await run.drive(true);
    const place = run.state().lead.work?.path ?? "";
    expect(readFileSync(`${place}/a.txt`, "utf8")).toBe("one\nzwei\nthree\n");
    await run.dispatch({ type: "run.cancel", by: "Ada" });
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("show", `refs/coppice/${run.run}/lead/pin:a.txt`)).toBe("one\nzwei\nthree");
    expect(await leavings(story, run)).toEqual([]);
  });
});

describe("a lead that edits beside its subagents", { timeout: 60_000 }, () => {
  test("and goes on over the review of the whole branch takes that question back, and asks anew", async () => {
    const drei = edit({ kind: "replace", path: "a.txt", oldText: "three", newText: "drei" });
    const story = await openStory(lead(zwei, say("Done."), drei, say("More.")));
    const run = await story.begin("Begin", {
      options: { leadEdits: true, approve: "final", landOn: { kind: "branch", name: "landed" } },
    });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    await run.dispatch({ type: "run.input", text: "The third line too.", from: "Ada", to: "lead" });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const open = run.state().approvals.filter(({ status }) => status === "open");
    expect(open.map(({ changeset }) => run.state().changeSets.find(({ id }) => id === changeset)?.status)).toEqual([
      "open",
    ]);
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(story.repository.git("show", "landed:a.txt")).toBe("one\nzwei\ndrei");
    expect(story.repository.git("rev-list", "--count", "main..landed")).toBe("1");
  });

  test("proposes its own change when it ends, works on what has landed since, and brings the whole branch over under final", async () => {
    const story = await openStory([
      {
        match: /^Begin/,
        turns: [
          calls(spawn("EXEC", { role: "executor", paths: ["c.txt"] })),
          wait(["subagent-1"], { until: "completed" }),
          call("runCommand", { command: "cat c.txt" }),
          zwei,
          say("Done."),
        ],
      },
      { match: /^EXEC/, turns: [edit({ kind: "create", path: "c.txt", content: "c\n" }), submit("done")] },
    ]);
    const run = await story.begin("Begin", {
      options: { leadEdits: true, approve: "final", landOn: { kind: "branch", name: "landed" } },
    });
    expect(await run.drive(true)).toEqual({ kind: "waiting" });
    const [seen] = eventsOf(run, "tool.settled").filter((event) => event.agent === "lead");
    expect([seen?.data.tool, seen?.data.exitCode]).toEqual(["runCommand", 0]);
    expect(run.state().changeSets.map((set) => [set.id, set.isLine, set.status])).toEqual([
      ["subagent-1.1", false, "landed"],
      ["lead.1", false, "landed"],
      ["lead.2", true, "open"],
    ]);
    await decide(run, "approved");
    expect(await run.drive(true)).toEqual({ kind: "stopped" });
    await run.release();
    expect(endsOf(run)).toEqual({ "subagent-1": "completed" });
    expect(story.repository.git("diff", "--name-only", "main", "landed")).toBe("a.txt\nc.txt");
    expect((await leavings(story, run)).filter((left) => !left.startsWith("refs/heads/"))).toEqual([]);
  });
});
