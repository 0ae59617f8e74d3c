import { expect, test } from "vitest";

import { isUnread } from "./failure.ts";

test("a page that SQLite could not read is told from one that is damaged, in the words of its checks", () => {
  expect(
    [
      "Tree 5 page 7 cell 0: unable to get the page. error code=266",
      "Tree 5 page 7: unable to get the page. error code=11",
      "row 3 missing from index sqlite_autoindex_runs_1",
    ].map(isUnread),
  ).toEqual([true, false, false]);
});
