// Pages as they are looked at: read when somebody looks, grown by cursor, brought up to date on demand, forgotten after.
// Rows that were shown stay the same objects unless they have changed.

import {
  maxPageRows,
  type PageBodies,
  type PageBody,
  type PageKind,
  type PageQueries,
} from "../../shared/contract/pages.ts";
import type { Page } from "../../shared/contract/snapshots.ts";
import { deepFreeze } from "../../shared/lib/deepFreeze.ts";
import { canonicalJson } from "../../shared/lib/json.ts";
import type { Result } from "../../shared/lib/result.ts";
import { joinRows, refreshFrom } from "./pageRows.ts";
import type { Requests } from "./requests.ts";
import type { WorkbenchStore } from "./workbenchStore.ts";

/** What is looked at: a kind with what it asks for, without the cursor. */
export type PageQuery<K extends PageKind = PageKind> = {
  [Kind in K]: { readonly kind: Kind } & Omit<PageQueries[Kind], "after" | "limit">;
}[K];

/** Rows asked for at a time. A timeline and a file's diff are always read whole, so they come in as few pages as there can be. */
const rowsAtATime = 500;
const lanesAtATime = maxPageRows;

export interface Pages {
  /** Looks at a page until the function it returns is called. Several may look at the same one. */
  watch(query: PageQuery): () => void;
  /** Reads the rows that follow those held, if any do. */
  readMore(query: PageQuery): void;
  /** Reads anew what may have changed since: the whole of a single page; of a list the rows from the first that was not settled. */
  refresh(query: PageQuery): void;
  /** The same for every page that is looked at: what could not be read while the connection was away. */
  refreshAll(): void;
}

interface Look {
  readonly query: PageQuery;
  lookerCount: number;
  /** One read at a time, in the order in which they were asked for. */
  queue: Promise<void>;
  isRefreshDue: boolean;
}

/** Says all of a query, and can be read back as JSON. */
export function pageKey(query: { readonly kind: PageKind }): string {
  return canonicalJson(query);
}

export function createPages(requests: Requests, store: WorkbenchStore): Pages {
  const looks = new Map<string, Look>();
  const bodyOf = (key: string) => store.getState().pages[key]?.body ?? null;

  async function read(query: PageQuery, after: number): Promise<Result<PageBody>> {
    const { kind, ...rest } = query;
    const limit = isReadWhole(kind) ? lanesAtATime : rowsAtATime;
    const slice = isList(query) ? { after, limit } : {};
    return requests.readPage<PageKind>(kind, { ...rest, ...slice });
  }

  /** Reads from `after` on until `isEnough`; each answer replaces the held rows behind its cursor. */
  async function readFrom(
    key: string,
    look: Look,
    query: PageQuery,
    after: number,
    isEnough: (next: number) => boolean,
  ): Promise<void> {
    for (let cursor: number | null = after; cursor !== null;) {
      store.getState().beginPage(key);
      const answer: Result<PageBody> = await read(query, cursor);
      if (looks.get(key) !== look) return;
      if (!answer.ok) return store.getState().failPage(key, answer.error);
      store.getState().showPage(key, deepFreeze(joinRows(query.kind, bodyOf(key), answer.value, cursor)));
      const { next }: { next: number | null } = rowsOf(query.kind, answer.value);
      cursor = next === null || isEnough(next) ? null : next;
    }
  }

  function enqueue(key: string, look: Look, act: () => Promise<void>): void {
    look.queue = look.queue.then(() => (looks.get(key) === look ? act() : undefined));
  }

  function refresh(query: PageQuery): void {
    const key = pageKey(query);
    const look = looks.get(key);
    if (look === undefined || look.isRefreshDue) return;
    look.isRefreshDue = true;
    enqueue(key, look, () => {
      look.isRefreshDue = false;
      const held = bodyOf(key);
      const end = held === null ? 0 : endOf(query.kind, held);
      return readFrom(key, look, query, held === null ? 0 : refreshFrom(query.kind, held), (next) => next > end);
    });
  }

  return {
    watch(query) {
      const key = pageKey(query);
      const look = looks.get(key) ?? { query, lookerCount: 0, queue: Promise.resolve(), isRefreshDue: false };
      looks.set(key, look);
      look.lookerCount += 1;
      if (look.lookerCount === 1) enqueue(key, look, () => readFrom(key, look, query, 0, () => true));
      return () => {
        look.lookerCount -= 1;
        if (look.lookerCount > 0) return;
        looks.delete(key);
        store.getState().forgetPage(key);
      };
    },
    readMore(query) {
      const key = pageKey(query);
      const look = looks.get(key);
      if (look === undefined) return;
      enqueue(key, look, async () => {
        const held = bodyOf(key);
        const next = held === null ? 0 : rowsOf(query.kind, held).next;
        if (next !== null) await readFrom(key, look, query, next, () => true);
      });
    },
    refresh,
    refreshAll() {
      for (const { query } of looks.values()) refresh(query);
    },
  };
}

function isReadWhole(kind: PageKind): boolean {
  return kind === "timeline" || kind === "patch" || kind === "fileLines";
}

function isList({ kind }: PageQuery): boolean {
  return kind === "timeline" || kind === "transcript" || kind === "changes" || kind === "patch" || kind === "fileLines";
}

/** The rows of a list page; none for a single one. */
export function rowsOf(kind: PageKind, body: PageBody): Page<unknown> {
  switch (kind) {
    case "timeline":
    case "transcript":
    case "patch":
    case "fileLines":
      return body as PageBodies["timeline" | "transcript" | "patch" | "fileLines"];
    case "changes":
      return (body as PageBodies["changes"]).files;
    case "snapshot":
    case "moments":
    case "packet":
    case "result":
    default:
      return { items: [], next: null };
  }
}

/** The cursor up to which rows are held. */
function endOf(kind: PageKind, body: PageBody): number {
  const { items, next } = rowsOf(kind, body);
  const last = items.at(-1) as { readonly n?: number } | undefined;
  return next ?? last?.n ?? items.length;
}
