import { expect, test } from "vitest";

import type { Oid } from "../../shared/contract/ids.ts";
import type { ChangeSetState } from "../domain/state.ts";
import { checkingOf } from "./checking.ts";

const [proposed, landing] = ["1".repeat(40) as Oid, "2".repeat(40) as Oid];
const verify = ["npm run lint", "npm test"];
const lint = { command: "npm run lint", exitCode: 0, outcome: "exited", durationMs: 1, output: "" } as const;
const set = (status: ChangeSetState["status"], ...trees: readonly Oid[]) => ({
  status,
  tree: proposed,
  verifications: trees.map((tree) => ({ ...lint, tree })),
});

test.each([
  ["are counted from the first on what is proposed", set("proposed"), { done: 0, total: 2 }],
  ["count on the tree that is proposed alone", set("proposed", landing, proposed), { done: 1, total: 2 }],
  ["count once they have begun on what lands", set("approved", proposed, landing), { done: 1, total: 2 }],
  ["are not awaited where just what was checked may land", set("approved", proposed), null],
  ["are over once it is open", set("open", proposed), null],
])("checks %s", (_what, given, expected) => {
  expect(checkingOf(verify, given)).toEqual(expected);
});

test("checks are over once each has been run", () => {
  expect(checkingOf(["npm run lint"], set("proposed", proposed))).toBeNull();
});
