// Pages over a journal that a story tells; no store, no git but where a page asks it.

import { describe, expect, test } from "vitest";

import { maxMessageBytes } from "../../shared/contract/channels.ts";
import type { ChangeSetId, RunId } from "../../shared/contract/ids.ts";
import type { PageBodies, PageKind, PageQueries, RunPageRequest } from "../../shared/contract/pages.ts";
import { pageSchemas } from "../../renderer/client/pageSchemas.ts";
import { fileChange, Story, toolCall } from "../../../test/support/runStory.ts";
import { transcriptPage } from "../domain/projections/transcript.ts";
import type { GitPort } from "../engine/ports/git.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { JournalCache } from "./journalCache.ts";
import { createPages } from "./pages.ts";

const noRef = { readRef: () => Promise.resolve(null) } as unknown as GitPort;

/** Reads pages of a story; each is checked to be frozen, bounded, and what the window expects. */
function pagesOf(story: Story, git: GitPort = noRef) {
  const store = {
    findRun: (run: RunId) => Promise.resolve({ ok: true, value: { run } }),
    readJournal: (_run: RunId, after = 0) => Promise.resolve(story.events.slice(after)),
  } as unknown as StorePort;
  const { readPage } = createPages(new JournalCache(store), git);
  return async <K extends PageKind>(kind: K, query: Omit<PageQueries[K], "run">): Promise<PageBodies[K]> => {
    const answer = await readPage({ kind, run: story.run, ...query } as unknown as RunPageRequest);
    if (!answer.ok) throw new Error(answer.error.code);
    if (!Object.isFrozen(answer.value)) throw new Error(`The page ${kind} is not frozen`);
    if (Buffer.byteLength(JSON.stringify(answer.value)) > maxMessageBytes)
      throw new Error(`The page ${kind} is too large`);
    expect(pageSchemas[kind].parse(answer.value)).toEqual(answer.value);
    return answer.value as PageBodies[K];
  };
}

/** A subagent that depends on a finished one, and an executor under review. */
function tellStory(): Story {
  const story = new Story().start();
  const first = story.spawn({ task: "Look at pay.js." });
  story.submit(first, "done", "It is charged twice.");
  story.settle(first);
  story.spawn({
    task: "Mend it.",
    role: "executor",
    dependsOn: [first],
    paths: ["pay.js"],
    constraints: ["No new files."],
    reason: "It is needed.",
  });
  story.review("subagent-2", [fileChange("pay.js", 2), fileChange("tax.js", 1, "OUTSIDE_PATHS")]);
  return story;
}

const slice = { after: 0, limit: 100 };

describe("a page as of an earlier moment", () => {
  test("holds nothing that came later, whichever kind it is", async () => {
    const story = tellStory();
    const read = pagesOf(story);
    const spawned = story.ofType("handoff.recorded")[0]?.n ?? 0;
    const snapshot = await read("snapshot", { at: spawned });
    expect([snapshot.at, snapshot.subagents.map(({ id }) => id), snapshot.approvals]).toEqual([
      spawned,
      ["subagent-1"],
      [],
    ]);
    const timeline = await read("timeline", { ...slice, upTo: spawned });
    expect(
      timeline.items.every(
        ({ n, until }) => n <= spawned && (until === null || until <= (story.events[spawned - 1]?.at ?? 0)),
      ),
    ).toBe(true);
    const transcript = await read("transcript", { ...slice, agent: "subagent-1", upTo: spawned });
    expect(transcript.items.map(({ kind }) => kind)).toEqual(["packet"]);
    expect(await read("result", { agent: "subagent-1", upTo: spawned })).toMatchObject({ said: null });
    await expect(read("packet", { agent: "subagent-2", upTo: spawned })).rejects.toThrow("UNKNOWN_SUBAGENT");
    await expect(
      read("changes", { ...slice, changeset: "subagent-2.1" as ChangeSetId, upTo: spawned }),
    ).rejects.toThrow("CHANGE_SET_NOT_FOUND");
    await expect(read("snapshot", { at: story.events.length + 1 })).rejects.toThrow("BAD_USAGE");
  });
});

describe("a packet", () => {
  test("shows what the subagent was handed, why, and what its dependencies gave", async () => {
    const read = pagesOf(tellStory());
    const packet = await read("packet", { agent: "subagent-2" });
    expect(packet).toMatchObject({
      role: "executor",
      objective: "Mend it.",
      constraints: ["No new files."],
      paths: ["pay.js"],
      reason: "It is needed.",
    });
    expect(
      packet.gave.map(({ id, resultJson }) => [id, (JSON.parse(resultJson) as { answer: string }).answer]),
    ).toEqual([["subagent-1", "It is charged twice."]]);
    expect(await read("packet", { agent: "lead" })).toMatchObject({
      role: "lead",
      objective: "Find out why payments are charged twice.",
    });
  });
});

describe("a change set", () => {
  test("has the journal's files, hunks and reasons, page by page", async () => {
    const read = pagesOf(tellStory());
    const changeset = "subagent-2.1" as ChangeSetId;
    const first = await read("changes", { changeset, after: 0, limit: 1 });
    const second = await read("changes", { changeset, after: first.files.next ?? -1, limit: 1 });
    expect(first).toMatchObject({
      agent: "subagent-2",
      status: "open",
      fileCount: 2,
      hunkCount: 3,
      isLine: false,
      drift: null,
      overlaps: [],
    });
    expect(
      [...first.files.items, ...second.files.items].map(({ path, hunkCount, asks }) => [path, hunkCount, asks]),
    ).toEqual([
      ["pay.js", 2, undefined],
      ["tax.js", 1, "OUTSIDE_PATHS"],
    ]);
    expect([first.files.next, second.files.next]).toEqual([1, null]);
  });

  test("names the change sets that wait beside it and touch the same files", async () => {
    const story = tellStory();
    story.spawn({ task: "Also.", role: "executor", paths: ["tax.js"] });
    story.review("subagent-3", [fileChange("tax.js"), fileChange("other.js")]);
    const { overlaps } = await pagesOf(story)("changes", { ...slice, changeset: "subagent-2.1" as ChangeSetId });
    expect(overlaps).toEqual([
      {
        changeset: "subagent-3.1",
        agent: "subagent-3",
        paths: ["tax.js"],
        places: [{ path: "tax.js", hunk: 1, from: 0, to: 0 }],
      },
    ]);
  });

  test("whose repository cannot be read any more says so, and is asked for again later", async () => {
    let isThere = false;
    const git = {
      ...noRef,
      patchBetween: () =>
        isThere
          ? Promise.resolve("diff --git a/pay.js b/pay.js\n@@ -1 +1 @@\n-a\n+b\n")
          : Promise.reject(new Error("gone")),
    };
    const read = pagesOf(tellStory(), git);
    const query = { ...slice, changeset: "subagent-2.1" as ChangeSetId, path: "pay.js" };
    await expect(read("patch", query)).rejects.toThrow("REPOSITORY_NOT_FOUND");
    isThere = true;
    expect(await read("patch", query)).toMatchObject({
      rowCount: 2,
      next: null,
      items: [
        { kind: "removed", text: "a" },
        { kind: "added", text: "b" },
      ],
    });
    await expect(read("patch", { ...query, path: "nowhere.js" })).rejects.toThrow("UNKNOWN_HUNK");
  });
});

describe("pages of a journal with more than fits", () => {
  test.each(["x", "漢", "\u0001"])("fit all the same, and together hold every row (%j)", async (character) => {
    const story = new Story().start();
    const long = character.repeat(20_000);
    for (let turn = 0; turn < 12; turn += 1)
      story.turn("lead", { text: long, calls: [toolCall(`c${turn}`, "listFiles", { long })] });
    story.turn("lead", {
      calls: Array.from({ length: 40 }, (_, index) => toolCall(`d${index}`, "listFiles", { long })),
    });
    const read = pagesOf(story);
    const rows: number[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: PageBodies["transcript"] = await read("transcript", { agent: "lead", after, limit: 1_000 });
      rows.push(...page.items.map(({ n }) => n));
      after = page.next;
    }
    expect(rows).toEqual(transcriptPage(story.events, "lead", 0, 10_000).items.map(({ n }) => n));
  });

  test("hundreds of files, with hundreds of hunks each", async () => {
    const story = new Story().start();
    story.spawn({ task: "Everything.", role: "executor", paths: ["."] });
    const files = Array.from({ length: 150 }, (_, index) =>
      fileChange(`src/${"deep/".repeat(20)}file${index}.ts`, 400),
    );
    const changeset = story.review("subagent-1", files);
    const read = pagesOf(story);
    const paths: string[] = [];
    for (let after: number | null = 0; after !== null;) {
      const page: PageBodies["changes"] = await read("changes", { changeset, after, limit: 2_000 });
      paths.push(...page.files.items.map(({ path }) => path));
      after = page.files.next;
    }
    expect(paths).toEqual(files.map(({ path }) => path));
  });
});
