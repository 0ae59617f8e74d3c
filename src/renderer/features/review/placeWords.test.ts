import { expect, test } from "vitest";

import { placeWords } from "./placeWords.ts";

test("lines that another change set changes, too, are said with the hunk that meets them", () => {
  const places = [
    { path: "store.ts", hunk: 5, from: 88, to: 104 },
    { path: "store.ts", hunk: 6, from: 120, to: 120 },
    { path: "charge.ts", hunk: 1, from: 0, to: 0 },
    { path: "charge.ts", hunk: 1, from: 0, to: 3 },
  ];
  const said = ["store.ts", "charge.ts", "mail.ts"].map((path) => placeWords(path, places));
  expect([...said, placeWords("store.ts", null)]).toEqual([
    "lines 88 to 104, as hunk 5 does; line 120, as hunk 6 does",
    "the beginning, as hunk 1 does; lines 1 to 3, as hunk 1 does",
    "other lines",
    "",
  ]);
});
