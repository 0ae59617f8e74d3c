// Makes pages fit into a message: rows up to a number of bytes, never none.

import type { Page } from "../../shared/contract/snapshots.ts";

/** What a page's rows may take, bytes of their JSON text; the rest of a message is room for what stands around them. */
export const maxPageBytes = 200 * 1024;

/** Bytes of the JSON text of `value` as UTF-8. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** The first rows of a page that fit, at least one; `cursorOf` names where the next page goes on. Rows of one cursor stay together. */
export function fitPage<Item>(
  page: Page<Item>,
  cursorOf: (item: Item, index: number) => number,
  maxBytes = maxPageBytes,
): Page<Item> {
  let bytes = 0;
  let kept = 0;
  const { items } = page;
  for (let from = 0; from < items.length;) {
    let to = from;
    const cursor = cursorOf(items[from] as Item, from);
    while (to < items.length && cursorOf(items[to] as Item, to) === cursor) bytes += jsonBytes(items[to++]) + 1;
    if (bytes > maxBytes && kept > 0) break;
    kept = to;
    from = to;
  }
  if (kept === items.length) return page;
  return { items: items.slice(0, kept), next: cursorOf(items[kept - 1] as Item, kept - 1) };
}

/** At most `max` characters: beginning and end, and how much lies between them. */
export function excerptOf(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.floor(max / 4);
  return `${text.slice(0, head)}\n… ${text.length - max} characters left out …\n${text.slice(head - max)}`;
}

/** The first `max` items, clipped to `chars` characters each. */
export function clipAll(texts: readonly string[], max: number, chars: number): readonly string[] {
  return texts.slice(0, max).map((text) => excerptOf(text, chars));
}

/** `value` with its texts clipped, to the longest of a few lengths with which it fits; as it is when it fits, and at the shortest when none does. */
export function shrinkToFit<T>(value: T, maxBytes: number): T {
  let fitting = value;
  for (const max of [8_000, 2_000, 500, 120]) {
    if (jsonBytes(fitting) <= maxBytes) return fitting;
    fitting = clipTexts(value, max) as T;
  }
  return fitting;
}

function clipTexts(value: unknown, max: number): unknown {
  if (typeof value === "string") return excerptOf(value, max);
  if (Array.isArray(value)) return value.map((item) => clipTexts(item, max));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clipTexts(part, max)]));
}
