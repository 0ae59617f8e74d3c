// How the rows of list pages are joined, and from where they may have changed. Pure.

import type { ChangesPage, PageBody, PageKind } from "../../shared/contract/pages.ts";
import type { Page, TimelineItem, TranscriptItem } from "../../shared/contract/snapshots.ts";

/** `held` with `answer`, which begins behind the cursor `after`. Single pages are replaced. */
export function joinRows(kind: PageKind, held: PageBody | null, answer: PageBody, after: number): PageBody {
  if (held === null) return answer;
  switch (kind) {
    case "timeline":
    case "transcript":
      return joinNumbered(held as Page<Numbered>, answer as Page<Numbered>, after) as PageBody;
    case "changes": {
      const files = joinCounted((held as ChangesPage).files, (answer as ChangesPage).files, after);
      return { ...(answer as ChangesPage), files };
    }
    case "patch":
    case "fileLines":
      return { ...answer, ...joinCounted(held as Page<unknown>, answer as Page<unknown>, after) } as PageBody;
    case "snapshot":
    case "moments":
    case "packet":
    case "result":
    default:
      return answer;
  }
}

/** The cursor behind which rows may have changed: before the first that is not settled, else behind the last. */
export function refreshFrom(kind: PageKind, body: PageBody): number {
  if (kind !== "timeline" && kind !== "transcript") return 0;
  const { items } = body as Page<Numbered>;
  const open = items.find(isOpen);
  return open === undefined ? (items.at(-1)?.n ?? 0) : open.n - 1;
}

type Numbered = TimelineItem | TranscriptItem;

/** A bar without an end, or a call without an answer. */
function isOpen(item: Numbered): boolean {
  if ("until" in item) return item.until === null;
  return item.kind === "call" && (item.state === "open" || item.state === "dispatched");
}

/** Cursors are ordinals: rows behind the answer's last are kept as long as the answer says that more follow. */
function joinNumbered(held: Page<Numbered>, answer: Page<Numbered>, after: number): Page<Numbered> {
  const { next } = answer;
  const before = held.items.filter(({ n }) => n <= after);
  const behind = next === null ? [] : held.items.filter(({ n }) => n > next);
  return {
    items: [...before, ...keepSame(held.items, answer.items, after), ...behind],
    next: behind.length > 0 ? held.next : next,
  };
}

/** Cursors are counts of rows. */
function joinCounted<Item>(held: Page<Item>, answer: Page<Item>, after: number): Page<Item> {
  const { next } = answer;
  const behind = next === null ? [] : held.items.slice(next);
  return {
    items: [...held.items.slice(0, after), ...answer.items, ...behind],
    next: behind.length > 0 ? held.next : next,
  };
}

/** A row that has not changed stays the same object, so that nothing is drawn again for it. Only rows that the answer can hold are compared: a long list is joined once for each of its pages. */
function keepSame(held: readonly Numbered[], items: readonly Numbered[], after: number): readonly Numbered[] {
  const last = items.at(-1)?.n ?? after;
  const same = held.filter(({ n }) => n > after && n <= last);
  if (same.length === 0) return items;
  const known = new Map(same.map((item) => [JSON.stringify(item), item]));
  return items.map((item) => known.get(JSON.stringify(item)) ?? item);
}
