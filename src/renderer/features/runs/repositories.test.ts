import { expect, test } from "vitest";

import { repositoriesIn, runsIn } from "./repositories.ts";

const runs = [
  { repo: "/work/billing", needsYouCount: 0 },
  { repo: "/work/shop", needsYouCount: 2 },
  { repo: "/old/billing", needsYouCount: 1 },
  { repo: "/work/shop", needsYouCount: 1 },
  { repo: "", needsYouCount: 0 },
];

test("each repository is listed once, the newest run's first, with what waits there; two of one name say where they lie", () => {
  expect(repositoriesIn(runs).map(({ name, runCount, waitingCount }) => [name, runCount, waitingCount])).toEqual([
    ["work/billing", 1, 0],
    ["shop", 2, 2],
    ["old/billing", 1, 1],
  ]);
});

test("folders of one name are called by as much of their paths as tells them apart", () => {
  const names = repositoriesIn(
    ["/a/x/repo", "/b/x/repo", "/c/y/repo", "repo"].map((repo) => ({ repo, needsYouCount: 0 })),
  );
  expect(names.map(({ name }) => name)).toEqual(["a/x/repo", "b/x/repo", "y/repo", "repo"]);
});

test("the list is held to one repository, and shows all where none is chosen or the chosen one has no run any more", () => {
  expect([runsIn(runs, "/work/shop").length, runsIn(runs, null).length, runsIn(runs, "/gone").length]).toEqual([
    2, 5, 5,
  ]);
});
