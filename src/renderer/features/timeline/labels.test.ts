import { expect, test } from "vitest";

import { haveRoom } from "./labels.ts";

test("words beside a mark are shown where they end before the next mark, and always beside the last", () => {
  const marks = [
    { x: 0, width: 40 },
    { x: 30, width: 40 },
    { x: 88, width: 0 },
    { x: 120, width: 400 },
  ];
  expect(haveRoom(marks)).toEqual([false, true, false, true]);
});
