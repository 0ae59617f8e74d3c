import { expect, test } from "vitest";

import { progressLine } from "./progressLine.ts";

function written(isTTY: boolean): readonly string[] {
  const texts: string[] = [];
  const show = progressLine({ isTTY, columns: 12, write: (text) => texts.push(text) });
  for (const text of [null, "1 of 2 events", "2 of 2", null, null]) show(text);
  return texts;
}

test("a terminal's line is written over, never broken, and gone at the end; a pipe sees nothing of it", () => {
  expect(written(true)).toEqual(["\r\u001b[K1 of 2 even", "\r\u001b[K2 of 2", "\r\u001b[K"]);
  expect(written(false)).toEqual([]);
});
