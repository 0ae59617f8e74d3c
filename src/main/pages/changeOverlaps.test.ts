import { expect, test } from "vitest";

import type { ChangeSetId } from "../../shared/contract/ids.ts";
import type { FileChange } from "../domain/records.ts";
import type { ChangeSetState } from "../domain/state.ts";
import { changeOverlaps } from "./changeOverlaps.ts";

/** A change of `path` with a hunk for each range of old lines. */
function changeOf(path: string, ...ranges: readonly (readonly [from: number, count: number])[]): FileChange {
  const hunks = ranges.map(([oldStart, oldLines], index) => ({
    number: index + 1,
    oldStart,
    oldLines,
    newStart: oldStart,
    newLines: 1,
  }));
  return { path, change: "modified", added: 1, removed: 1, hunks };
}

/** As much of a change set as is looked at. */
function setOf(number: number, files: readonly FileChange[], more: Partial<ChangeSetState> = {}): ChangeSetState {
  const agent = `subagent-${number}`;
  const set = { id: `${agent}.1` as ChangeSetId, agent, base: "b1", isLine: false, status: "open", files, ...more };
  return set as unknown as ChangeSetState;
}

test("files that others change, too, with the lines at which both do", () => {
  const own = setOf(1, [changeOf("store.ts", [10, 7], [80, 9], [200, 0]), changeOf("charge.ts", [1, 3])]);
  const near = setOf(2, [changeOf("store.ts", [88, 17], [110, 4], [199, 2]), changeOf("mail.ts", [1, 9])]);
  const twice = setOf(3, [changeOf("store.ts", [1, 11], [14, 5])]);
  const apart = setOf(4, [changeOf("charge.ts", [4, 2])]);
  expect(
    changeOverlaps([own, near, twice, apart], own).map(({ agent, paths, places }) => [agent, paths, places]),
  ).toEqual([
    [
      "subagent-2",
      ["store.ts"],
      [
        { path: "store.ts", hunk: 2, from: 88, to: 104 },
        { path: "store.ts", hunk: 3, from: 199, to: 200 },
      ],
    ],
    ["subagent-3", ["store.ts"], [{ path: "store.ts", hunk: 1, from: 1, to: 18 }]],
    ["subagent-4", ["charge.ts"], []],
  ]);
});

test("lines of different bases are not compared, and what is over or the run's own is no rival", () => {
  const own = setOf(1, [changeOf("store.ts", [10, 7])]);
  const files = [changeOf("store.ts", [10, 7])];
  const others = [
    setOf(2, files, { base: "b2" as ChangeSetState["base"] }),
    setOf(3, files, { status: "landed" }),
    setOf(4, files, { isLine: true }),
    setOf(5, [changeOf("mail.ts", [10, 7])]),
  ];
  expect(changeOverlaps([own, ...others], own)).toEqual([
    { changeset: "subagent-2.1", agent: "subagent-2", paths: ["store.ts"], places: null },
  ]);
});
