import { expect, test } from "vitest";

import { haveRoom } from "./labels.ts";

test("words beside a mark are shown where they end before the next mark and before a bar, and beside the last that none follows", () => {
  const bar = Infinity;
  const marks = [
    { x: 0, width: 40, bar },
    { x: 30, width: 40, bar },
    { x: 88, width: 0, bar },
    { x: 120, width: 400, bar },
  ];
  expect(haveRoom(marks)).toEqual([false, true, false, true]);
  expect(haveRoom(marks.map((mark) => ({ ...mark, bar: 79 })))).toEqual([false, true, false, false]);
  expect(haveRoom(marks.map((mark) => ({ ...mark, bar: 78 })))).toEqual([false, false, false, false]);
});
