import { expect, test } from "vitest";

import type { RunId } from "../../shared/contract/ids.ts";
import { Story } from "../../../test/support/runStory.ts";
import type { RunEvent } from "../domain/events.ts";
import { fold } from "../domain/evolve.ts";
import type { StorePort } from "../engine/ports/store.ts";
import { StoreError, unreadFailure } from "../store/failure.ts";
import { JournalCache } from "./journalCache.ts";

/** A store with one run in it, whose journal grows as the story is told; counts the events that were read of it. */
function createStoryStore(story: Story) {
  let readCount = 0;
  const store = {
    findRun: (run: string) =>
      Promise.resolve(
        run === story.run ? { ok: true, value: { run } } : { ok: false, error: { code: "RUN_NOT_FOUND" } },
      ),
    readJournal(_run: RunId, after = 0) {
      const events = story.events.slice(after);
      readCount += events.length;
      return Promise.resolve(events);
    },
  } as unknown as StorePort;
  return { store, readCount: () => readCount };
}

function longStory(): Story {
  const story = new Story().start();
  for (let turn = 0; turn < 150; turn += 1)
    story.turn("lead", { calls: [{ id: `c${turn}`, name: "listFiles", arguments: "{}" }] });
  return story;
}

test("each event is read once, however often the journal is asked for", async () => {
  const story = new Story().start();
  const { store, readCount } = createStoryStore(story);
  const cache = new JournalCache(store);
  await cache.read(story.run);
  story.speak();
  const read = await cache.read(story.run);
  expect(readCount()).toBe(story.events.length);
  expect(read.ok && read.value.state).toEqual(story.state);
});

test("two reads at once, and a commit between them, take nothing in twice", async () => {
  const story = new Story().start();
  const { store } = createStoryStore(story);
  const cache = new JournalCache(store);
  await cache.read(story.run);
  story.speak();
  const reads = [cache.read(story.run), cache.read(story.run)];
  cache.extend(story.run, story.events.slice(-2));
  const [first] = await Promise.all(reads);
  expect(first?.ok && first.value.events.map(({ n }) => n)).toEqual(story.events.map(({ n }) => n));
});

test("events that do not follow what is known are not taken in", async () => {
  const story = new Story().start();
  const { store } = createStoryStore(story);
  const cache = new JournalCache(store);
  expect(cache.extend(story.run, story.events)).toBeNull();
  await cache.read(story.run);
  const gap = [{ n: story.events.length + 2 }] as unknown as RunEvent[];
  expect(cache.extend(story.run, gap)).toBeNull();
});

test("the state as of any ordinal is the fold of the events up to it", async () => {
  const story = longStory();
  const read = await new JournalCache(createStoryStore(story).store).read(story.run);
  const journal = read.ok ? read.value : null;
  const ordinals = [1, 2, 255, 256, 257, story.events.length - 1, story.events.length];
  expect(ordinals.map((n) => journal?.stateAt(n))).toEqual(ordinals.map((n) => fold(story.events.slice(0, n))));
});

test("a run that is gone is a failure, also after it was known", async () => {
  const story = new Story().start();
  const cache = new JournalCache(createStoryStore(story).store);
  expect(await cache.read("other" as RunId)).toMatchObject({ ok: false, error: { code: "RUN_NOT_FOUND" } });
});

test("a disk that cannot be read is told as that, and what cannot be read of a journal as damage", async () => {
  const story = new Story().start();
  const { store } = createStoryStore(story);
  const codeOf = async (thrown: Error) => {
    const read = await new JournalCache({ ...store, readJournal: () => Promise.reject(thrown) }).read(story.run);
    return read.ok ? null : read.error.code;
  };
  const gone = { code: "PAYLOAD_MISSING", message: "The data of event 2 is gone." };
  expect([await codeOf(new StoreError(unreadFailure("EIO"))), await codeOf(new StoreError(gone))]).toEqual([
    "STORE_UNAVAILABLE",
    "JOURNAL_DAMAGED",
  ]);
});
