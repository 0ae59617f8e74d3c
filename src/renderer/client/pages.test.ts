import { describe, expect, it } from "vitest";

import type { RunId } from "../../shared/contract/ids.ts";
import type { PageBody, PageQueries } from "../../shared/contract/pages.ts";
import type { Page, TimelineItem } from "../../shared/contract/snapshots.ts";
import type { Result } from "../../shared/lib/result.ts";
import { fail, succeed } from "../../shared/lib/result.ts";
import { createPages, pageKey, type PageQuery } from "./pages.ts";
import type { Requests } from "./requests.ts";
import { createWorkbenchStore } from "./workbenchStore.ts";

const query: PageQuery<"timeline"> = { kind: "timeline", run: "run-1" as RunId };

function item(n: number, until: number | null = n): TimelineItem {
  return { n, agent: "lead", kind: "turn", label: `turn ${n}`, at: n, until, isFailure: false };
}

function page(items: readonly TimelineItem[], next: number | null = null): Page<TimelineItem> {
  return { items, next };
}

/** Requests that the test answers, and what is shown of them. */
function setUp() {
  const asked: { readonly after: number; readonly answer: (result: Result<PageBody>) => void }[] = [];
  const requests = {
    readPage(_kind: string, { after }: PageQueries["timeline"]) {
      const { promise, resolve } = Promise.withResolvers<Result<PageBody>>();
      asked.push({ after, answer: resolve });
      return promise;
    },
  } as unknown as Requests;
  const store = createWorkbenchStore();
  const pages = createPages(requests, store);
  const view = () => store.getState().pages[pageKey(query)];
  const shown = () => view()?.body as Page<TimelineItem> | null | undefined;
  /** Answers the n-th read and lets the promises behind it run. */
  const answer = async (at: number, result: Result<PageBody>) => {
    await new Promise(setImmediate);
    asked[at]?.answer(result);
    await new Promise(setImmediate);
  };
  return { pages, view, shown, answer, asked: () => asked.map(({ after }) => after) };
}

describe("a page that is looked at", () => {
  it("is read once for all who look, and forgotten with the last", async () => {
    const { pages, shown, view, answer, asked } = setUp();
    const endFirst = pages.watch(query);
    const endSecond = pages.watch(query);
    await answer(0, succeed(page([item(1)])));
    endFirst();
    expect([asked(), shown()]).toEqual([[0], page([item(1)])]);
    endSecond();
    expect(view()).toBeUndefined();
  });

  it("grows by its cursor, and asks for nothing behind its end", async () => {
    const { pages, shown, answer, asked } = setUp();
    pages.watch(query);
    await answer(0, succeed(page([item(1), item(4)], 4)));
    pages.readMore(query);
    await answer(1, succeed(page([item(6)])));
    pages.readMore(query);
    await answer(2, succeed(page([])));
    expect([asked(), shown()]).toEqual([[0, 4], page([item(1), item(4), item(6)])]);
  });

  it("is refreshed from its first open row on, page by page up to what it held, and keeps rows that stay the same", async () => {
    const { pages, shown, answer, asked } = setUp();
    pages.watch(query);
    await answer(0, succeed(page([item(1), item(3, null), item(5), item(6)])));
    const [first, , third] = shown()?.items ?? [];
    pages.refresh(query);
    await answer(1, succeed(page([item(3, 9), item(5)], 5)));
    await answer(2, succeed(page([item(6), item(8)])));
    expect(asked()).toEqual([0, 2, 5]);
    expect(shown()).toEqual(page([item(1), item(3, 9), item(5), item(6), item(8)]));
    expect([shown()?.items[0], shown()?.items[2]]).toEqual([first, third]);
    expect(shown()?.items[2]).toBe(third);
  });

  it("asks once for many refreshes that come while one is on its way", async () => {
    const { pages, answer, asked } = setUp();
    pages.watch(query);
    for (let turn = 0; turn < 5; turn += 1) pages.refresh(query);
    await answer(0, succeed(page([item(1)])));
    await answer(1, succeed(page([item(2)])));
    expect(asked()).toEqual([0, 1]);
  });

  it("keeps what it has beside a failure, and is read anew once the connection is back", async () => {
    const { pages, view, answer, asked } = setUp();
    pages.watch(query);
    await answer(0, fail({ code: "CONNECTION_LOST", message: "" }));
    expect(view()).toMatchObject({ body: null, failure: { code: "CONNECTION_LOST" }, isReading: false });
    pages.refreshAll();
    await answer(1, succeed(page([item(1)])));
    expect([asked(), view()]).toEqual([[0, 0], { body: page([item(1)]), failure: null, isReading: false }]);
  });

  it("shows nothing of an answer that comes after it was left", async () => {
    const { pages, view, answer } = setUp();
    pages.watch(query)();
    await answer(0, succeed(page([item(1)])));
    expect(view()).toBeUndefined();
  });
});
